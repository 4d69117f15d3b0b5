package io.github.lancecalcite.dataset;

import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.encoding.Bytes;
import io.github.lancecalcite.encoding.ValueBlock;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.jspecify.annotations.Nullable;

/**
 * Gathers decoded values of one leaf and makes a vector of them. Nulls have a slot like any value;
 * which ones they are is said at the end. Close it in any case.
 */
final class LeafBuilder implements AutoCloseable {
  /** What a file only promises is not allocated beforehand. */
  private static final long MAX_INITIAL_BYTES = 64L << 20;

  private final BufferAllocator allocator;
  private final LeafShape shape;
  private final int items;
  private final GrowingBuffer data;
  private final @Nullable GrowingBuffer offsets;

  /** Validity of the items of each list level, or null while all are valid. */
  private final @Nullable GrowingBuffer[] itemValidity;

  private int count;

  LeafBuilder(LeafShape shape, BufferAllocator allocator, int expected) {
    this.allocator = allocator;
    this.shape = shape;
    this.items = shape.itemsPerValue();
    this.itemValidity = new GrowingBuffer[shape.dimensions().size()];
    boolean variable = shape.kind() == LeafShape.Kind.VARIABLE;
    long bytes = variable ? expected * 16L : ((long) expected * items * shape.itemBits() + 7) >>> 3;
    this.data = new GrowingBuffer(allocator, Math.min(bytes, MAX_INITIAL_BYTES));
    GrowingBuffer ends = null;
    try {
      if (variable) {
        long size = (expected + 1L) * (shape.large() ? 8 : 4);
        ends = new GrowingBuffer(allocator, Math.min(size, MAX_INITIAL_BYTES));
        appendEnd(ends, 0);
      }
    } catch (RuntimeException | Error e) {
      data.close();
      throw e;
    }
    this.offsets = ends;
  }

  /** Number of values. */
  int count() {
    return count;
  }

  /** Appends values {@code [from, from + n)} of a block. */
  void append(ValueBlock block, int from, int n) {
    if (n == 0) {
      return;
    }
    switch (shape.kind()) {
      case FIXED -> appendFixed(block, from, n);
      case VARIABLE -> appendVariable(block, from, n);
      case NONE -> {}
    }
    count += n;
  }

  /**
   * Appends chosen values of a block, in any order.
   *
   * @param chosen the first {@code n} are their numbers, which exist; below 0 stands for a value of
   *     no bytes (variable) or zero bytes (fixed)
   */
  void appendChosen(ValueBlock block, int[] chosen, int n) {
    long width = (long) shape.itemBits() * items;
    if (shape.kind() == LeafShape.Kind.VARIABLE && block.bits == 0) {
      chosenVariable(block, chosen, n);
      count += n;
    } else if (shape.kind() == LeafShape.Kind.FIXED
        && itemValidity.length == 0
        && block.bits == width
        && (width & 7) == 0) {
      chosenFixed(block, (int) (width >>> 3), chosen, n);
      count += n;
    } else {
      for (int i = 0; i < n; i++) {
        if (chosen[i] < 0) {
          appendZero(1);
        } else {
          append(block, chosen[i], 1);
        }
      }
    }
  }

  private void chosenFixed(ValueBlock block, int bytes, int[] chosen, int n) {
    long out = data.claim((long) n * bytes);
    for (int i = 0; i < n; i++, out += bytes) {
      if (chosen[i] < 0) {
        MemoryUtil.setMemory(out, bytes, (byte) 0);
      } else if (bytes == 2 * Long.BYTES) {
        ShortCopies.copy16(block.data, block.dataOffset + chosen[i] * (2 * Long.BYTES), out);
      } else {
        ShortCopies.copy(block.data, block.dataOffset + chosen[i] * bytes, out, bytes);
      }
    }
  }

  private void chosenVariable(ValueBlock block, int[] chosen, int n) {
    int[] ends = block.offsets;
    long size = 0;
    for (int i = 0; i < n; i++) {
      size += chosen[i] < 0 ? 0 : ends[chosen[i] + 1] - ends[chosen[i]];
    }
    long end = data.bytes();
    if (!shape.large()) {
      Math.toIntExact(end + size);
    }
    long out = data.claim(size);
    long outEnds = offsets().claim((long) n * (shape.large() ? 8 : 4));
    for (int i = 0; i < n; i++) {
      if (chosen[i] >= 0) {
        int from = ends[chosen[i]];
        int length = ends[chosen[i] + 1] - from;
        ShortCopies.copy(block.data, from, out, length);
        out += length;
        end += length;
      }
      if (shape.large()) {
        MemoryUtil.putLong(outEnds + i * 8L, end);
      } else {
        MemoryUtil.putInt(outEnds + i * 4L, (int) end);
      }
    }
  }

  private void appendFixed(ValueBlock block, int from, int n) {
    long width = (long) shape.itemBits() * items;
    if (width == 1 && block.bits == 8) {
      data.appendBytesAsBits(block.data, block.dataOffset + from, n);
      return; // a boolean of full-zip
    }
    if (block.bits != width) {
      throw new DecodeException(-1, "width of values", width + " bits", block.bits);
    }
    if ((width & 7) == 0) {
      int bytes = (int) (width >>> 3);
      data.append(
          block.data,
          Math.addExact(block.dataOffset, Math.multiplyExact(from, bytes)),
          Math.multiplyExact(n, bytes));
    } else {
      data.appendBits(block.data, block.dataOffset * 8L + from * width, n * width);
    }
    appendItemValidity(block, from, n);
  }

  private void appendItemValidity(ValueBlock block, int from, int n) {
    if (itemValidity.length == 0) {
      return;
    }
    int product = 1;
    for (int level = 0; level < itemValidity.length; level++) {
      product *= shape.dimensions().get(level);
      Bytes bits = level < block.itemValidity.length ? block.itemValidity[level] : null;
      GrowingBuffer validity = itemValidity[level];
      if (bits == null && validity == null) {
        continue;
      }
      if (validity == null) {
        validity = new GrowingBuffer(allocator, 64);
        itemValidity[level] = validity;
        validity.appendBits(true, (long) count * product);
      }
      if (bits == null) {
        validity.appendBits(true, (long) n * product);
      } else {
        validity.appendBits(
            bits.array(), bits.offset() * 8L + (long) from * product, (long) n * product);
      }
    }
  }

  private void appendVariable(ValueBlock block, int from, int n) {
    if (block.bits != 0) {
      throw new DecodeException(-1, "values", "variable width", block.bits + " bits each");
    }
    GrowingBuffer ends = offsets();
    int start = block.offsets[from];
    int end = block.offsets[from + n];
    long base = data.bytes() - start;
    data.append(block.data, start, end - start);
    ends.appendEnds(block.offsets, from + 1, n, base, shape.large());
  }

  /** Appends {@code n} values of no bytes (variable) or zero bytes (fixed). */
  void appendZero(int n) {
    if (n == 0) {
      return;
    }
    switch (shape.kind()) {
      case FIXED -> {
        data.appendBits(false, (long) n * shape.itemBits() * items);
        for (int level = 0, product = 1; level < itemValidity.length; level++) {
          product *= shape.dimensions().get(level);
          GrowingBuffer validity = itemValidity[level];
          if (validity != null) {
            validity.appendBits(true, (long) n * product);
          }
        }
      }
      case VARIABLE -> {
        for (int i = 0; i < n; i++) {
          appendEnd(offsets(), data.bytes());
        }
      }
      case NONE -> {}
    }
    count += n;
  }

  private GrowingBuffer offsets() {
    GrowingBuffer ends = offsets;
    if (ends == null) {
      throw new DecodeException(-1, "values", "fixed width", "variable width");
    }
    return ends;
  }

  private void appendEnd(GrowingBuffer ends, long end) {
    if (shape.large()) {
      ends.appendLong(end);
    } else {
      ends.appendInt(Math.toIntExact(end));
    }
  }

  /**
   * Fills a vector of the leaf's field, which owns the memory afterwards.
   *
   * @param validity bit i: value i is valid; null when all are
   */
  void finish(FieldVector vector, long @Nullable [] validity) {
    if (shape.kind() == LeafShape.Kind.NONE) {
      vector.setValueCount(count);
      return;
    }
    load(vector, 0, count, ValidityBuffers.of(validity, count, allocator));
  }

  private void load(FieldVector vector, int level, int n, ArrowBuf validity) {
    List<ArrowBuf> buffers = new ArrayList<>(3);
    buffers.add(validity);
    try {
      if (level < itemValidity.length) {
        vector.loadFieldBuffers(new ArrowFieldNode(n, -1), buffers);
        int below = Math.multiplyExact(n, shape.dimensions().get(level));
        GrowingBuffer bits = itemValidity[level];
        ArrowBuf itemBits = bits == null ? ValidityBuffers.of(null, below, allocator) : bits.take();
        load(vector.getChildrenFromFields().get(0), level + 1, below, itemBits);
        return;
      }
      if (offsets != null) {
        buffers.add(offsets.take());
      }
      buffers.add(data.take());
      vector.loadFieldBuffers(new ArrowFieldNode(n, -1), buffers);
    } finally {
      buffers.forEach(ArrowBuf::close);
    }
  }

  @Override
  public void close() {
    data.close();
    if (offsets != null) {
      offsets.close();
    }
    for (GrowingBuffer bits : itemValidity) {
      if (bits != null) {
        bits.close();
      }
    }
  }
}
