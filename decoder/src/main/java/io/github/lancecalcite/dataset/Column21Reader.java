package io.github.lancecalcite.dataset;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.encoding.Levels;
import io.github.lancecalcite.encoding.Structure;
import io.github.lancecalcite.format.LogicalType;
import io.github.lancecalcite.format.SchemaField;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/**
 * Reads a top-level field of 2.1+ files. Every leaf carries the structure of its ancestors; a
 * parent's is taken from its first leaf that is there.
 */
final class Column21Reader implements ColumnReader {
  private final Node root;
  private final Field field;
  private final BufferAllocator allocator;

  private Column21Reader(Node root, Field field, BufferAllocator allocator) {
    this.root = root;
    this.field = field;
    this.allocator = allocator;
  }

  /** A field of the tree. */
  private static final class Node {
    final SchemaField field;
    final List<Node> children = new ArrayList<>();

    /** Set in leaves. */
    @Nullable Leaf leaf;

    /** Set in structs that are stored as one leaf. */
    @Nullable PackedShape packed;

    Node(SchemaField field) {
      this.field = field;
    }

    /** The first leaf at or below that is stored, or null. */
    @Nullable Leaf firstLeaf() {
      if (leaf != null) {
        return leaf;
      }
      for (Node child : children) {
        Leaf found = child.firstLeaf();
        if (found != null) {
          return found;
        }
      }
      return null;
    }
  }

  /** A stored leaf and what the current batch found in it. */
  private static final class Leaf {
    final LeafReader reader;
    final LeafShape shape;
    final Structure structure;
    final int depth;

    /** Entries per row: the sizes of the fixed-size lists of struct above. */
    final int entriesPerRow;

    @Nullable LeafRows rows;

    /** Those of the rows; kept so that each batch finds it large enough. */
    final Levels levels = new Levels();

    Leaf(LeafReader reader, LeafShape shape, Structure structure, int depth, int entriesPerRow) {
      this.reader = reader;
      this.shape = shape;
      this.structure = structure;
      this.depth = depth;
      this.entriesPerRow = entriesPerRow;
    }
  }

  /** Opens the leaves of a field; null when no file has any of them. */
  static @Nullable ColumnReader open(
      SchemaField field, LeafFiles files, long rows, BufferAllocator allocator) throws IOException {
    Node root = build(field, files, new ArrayList<>(), rows, allocator);
    return root.firstLeaf() == null
        ? null
        : new Column21Reader(root, ArrowSchemas.field(field), allocator);
  }

  private static Node build(
      SchemaField field,
      LeafFiles files,
      List<Structure.Layer> above,
      long rows,
      BufferAllocator allocator)
      throws IOException {
    Node node = new Node(field);
    LogicalType type = field.logicalType();
    LeafShape shape = LeafShape.of(type);
    if (shape != null || isPacked(field)) {
      boolean blob = ArrowSchemas.isBlob(field);
      LeafFiles.LeafColumn column = files.find(field.id());
      PackedShape packed =
          blob
              ? PackedShape.blob()
              : ArrowSchemas.isBlobV2(field)
                  ? PackedShape.blobV2()
                  : isPacked(field) ? packed(field, column) : null;
      if (packed != null) {
        shape = packed.rows();
        node.packed = packed;
      }
      if (column != null) {
        if (shape == null) {
          throw new UnsupportedFormatException(
              column.metadata().path(),
              "structure of field '" + field.name() + "'",
              "one column for a struct with " + field.children().size() + " children",
              "structs packed from children of fixed or variable width");
        }
        node.leaf =
            leaf(column, shape, blob, packed != null && packed.neverNull(), above, rows, allocator);
      }
      return node;
    }
    Structure.Layer layer;
    if (type instanceof LogicalType.Struct) {
      layer = Structure.Layer.ITEM;
    } else if (type instanceof LogicalType.FixedSizeList list) {
      layer = new Structure.Layer(Structure.Kind.ITEM, list.size());
    } else {
      layer = Structure.Layer.LIST;
    }
    above.add(layer);
    for (SchemaField child : field.children()) {
      node.children.add(build(child, files, above, rows, allocator));
    }
    above.remove(above.size() - 1);
    return node;
  }

  private static @Nullable PackedShape packed(
      SchemaField field, LeafFiles.@Nullable LeafColumn column) throws IOException {
    return PackedShape.of(
        field, column == null ? null : column.metadata().schema().field(field.id()));
  }

  /** Whether a struct is stored as one leaf. */
  private static boolean isPacked(SchemaField field) {
    return field.logicalType() instanceof LogicalType.Struct
        && (field.children().isEmpty()
            || "true".equalsIgnoreCase(field.metadata().get("lance-encoding:packed"))
            || "true".equalsIgnoreCase(field.metadata().get("packed"))
            || "lance.blob.v2".equals(field.extensionName())
            || "lance.blob.v2".equals(field.metadata().get("ARROW:extension:name")));
  }

  private static Leaf leaf(
      LeafFiles.LeafColumn column,
      LeafShape shape,
      boolean blob,
      boolean inner,
      List<Structure.Layer> above,
      long rows,
      BufferAllocator allocator)
      throws IOException {
    int own = inner ? 2 : 1; // a blob of the second kind has a layer for what the struct holds
    Structure.Layer[] layers = new Structure.Layer[above.size() + own];
    layers[0] = Structure.Layer.ITEM;
    layers[own - 1] = Structure.Layer.ITEM;
    int entriesPerRow = 1;
    for (int i = 0; i < above.size(); i++) {
      Structure.Layer layer = above.get(above.size() - 1 - i);
      layers[i + own] = layer;
      if (layer.kind() == Structure.Kind.LIST && entriesPerRow > 1) {
        throw new UnsupportedFormatException(
            column.metadata().path(),
            "nesting of column " + column.column().index(),
            "list of fixed-size lists of struct",
            "fixed-size lists of struct that are in no list");
      }
      entriesPerRow = Math.multiplyExact(entriesPerRow, layer.step());
    }
    long entries;
    try {
      entries = Math.multiplyExact(rows, entriesPerRow);
    } catch (ArithmeticException e) {
      throw new CorruptFileException(
          column.metadata().path(), -1, "rows of column " + column.column().index(), "fewer", rows);
    }
    LeafReader reader = new LeafReader(column, shape, blob, layers.length, entries, allocator);
    return new Leaf(reader, shape, new Structure(layers), layers.length - 1, entriesPerRow);
  }

  @Override
  public FieldVector read(long firstRow, int rowCount) throws IOException {
    FieldVector vector = field.createVector(allocator);
    try {
      load(root, firstRow, rowCount);
      fill(root, vector, 0, rowCount);
      return vector;
    } catch (IOException | RuntimeException | Error e) {
      vector.close();
      throw e;
    } finally {
      release(root);
    }
  }

  private void load(Node node, long firstRow, int rowCount) throws IOException {
    Leaf leaf = node.leaf;
    if (leaf != null) {
      LeafRows rows =
          new LeafRows(leaf.shape, allocator, rowCount * leaf.entriesPerRow, leaf.levels);
      leaf.rows = rows;
      leaf.reader.read(firstRow * leaf.entriesPerRow, (long) rowCount * leaf.entriesPerRow, rows);
      try {
        leaf.structure.unravel(rows.levels, rows.values.count());
      } catch (IndexOutOfBoundsException e) {
        throw new CorruptFileException(
            leaf.reader.path(),
            -1,
            "levels of field '" + node.field.name() + "' in a batch",
            "repetition levels up to " + leaf.structure.lists(),
            String.valueOf(e.getMessage()),
            e);
      }
    }
    for (Node child : node.children) {
      load(child, firstRow, rowCount);
    }
  }

  private static void release(Node node) {
    if (node.leaf != null && node.leaf.rows != null) {
      node.leaf.rows.close();
      node.leaf.rows = null;
    }
    node.children.forEach(Column21Reader::release);
  }

  /**
   * Fills a vector from the leaves below its node.
   *
   * @param depth ancestors of the node
   * @param count values that the vector must get: the parent's, times its items
   */
  private void fill(Node node, FieldVector vector, int depth, int count) throws IOException {
    Leaf leaf = node.firstLeaf();
    if (leaf == null) { // nothing of it is stored: null throughout
      NullRows.fill(vector, count, path());
      return;
    }
    Structure.Nodes nodes = leaf.structure.nodes(leaf.depth - depth);
    if (nodes.count != count) {
      throw new CorruptFileException(
          leaf.reader.path(),
          -1,
          "values of field '" + node.field.name() + "' (" + node.field.id() + ") in a batch",
          count,
          nodes.count);
    }
    if (node.leaf != null) {
      LeafRows rows = Objects.requireNonNull(leaf.rows);
      if (rows.values.count() != count) {
        throw new CorruptFileException(
            leaf.reader.path(),
            -1,
            "stored values of field '" + node.field.name() + "' in a batch",
            count,
            rows.values.count());
      }
      if (node.packed == null && !JsonRows.isJson(node.field)) {
        rows.values.finish(vector, nodes.validity);
        return;
      }
      try {
        if (node.packed == null) {
          JsonRows.finish(node != root, rows.values, vector, nodes.validity, allocator);
        } else {
          new PackedRows(node.packed, allocator).finish(rows.values, vector, nodes.validity);
        }
      } catch (DecodeException e) {
        throw new CorruptFileException(
            leaf.reader.path(), -1, e.what(), e.expected(), e.actual(), e);
      }
      return;
    }
    List<ArrowBuf> buffers = new ArrayList<>(2);
    int below = count;
    try {
      buffers.add(ValidityBuffers.of(nodes.validity, count, allocator));
      LogicalType type = node.field.logicalType();
      if (type instanceof LogicalType.FixedSizeList list) {
        below = Math.multiplyExact(count, list.size());
      } else if (!(type instanceof LogicalType.Struct)) {
        boolean large = type instanceof LogicalType.List list && list.large();
        buffers.add(offsets(nodes, large));
        below = nodes.offsets[count];
      }
      vector.loadFieldBuffers(new ArrowFieldNode(count, -1), buffers);
    } finally {
      buffers.forEach(ArrowBuf::close);
    }
    List<FieldVector> children = vector.getChildrenFromFields();
    for (int i = 0; i < children.size(); i++) {
      fill(node.children.get(i), children.get(i), depth + 1, below);
    }
  }

  /** A file of the field, for errors; one of its leaves is in some file. */
  private String path() {
    return Objects.requireNonNull(root.firstLeaf()).reader.path();
  }

  private ArrowBuf offsets(Structure.Nodes nodes, boolean large) {
    int n = nodes.count + 1;
    ArrowBuf buffer = allocator.buffer((long) n * (large ? 8 : 4));
    long to = buffer.memoryAddress();
    for (int i = 0; i < n; i++) {
      if (large) {
        MemoryUtil.putLong(to + i * 8L, nodes.offsets[i]);
      } else {
        MemoryUtil.putInt(to + i * 4L, nodes.offsets[i]);
      }
    }
    buffer.writerIndex((long) n * (large ? 8 : 4));
    return buffer;
  }

  @Override
  public void close() {
    release(root);
  }
}
