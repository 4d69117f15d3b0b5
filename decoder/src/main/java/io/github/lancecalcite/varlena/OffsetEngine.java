package io.github.lancecalcite.varlena;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VariableWidthFieldVector;
import org.apache.arrow.vector.util.OversizedAllocationException;

/**
 * Appends to VarChar and VarBinary vectors (32-bit offsets) and their large kin (64-bit).
 *
 * <p>A range is one copy of the bytes between its first and last offset, one pass that rebases the
 * offsets, and a copy of validity bits. Bytes that null rows own travel along, unless they are most
 * of the range.
 */
final class OffsetEngine implements UnionEngine {
  /** Dead bytes that a range may carry whatever its size. */
  private static final long FEW_BYTES = 4096;

  private final VariableWidthFieldVector to;
  private final boolean large;
  private final int offsetBytes;
  private final long mostBytes;

  OffsetEngine(VariableWidthFieldVector to, boolean large) {
    this.to = to;
    this.large = large;
    this.offsetBytes = large ? 8 : 4;
    this.mostBytes = large ? Long.MAX_VALUE : OwnBuffers.MAX_BYTES;
  }

  static void checkOffsets(FieldVector source, boolean large, long rows) {
    long there = source.getOffsetBuffer().capacity() / (large ? 8 : 4);
    if (there < rows + 1) {
      throw new IndexOutOfBoundsException("offsets: " + there + ", asked for " + (rows + 1));
    }
  }

  static void checkSpan(FieldVector source, long first, long last) {
    long capacity = source.getDataBuffer().capacity();
    if (first < 0 || last < first || last > capacity) {
      throw new IndexOutOfBoundsException(
          "values [" + first + ", " + last + ") of " + capacity + " bytes");
    }
  }

  /** End of the destination's values; its offset buffer may have no entry yet. */
  private long end() {
    int rows = to.getValueCount();
    return rows == 0 ? 0 : Offsets.get(to.getOffsetBuffer().memoryAddress(), large, rows);
  }

  /** Makes room for rows and bytes; returns the first free row. */
  private int reserve(int count, long base, long bytes) {
    int before = to.getValueCount();
    int after = OwnBuffers.rows(before, count);
    OwnBuffers.checkBytes(base, bytes, mostBytes);
    OwnBuffers.reserve(
        to,
        new long[] {before + 7L >>> 3, before == 0 ? 0 : (before + 1L) * offsetBytes, base},
        new long[] {after + 7L >>> 3, (after + 1L) * offsetBytes, base + bytes});
    if (before == 0) {
      Offsets.put(to.getOffsetBuffer().memoryAddress(), large, 0, 0);
    }
    return before;
  }

  private void publish(int rows) {
    // otherwise setValueCount takes the rows behind the last one set for holes, and empties them
    to.setLastSet(rows - 1);
    to.setValueCount(rows);
  }

  private long offsetAddress(long row) {
    return to.getOffsetBuffer().memoryAddress() + row * offsetBytes;
  }

  @Override
  public void append(FieldVector source, int offset, int count) {
    checkOffsets(source, large, (long) offset + count);
    long ends = source.getOffsetBuffer().memoryAddress();
    long first = Offsets.get(ends, large, offset);
    long last = Offsets.get(ends, large, (long) offset + count);
    long base = end();
    if (first <= last) {
      OwnBuffers.checkBytes(base, last - first, mostBytes);
    }
    checkSpan(source, first, last);
    long validity = Rows.validity(source);
    int nulls = Rows.nulls(validity, offset, count);
    if (nulls > 0 && isMostlyDead(ends, validity, offset, count, last - first)) {
      append(source, Selection.range(source, offset, count));
      return;
    }
    int at = reserve(count, base, last - first);
    // addresses only now: the source may be the destination, whose memory has moved
    long bytes = source.getDataBuffer().memoryAddress() + first;
    MemoryUtil.copyMemory(bytes, to.getDataBuffer().memoryAddress() + base, last - first);
    long from = source.getOffsetBuffer().memoryAddress() + (offset + 1L) * offsetBytes;
    Offsets.rebase(from, offsetAddress(at + 1L), large, count, base - first);
    long bits = to.getValidityBuffer().memoryAddress();
    Rows.copyValidity(Rows.validity(source), offset, bits, at, count, nulls);
    publish(at + count);
  }

  private boolean isMostlyDead(long ends, long validity, int offset, int count, long live) {
    if (live <= FEW_BYTES) {
      return false;
    }
    long dead = 0;
    for (int row = offset; row < offset + count; row++) {
      if (!BitRuns.get(validity, row)) {
        dead += Offsets.get(ends, large, row + 1L) - Offsets.get(ends, large, row);
      }
    }
    return dead > live / 2;
  }

  @Override
  public void append(FieldVector source, Selection rows) {
    long base = end();
    OffsetSelection selection = new OffsetSelection(source, large, rows);
    int at = reserve(rows.count(), base, selection.bytes());
    // what the source's addresses are now: it may be the destination, whose memory has moved
    ArrowBuf data = to.getDataBuffer();
    selection.copy(data.memoryAddress(), data.capacity(), offsetAddress(at + 1L), base);
    rows.writeValidity(to.getValidityBuffer().memoryAddress(), at);
    publish(at + rows.count());
  }

  @Override
  public void repeat(FieldVector source, int row, int count) {
    long first = 0;
    long length = 0;
    boolean valid = Rows.isValid(Rows.validity(source), row);
    if (valid) {
      checkOffsets(source, large, row + 1L);
      long ends = source.getOffsetBuffer().memoryAddress();
      first = Offsets.get(ends, large, row);
      long last = Offsets.get(ends, large, row + 1L);
      checkSpan(source, first, last);
      length = last - first;
    }
    long base = end();
    if (length > Long.MAX_VALUE / count) {
      throw new OversizedAllocationException(count + " times " + length + " bytes");
    }
    int at = reserve(count, base, length * count);
    if (length > 0) {
      long out = to.getDataBuffer().memoryAddress() + base;
      MemoryUtil.copyMemory(source.getDataBuffer().memoryAddress() + first, out, length);
      Doubling.fill(out, length, length * count);
    }
    Offsets.ramp(offsetAddress(at + 1L), large, count, base, length);
    BitRuns.fill(to.getValidityBuffer().memoryAddress(), at, count, valid);
    publish(at + count);
  }
}
