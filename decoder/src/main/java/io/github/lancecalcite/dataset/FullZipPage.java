package io.github.lancecalcite.dataset;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.encoding.Bytes;
import io.github.lancecalcite.encoding.Fsst;
import io.github.lancecalcite.encoding.FullZipDecoder;
import io.github.lancecalcite.encoding.Levels;
import io.github.lancecalcite.encoding.ValueBlock;
import io.github.lancecalcite.encoding.ZippedListSplitter;
import io.github.lancecalcite.encoding.ZippedStruct;
import io.github.lancecalcite.encoding.ZippedValues;
import io.github.lancecalcite.format.CompressiveEncoding;
import io.github.lancecalcite.format.PageLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A full-zip page: buffer 0 holds the entries, buffer 1, when rows differ in size, where each row
 * begins. Only the bytes of the wanted rows are read, in pieces of about {@value #PIECE_BYTES}
 * bytes.
 */
final class FullZipPage implements PageReader {
  private static final int PIECE_BYTES = 1 << 18; // with what is decoded from it, it stays in L2

  /** Rows whose starts are read at once. */
  private static final int INDEX_ROWS = 64 * 1024;

  private final PageBytes bytes;
  private final LevelMap map;
  private final FullZipDecoder decoder;
  private final @Nullable ZippedListSplitter splitter;
  private final @Nullable ZippedValues decompression;
  private final boolean indexed;
  private final int indexBytes;
  private byte[] piece = new byte[0];
  private final Levels levels = new Levels();
  private final ValueBlock values = new ValueBlock();

  /**
   * @param shape of the leaf's values: an encoding of nothing but null items does not tell it
   */
  FullZipPage(PageBytes bytes, PageLayout.FullZip layout, LeafShape shape) throws IOException {
    this.bytes = bytes;
    this.map = new LevelMap(layout.layers());
    CompressiveEncoding encoding = layout.valueCompression();
    ValueDecoders decoders = new ValueDecoders(bytes.file().path(), bytes.where());
    boolean lists = layout.layers().stream().anyMatch(LevelMap::isList);
    try {
      this.decoder =
          new FullZipDecoder(
              layout.bitsRep(),
              layout.bitsDef(),
              map.maxVisible(),
              layout.variable() ? layout.bits() : 0,
              layout.variable() ? 0 : layout.bits());
      if (layout.variable()) {
        this.splitter = null;
        this.decompression = variable(encoding, decoders);
      } else {
        this.decompression = null;
        this.splitter = fixed(encoding, decoders, layout.bits(), shape);
      }
    } catch (IllegalArgumentException e) {
      throw decoders.unsupported("full-zip values", encoding, e.getMessage());
    } catch (RuntimeException e) {
      throw translated(e);
    }
    this.indexed = lists || layout.variable();
    this.indexBytes = indexed ? indexWidth() : 0;
  }

  private int indexWidth() throws IOException {
    long size = bytes.location(1).size();
    long entries = bytes.page().length() + 1;
    for (int width = 1; width <= 8; width *= 2) {
      if (size == entries * width) {
        return width;
      }
    }
    throw new CorruptFileException(
        bytes.file().path(),
        bytes.location(1).offset(),
        "row index of " + bytes.where(),
        entries + " numbers of 1, 2, 4 or 8 bytes",
        size + " bytes");
  }

  private static @Nullable ZippedValues variable(
      CompressiveEncoding encoding, ValueDecoders decoders) throws UnsupportedFormatException {
    if (encoding instanceof CompressiveEncoding.Variable) {
      return null;
    } else if (encoding instanceof CompressiveEncoding.Fsst e) {
      return ZippedValues.fsst(variable(e.values(), decoders), new Fsst(e.symbolTable()));
    } else if (encoding instanceof CompressiveEncoding.General e) {
      return ZippedValues.general(
          ValueDecoders.decompressor(e.scheme()), variable(e.values(), decoders));
    }
    if (encoding instanceof CompressiveEncoding.VariablePackedStruct e) {
      return packed(e, decoders);
    }
    throw decoders.unsupported("full-zip values", encoding, "variable width");
  }

  private static ZippedValues packed(
      CompressiveEncoding.VariablePackedStruct struct, ValueDecoders decoders)
      throws UnsupportedFormatException {
    List<ZippedStruct.Child> children = new ArrayList<>();
    for (CompressiveEncoding.VariablePackedStruct.Child child : struct.fields()) {
      boolean whole = child.bits() > 0 && (child.bits() & 7) == 0 && child.bits() < 1L << 24;
      if (!whole || (child.variable() && child.bits() > 64)) {
        throw decoders.unsupported("packed child", child.value(), child.bits() + " bits");
      }
      int bytes = (int) (child.bits() / 8);
      if (child.variable()) {
        children.add(new ZippedStruct.Child(true, bytes, variable(child.value(), decoders)));
      } else if (ValueDecoders.flatBits(decoders.listLevels(child.value()).items()) > 0) {
        children.add(new ZippedStruct.Child(false, bytes, null));
      } else {
        throw decoders.unsupported("packed child", child.value(), "fixed width");
      }
    }
    return new ZippedStruct(children);
  }

  private @Nullable ZippedListSplitter fixed(
      CompressiveEncoding encoding, ValueDecoders decoders, long bits, LeafShape shape)
      throws IOException {
    ValueDecoders.ListLevels lists = decoders.listLevels(encoding);
    ZippedListSplitter split =
        lists.items() instanceof CompressiveEncoding.Constant constant && constant.value() == null
            ? nullItems(lists, decoders, shape)
            : new ZippedListSplitter(
                lists.dimensions(), lists.hasValidity(), itemBits(lists.items(), decoders));
    if (split.valueBytes() * 8L != bits) {
      throw new CorruptFileException(
          bytes.file().path(),
          bytes.location(0).offset(),
          "width of the values of " + bytes.where(),
          split.valueBytes() * 8L + " bits (its encoding)",
          bits + " bits; some writers lose the data of nested fixed-size lists");
    }
    return split;
  }

  private static long itemBits(CompressiveEncoding items, ValueDecoders decoders)
      throws UnsupportedFormatException {
    long bits =
        ValueDecoders.flatBits(
            items instanceof CompressiveEncoding.PackedStruct packed ? packed.values() : items);
    if (bits <= 0 || (bits & 7) != 0) {
      throw decoders.unsupported("full-zip values", items, "fixed width");
    }
    return bits;
  }

  /** Lists whose items are all null: the encoding ends where the list level of the items begins. */
  private static ZippedListSplitter nullItems(
      ValueDecoders.ListLevels lists, ValueDecoders decoders, LeafShape shape)
      throws UnsupportedFormatException {
    int level = lists.dimensions().length;
    if (level >= shape.dimensions().size()) {
      throw decoders.unsupported("full-zip values", lists.items(), "no list level left");
    }
    int[] dimensions = shape.dimensions().stream().mapToInt(Integer::intValue).toArray();
    System.arraycopy(lists.dimensions(), 0, dimensions, 0, level);
    return ZippedListSplitter.ofNullItems(dimensions, lists.hasValidity(), level, shape.itemBits());
  }

  private RuntimeException translated(RuntimeException e) throws CorruptFileException {
    if (PageBytes.isDecodeFailure(e)) {
      throw bytes.corrupt(0, e);
    }
    return e;
  }

  @Override
  public void read(long first, long count, LeafRows into) throws IOException {
    try {
      if (indexed) {
        readIndexed(first, count, into);
      } else {
        readStrided(first, count, into);
      }
    } catch (RuntimeException e) {
      throw translated(e);
    }
  }

  private void readStrided(long first, long count, LeafRows into) throws IOException {
    int stride = decoder.entryBytes();
    int most = Math.max(1, PIECE_BYTES / Math.max(1, stride));
    for (long done = 0; done < count; ) {
      int n = (int) Math.min(most, count - done);
      if (stride == 0) {
        levels.count = 0;
        decoder.decodeNothing(n, levels, values);
        finish(into);
        done += n;
        continue;
      }
      decode(Math.multiplyExact(first + done, (long) stride), (long) n * stride, n, into);
      done += n;
    }
  }

  private void readIndexed(long first, long count, LeafRows into) throws IOException {
    for (long done = 0; done < count; ) {
      int n = (int) Math.min(INDEX_ROWS, count - done);
      Bytes index = bytes.read(1, (first + done) * indexBytes, (n + 1L) * indexBytes);
      int row = 0;
      while (row < n) {
        long start = start(index, row);
        int end = row + 1;
        while (end < n && start(index, end + 1) - start <= PIECE_BYTES) {
          end++;
        }
        decode(start, start(index, end) - start, end - row, into);
        row = end;
      }
      done += n;
    }
  }

  private long start(Bytes index, int row) {
    return switch (indexBytes) {
      case 1 -> index.u8(row);
      case 2 -> index.u16(2L * row);
      case 4 -> index.u32(4L * row);
      default -> index.i64(8L * row);
    };
  }

  private void decode(long start, long size, int rows, LeafRows into) throws IOException {
    levels.count = 0;
    if (piece.length < size && size <= PIECE_BYTES) {
      piece = new byte[(int) Math.min(PIECE_BYTES, bytes.location(0).size())];
    }
    decoder.decode(bytes.read(0, start, size, piece), levels, values);
    if (!indexed && levels.count != rows) {
      throw new DecodeException(start, "entries", rows, levels.count);
    }
    finish(into);
  }

  private void finish(LeafRows into) {
    if (splitter != null) {
      splitter.split(values);
    }
    if (decompression != null) {
      decompression.decompress(values);
    }
    into.append(levels, 0, levels.count, map, values, 0, null);
  }
}
