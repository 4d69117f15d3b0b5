package io.github.lancecalcite.dataset;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.encoding.Bytes;
import io.github.lancecalcite.encoding.ConstantValues;
import io.github.lancecalcite.encoding.LevelDecoder;
import io.github.lancecalcite.encoding.Levels;
import io.github.lancecalcite.encoding.ValueBlock;
import io.github.lancecalcite.format.CompressiveEncoding;
import io.github.lancecalcite.format.PageLayout;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A constant page: one value for all visible entries, or none at all: every leaf is null.
 *
 * <p>Buffers: the value, unless it is inline or absent, then repetition and definition levels if
 * the structure is not the same throughout. 0 or 2 buffers: no value; 1 or 3: the first is the
 * value.
 */
final class ConstantPage implements PageReader {
  private static final int AHEAD_BYTES = 1 << 16;

  private final PageBytes bytes;
  private final PageLayout.Constant layout;
  private final LevelMap map;
  private final int lists;
  private final LeafShape shape;

  /** The value, repeated as often as was needed so far; null when every leaf is null. */
  private final @Nullable ValueBlock values;

  private final byte @Nullable [] fixed;

  /** Levels of the whole page, or null when every row is one entry of one level. */
  private final @Nullable Levels levels;

  private final Levels uniform = new Levels();

  ConstantPage(PageBytes bytes, PageLayout.Constant layout, LeafShape shape) throws IOException {
    this.bytes = bytes;
    this.layout = layout;
    this.map = new LevelMap(layout.layers());
    this.shape = shape;
    int n = 0;
    for (PageLayout.Layer layer : layout.layers()) {
      n += LevelMap.isList(layer) ? 1 : 0;
    }
    this.lists = n;
    int buffers = bytes.page().buffers().size();
    if (buffers > 3) {
      throw new CorruptFileException(
          bytes.file().path(), -1, "buffers of " + bytes.where(), "at most 3", buffers);
    }
    boolean hasValueBuffer = buffers == 1 || buffers == 3;
    try {
      if (layout.inlineValue() != null) {
        fixed = layout.inlineValue();
        values = new ValueBlock();
      } else if (hasValueBuffer && shape.kind() == LeafShape.Kind.VARIABLE) {
        fixed = null;
        values = variable(bytes.read(0));
      } else if (hasValueBuffer) {
        Bytes value = bytes.read(0);
        fixed = Arrays.copyOfRange(value.array(), value.offset(), value.offset() + value.length());
        values = new ValueBlock();
      } else {
        fixed = null;
        values = null;
      }
      levels = buffers >= 2 ? levels() : null;
    } catch (RuntimeException e) {
      throw translated(e);
    }
    if (levels == null && lists > 0) {
      // no levels although there are lists: only possible when there are no rows
      if (bytes.page().length() > 0) {
        throw new CorruptFileException(
            bytes.file().path(), -1, "levels of " + bytes.where(), "some", "none");
      }
    }
  }

  /**
   * u32 number of buffers, u32 size of each, then offsets (2 × i32 or i64: 0 and length), bytes.
   */
  private ValueBlock variable(Bytes in) {
    int n = in.i32(0);
    if (n != 2) {
      throw new DecodeException(0, "buffers of the constant", 2, n);
    }
    long offsetBytes = in.u32(4);
    long size = in.u32(8);
    Bytes offsets = in.slice(12, offsetBytes, "offsets of the constant");
    Bytes data = in.slice(12 + offsetBytes, size, "bytes of the constant");
    long from;
    long to;
    if (offsetBytes == 8) {
      from = offsets.u32(0);
      to = offsets.u32(4);
    } else {
      from = offsets.i64(0);
      to = offsets.i64(8);
    }
    Bytes value = data.slice(from, to - from, "constant");
    ValueBlock block = new ValueBlock();
    block.count = 1;
    block.bits = 0;
    block.data = value.array();
    block.offsets = new int[] {value.offset(), value.offset() + value.length()};
    return block;
  }

  private @Nullable Levels levels() throws IOException {
    // buffers are [value] rep def; rep is the second last
    int repBuffer = bytes.page().buffers().size() - 2;
    Bytes rep = bytes.read(repBuffer);
    Bytes def = bytes.read(repBuffer + 1);
    if (rep.length() == 0 && def.length() == 0) {
      return null;
    }
    int reps = count(rep, layout.repCompression(), layout.numRepValues());
    int defs = count(def, layout.defCompression(), layout.numDefValues());
    if (reps != 0 && defs != 0 && reps != defs) {
      throw new DecodeException(-1, "levels", reps + " of both kinds", defs);
    }
    Levels all = new Levels();
    int n = Math.max(reps, defs);
    all.reserve(n);
    if (reps > 0) {
      decoder(layout.repCompression()).decode(rep, n, all.rep, 0);
    }
    if (defs > 0) {
      decoder(layout.defCompression()).decode(def, n, all.def, 0);
    }
    all.count = n;
    return all;
  }

  private int count(Bytes in, @Nullable CompressiveEncoding encoding, long promised) {
    if (in.length() == 0) {
      return 0;
    }
    long n = encoding == null ? in.length() / 2 : promised;
    // a run length of one byte stands for at most 255 levels, a packed one may take no bits at all
    if (n > bytes.page().length() + (long) in.length() * 2048) {
      throw new DecodeException(-1, "levels", "as many as the buffer could hold", n);
    }
    return Math.toIntExact(n);
  }

  private LevelDecoder decoder(@Nullable CompressiveEncoding encoding) throws IOException {
    return encoding == null
        ? LevelDecoder.flat()
        : new ValueDecoders(bytes.file().path(), bytes.where()).levels(encoding);
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
      Levels all = levels;
      if (all == null) {
        readUniform((int) count, into);
        return;
      }
      int from = lists == 0 ? Math.toIntExact(first) : entryOf(all, 0, first);
      int to = lists == 0 ? Math.toIntExact(first + count) : entryOf(all, from, count);
      if (to > all.count) {
        throw new DecodeException(-1, "entries", "at least " + to, all.count);
      }
      append(all, from, to, into);
    } catch (RuntimeException e) {
      throw translated(e);
    }
  }

  /** The entry at which the row begins that is {@code rows} rows after the one at {@code from}. */
  private int entryOf(Levels all, int from, long rows) {
    long left = rows;
    for (int i = from; i < all.count; i++) {
      if (all.rep[i] == lists && left-- == 0) {
        return i;
      }
    }
    if (left == 0) {
      return all.count;
    }
    throw new DecodeException(-1, "rows", rows, rows - left);
  }

  private void readUniform(int count, LeafRows into) {
    ValueBlock block = values;
    if (block != null) {
      repeat(block, count);
      into.appendValid(count, block, 0, null);
      return;
    }
    uniform.count = 0;
    uniform.reserve(count);
    // without a value every leaf is null, and null is the innermost level
    int level = map.isTrivial() ? 0 : 1;
    Arrays.fill(uniform.rep, 0, count, (short) 0);
    Arrays.fill(uniform.def, 0, count, (short) level);
    uniform.count = count;
    append(uniform, 0, count, into);
  }

  private void append(Levels from, int first, int last, LeafRows into) {
    ValueBlock block = values;
    if (block == null) {
      into.appendNulls(from, first, last, map);
      return;
    }
    repeat(block, last - first);
    into.append(from, first, last, map, block, 0, null);
  }

  /** Makes a block of at least {@code n} equal values. */
  private void repeat(ValueBlock block, int n) {
    byte[] one = fixed;
    if (one != null) {
      if (shape.itemBits() == 1 && shape.dimensions().isEmpty()) {
        byte[] bits = new byte[(n + 7) >>> 3];
        Arrays.fill(bits, (byte) (one.length > 0 && (one[0] & 1) != 0 ? -1 : 0));
        block.count = n;
        block.bits = 1;
        block.data = bits;
        block.dataOffset = 0;
      } else if (block.count < n) {
        new ConstantValues(one).decode(new Bytes[0], 0, Math.max(n, 1024), block);
      }
      return;
    }
    if (block.count >= n) {
      return;
    }
    int size = block.offsets[1] - block.offsets[0];
    int most = 1024; // ahead of need, but not of a long value
    int copies = Math.max(n, size == 0 ? most : Math.min(most, AHEAD_BYTES / size));
    byte[] data = new byte[Math.multiplyExact(size, copies)];
    int[] offsets = new int[copies + 1];
    System.arraycopy(block.data, block.offsets[0], data, 0, size);
    // what is filled is copied behind itself: 1, 2, 4 … values
    for (int filled = size; filled > 0 && filled < data.length; filled *= 2) {
      System.arraycopy(data, 0, data, filled, Math.min(filled, data.length - filled));
    }
    for (int i = 1; i <= copies; i++) {
      offsets[i] = i * size;
    }
    block.count = copies;
    block.data = data;
    block.offsets = offsets;
  }
}
