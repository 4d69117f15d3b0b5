package io.github.lancecalcite.dataset;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.encoding.Bytes;
import io.github.lancecalcite.encoding.ValueBlock;
import io.github.lancecalcite.format.ArrayEncoding;
import io.github.lancecalcite.format.ColumnMetadata;
import io.github.lancecalcite.format.LogicalType;
import io.github.lancecalcite.format.SchemaField;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/**
 * Reads a top-level field of a 2.0 file. Every field, parents included, has a column of its own: a
 * list's column holds its offsets, a struct's holds nothing (a 2.0 file does not say which structs
 * are null).
 */
final class Column20Reader implements ColumnReader {
  private static final LeafShape OFFSETS =
      new LeafShape(LeafShape.Kind.FIXED, 64, List.of(), false);
  private static final LeafShape BYTE = new LeafShape(LeafShape.Kind.FIXED, 8, List.of(), false);

  private final Node root;
  private final Field field;
  private final BufferAllocator allocator;

  private Column20Reader(Node root, Field field, BufferAllocator allocator) {
    this.root = root;
    this.field = field;
    this.allocator = allocator;
  }

  /** A field that is stored; {@code pages} of its own column. */
  private record Node(
      SchemaField field,
      @Nullable LeafShape shape,
      @Nullable PackedShape packed,
      Pages20 pages,
      List<@Nullable Node> children,
      long[] itemsBefore) {}

  /** Opens the columns of a field; null when no file has them. */
  static @Nullable ColumnReader open(
      SchemaField field, LeafFiles files, long rows, BufferAllocator allocator) throws IOException {
    Node root = build(field, files, rows);
    if (root == null) {
      return null;
    }
    return new Column20Reader(root, ArrowSchemas.field(field), allocator);
  }

  private static boolean isStruct(SchemaField field) {
    return field.logicalType() instanceof LogicalType.Struct;
  }

  /**
   * @param rows values that the field's column must hold: the fragment's rows, or the items of the
   *     lists around it
   */
  private static @Nullable Node build(SchemaField field, LeafFiles files, long rows)
      throws IOException {
    LeafFiles.LeafColumn column = files.find(field.id());
    if (column == null) {
      return null;
    }
    LogicalType type = field.logicalType();
    LeafShape shape = LeafShape.of(type);
    boolean blob = column.column().blob();
    if (blob != ArrowSchemas.isBlob(field)) {
      throw new UnsupportedFormatException(
          column.metadata().path(),
          "storage of column " + column.column().index(),
          blob ? "blobs" : "values",
          blob ? "values, as the field says" : "blobs, as the field says");
    }
    if (blob) {
      return packed(field, column, PackedShape.blob(), rows);
    }
    if (ArrowSchemas.isBlobV2(field)) {
      throw new UnsupportedFormatException(
          column.metadata().path(),
          "storage of field '" + field.name() + "'",
          "a blob of the second kind in a 2.0 file, which Lance writes and cannot read",
          "such blobs in files of 2.2 and later");
    }
    if (shape != null) {
      Pages20 pages = new Pages20(column, shape, type instanceof LogicalType.Dictionary);
      if (shape.kind() == LeafShape.Kind.VARIABLE && isListOfBytes(pages)) {
        return listOfBytes(field, column, rows);
      }
      pages.requireCount(rows);
      return new Node(field, shape, null, pages, List.of(), new long[0]);
    }
    Pages20 pages = new Pages20(column, OFFSETS, false);
    pages.requireCount(rows);
    if (isStruct(field)
        && pages.pages() > 0
        && pages.node(0) instanceof ArrayEncoding.PackedStruct) {
      PackedShape packed = PackedShape.of(field, column.metadata().schema().field(field.id()));
      if (packed == null || packed.variable()) {
        throw new UnsupportedFormatException(
            pages.path(), "packed struct '" + field.name() + "'", type, "children of fixed width");
      }
      return packed(field, column, packed, rows);
    }
    long[] items = isStruct(field) ? new long[0] : items(pages);
    long below = isStruct(field) ? rows : items[pages.pages()];
    List<@Nullable Node> children = new ArrayList<>();
    for (SchemaField child : field.children()) {
      children.add(build(child, files, below));
    }
    if (!isStruct(field) && (children.size() != 1 || children.get(0) == null)) {
      throw new CorruptFileException(
          pages.path(), -1, "column of the items of '" + field.name() + "'", "one", "none");
    }
    return new Node(field, null, null, pages, children, items);
  }

  private static Node packed(
      SchemaField field, LeafFiles.LeafColumn column, PackedShape shape, long rows)
      throws IOException {
    Pages20 pages = new Pages20(column, shape.rows(), false);
    pages.requireCount(rows);
    return new Node(field, shape.rows(), shape, pages, List.of(), new long[0]);
  }

  /** Early files stored strings as lists of bytes, the bytes in the next column. */
  private static boolean isListOfBytes(Pages20 pages) throws IOException {
    return pages.pages() > 0 && pages.node(0) instanceof ArrayEncoding.ListOffsets;
  }

  private static Node listOfBytes(SchemaField field, LeafFiles.LeafColumn column, long rows)
      throws IOException {
    List<ColumnMetadata> columns = column.metadata().columns();
    int index = column.column().index() + 1;
    if (index >= columns.size()) {
      throw new CorruptFileException(
          column.metadata().path(), -1, "column of bytes", index, columns.size() + " columns");
    }
    Pages20 offsets = new Pages20(column, OFFSETS, false);
    offsets.requireCount(rows);
    long[] items = items(offsets);
    LeafFiles.LeafColumn bytes =
        new LeafFiles.LeafColumn(column.file(), column.metadata(), columns.get(index));
    Pages20 bytePages = new Pages20(bytes, BYTE, false);
    bytePages.requireCount(items[offsets.pages()]);
    List<@Nullable Node> children = new ArrayList<>();
    children.add(new Node(field, BYTE, null, bytePages, List.of(), new long[0]));
    return new Node(field, LeafShape.of(field.logicalType()), null, offsets, children, items);
  }

  /** Items before each page of an offsets column. */
  private static long[] items(Pages20 pages) throws IOException {
    long[] before = new long[pages.pages() + 1];
    for (int i = 0; i < pages.pages(); i++) {
      if (!(pages.node(i) instanceof ArrayEncoding.ListOffsets list)) {
        throw new UnsupportedFormatException(
            pages.path(),
            "encoding of list column " + pages.columnIndex(),
            pages.node(i).getClass().getSimpleName(),
            "ListOffsets");
      }
      if (list.numItems() < 0 || before[i] + list.numItems() < 0) {
        throw new CorruptFileException(
            pages.path(),
            -1,
            "items of list column " + pages.columnIndex(),
            "below 2^63",
            Long.toUnsignedString(list.numItems()));
      }
      before[i + 1] = before[i] + list.numItems();
    }
    return before;
  }

  @Override
  public FieldVector read(long firstRow, int rowCount) throws IOException {
    FieldVector vector = field.createVector(allocator);
    try {
      fill(root, vector, firstRow, rowCount);
      return vector;
    } catch (IOException | RuntimeException | Error e) {
      vector.close();
      throw e;
    }
  }

  private void fill(@Nullable Node node, FieldVector vector, long first, int count)
      throws IOException {
    if (node == null) { // not stored: null throughout
      NullRows.fill(vector, count, root.pages().path());
    } else if (!node.children().isEmpty() && node.shape() != null) {
      fillListOfBytes(node, vector, first, count);
    } else if (node.shape() != null) {
      fillLeaf(node, node.shape(), vector, first, count);
    } else if (isStruct(node.field())) {
      loadParent(vector, count, List.of(ValidityBuffers.of(null, count, allocator)));
      for (int i = 0; i < node.children().size(); i++) {
        fill(node.children().get(i), vector.getChildrenFromFields().get(i), first, count);
      }
    } else {
      fillList(node, vector, first, count);
    }
  }

  private static void loadParent(FieldVector vector, int count, List<ArrowBuf> buffers) {
    try {
      vector.loadFieldBuffers(new ArrowFieldNode(count, -1), buffers);
    } finally {
      buffers.forEach(ArrowBuf::close);
    }
  }

  private void fillLeaf(Node node, LeafShape shape, FieldVector vector, long first, int count)
      throws IOException {
    Validity validity = new Validity();
    try (LeafBuilder builder = new LeafBuilder(shape, allocator, count)) {
      node.pages()
          .visit(
              first,
              count,
              (page, encoding, index, from, n) -> {
                Decoded20 decoded;
                if (node.packed() != null) {
                  decoded = packedRows(node.packed(), page, encoding, from, n);
                } else {
                  decoded = page.decode(encoding, from, n);
                }
                append(decoded, n, builder, validity);
              });
      if (node.packed() != null) {
        new PackedRows(node.packed(), allocator).finish(builder, vector, validity.words(count));
      } else if (JsonRows.isJson(node.field())) {
        JsonRows.finish(node != root, builder, vector, validity.words(count), allocator);
      } else {
        builder.finish(vector, validity.words(count));
      }
    } catch (DecodeException e) {
      throw new CorruptFileException(
          node.pages().path(), -1, e.what(), e.expected(), e.actual(), e);
    }
  }

  private static Decoded20 packedRows(
      PackedShape shape, Array20Page page, ArrayEncoding encoding, long from, int count)
      throws IOException {
    ArrayEncoding inner = encoding instanceof ArrayEncoding.NoNulls n ? n.values() : encoding;
    if (!(inner instanceof ArrayEncoding.PackedStruct packed)) {
      return page.decode(encoding, from, count);
    }
    return new Decoded20(page.packedRows(packed, from, count, shape.children()), null);
  }

  private static void append(Decoded20 decoded, int count, LeafBuilder builder, Validity validity) {
    int at = builder.count();
    ValueBlock values = decoded.values();
    if (values == null) {
      builder.appendZero(count);
      return;
    }
    builder.append(values, 0, count);
    Bytes bits = decoded.validity();
    for (int i = 0; i < count; i++) {
      if (bits == null || (bits.u8(i >>> 3) >>> (i & 7) & 1) != 0) {
        validity.set(at + i);
      }
    }
  }

  /** Validity bits that grow with what was decoded: a count of items is only a file's promise. */
  private static final class Validity {
    private long[] words = new long[16];

    void set(int i) {
      if (i >>> 6 >= words.length) {
        words = Arrays.copyOf(words, Math.max((i >>> 6) + 1, words.length * 2));
      }
      words[i >>> 6] |= 1L << i;
    }

    long[] words(int count) {
      return Arrays.copyOf(words, (count + 63) >>> 6);
    }
  }

  /** Offsets of the lists of a stretch of rows, from 0 on, and where their items begin. */
  private static final class Lists {
    int[] offsets = new int[16];
    final Validity validity = new Validity();
    long firstItem = -1;
    int count;

    void add(long end, boolean valid) {
      if (count + 1 == offsets.length) {
        offsets = Arrays.copyOf(offsets, offsets.length * 2);
      }
      offsets[count + 1] = Math.toIntExact(end - firstItem);
      if (valid) {
        validity.set(count);
      }
      count++;
    }
  }

  private static Lists lists(Node node, long first, int count) throws IOException {
    Lists lists = new Lists();
    node.pages()
        .visit(
            first,
            count,
            (page, encoding, index, from, n) -> {
              ArrayEncoding.ListOffsets list = (ArrayEncoding.ListOffsets) encoding;
              long adjustment = list.nullOffsetAdjustment();
              long base = node.itemsBefore()[index];
              long before = from == 0 ? 0 : page.ends(list.offsets(), from - 1, 1)[0];
              long previous = before >= adjustment && adjustment > 0 ? before - adjustment : before;
              long[] ends = page.ends(list.offsets(), from, n);
              if (lists.firstItem < 0) {
                lists.firstItem = base + previous;
              } else if (lists.firstItem + lists.offsets[lists.count] != base + previous) {
                throw new DecodeException(
                    -1,
                    "items before page " + index,
                    base + previous,
                    lists.firstItem + lists.offsets[lists.count]);
              }
              for (long end : ends) {
                boolean valid = adjustment <= 0 || end < adjustment;
                long plain = valid ? end : end - adjustment;
                if (plain < previous || plain > list.numItems()) {
                  throw new DecodeException(
                      -1,
                      "end of a list",
                      "from " + previous + " to " + list.numItems(),
                      Long.toUnsignedString(plain));
                }
                lists.add(base + plain, valid);
                previous = plain;
              }
            });
    return lists;
  }

  private void fillList(Node node, FieldVector vector, long first, int count) throws IOException {
    Lists lists = lists(node, first, count);
    boolean large = node.field().logicalType() instanceof LogicalType.List list && list.large();
    long width = large ? 8 : 4;
    List<ArrowBuf> buffers = new ArrayList<>(2);
    ArrowBuf offsets = allocator.buffer((count + 1L) * width);
    buffers.add(offsets);
    for (int i = 0; i <= count; i++) {
      if (large) {
        offsets.setLong(i * width, lists.offsets[i]);
      } else {
        offsets.setInt(i * width, lists.offsets[i]);
      }
    }
    offsets.writerIndex((count + 1L) * width);
    try {
      buffers.add(0, ValidityBuffers.of(lists.validity.words(count), count, allocator));
      vector.loadFieldBuffers(new ArrowFieldNode(count, -1), buffers);
    } finally {
      buffers.forEach(ArrowBuf::close);
    }
    fill(
        node.children().get(0),
        vector.getChildrenFromFields().get(0),
        Math.max(0, lists.firstItem),
        lists.offsets[count]);
  }

  private void fillListOfBytes(Node node, FieldVector vector, long first, int count)
      throws IOException {
    Lists lists = lists(node, first, count);
    Node bytes = Objects.requireNonNull(node.children().get(0));
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    bytes
        .pages()
        .visit(
            Math.max(0, lists.firstItem),
            lists.offsets[count],
            (page, encoding, index, from, n) -> {
              ValueBlock block = page.decode(encoding, from, n).values();
              if (block == null || block.bits != 8) {
                throw new DecodeException(
                    -1, "bytes of strings", "8 bits each", block == null ? "nulls" : block.bits);
              }
              joined.write(block.data, block.dataOffset, n);
            });
    ValueBlock block = new ValueBlock();
    block.count = count;
    block.bits = 0;
    block.data = joined.toByteArray();
    block.offsets = lists.offsets;
    LeafShape shape = Objects.requireNonNull(node.shape());
    try (LeafBuilder builder = new LeafBuilder(shape, allocator, count)) {
      builder.append(block, 0, count);
      builder.finish(vector, lists.validity.words(count));
    }
  }

  @Override
  public void close() {}
}
