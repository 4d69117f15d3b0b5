package io.github.lancecalcite.varlena;

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

  private static void checkOffsets(FieldVector source, boolean large, long rows) {
    long there = source.getOffsetBuffer().capacity() / (large ? 8 : 4);
    if (there < rows + 1) {
      throw new IndexOutOfBoundsException("offsets: " + there + ", asked for " + (rows + 1));
    }
  }

  private void checkSpan(FieldVector source, long first, long last) {
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
      int[] rows = new int[count];
      for (int i = 0; i < count; i++) {
        rows[i] = offset + i;
      }
      append(source, rows, 0, count);
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
  public void append(FieldVector source, int[] rows, int from, int count) {
    long base = end();
    long bytes = selectedBytes(source, rows, from, count);
    int at = reserve(count, base, bytes);
    long ends = source.getOffsetBuffer().memoryAddress();
    long validity = Rows.validity(source);
    long data = source.getDataBuffer().memoryAddress();
    long out = to.getDataBuffer().memoryAddress();
    long outEnds = offsetAddress(at + 1L);
    long end = base;
    int i = 0;
    while (i < count) {
      int row = rows[from + i];
      if (!Rows.isValid(validity, row)) {
        Offsets.put(outEnds, large, i++, end);
        continue;
      }
      // neighbours in the source are copied in one go
      int n = 1;
      while (i + n < count && rows[from + i + n] == row + n && Rows.isValid(validity, row + n)) {
        n++;
      }
      long start = Offsets.get(ends, large, row);
      long length = Offsets.get(ends, large, (long) row + n) - start;
      ShortCopies.copy(data + start, out + end, length);
      long rowEnds = ends + (row + 1L) * offsetBytes;
      Offsets.rebase(rowEnds, outEnds + (long) i * offsetBytes, large, n, end - start);
      end += length;
      i += n;
    }
    Rows.gatherValidity(validity, rows, from, count, to.getValidityBuffer().memoryAddress(), at);
    publish(at + count);
  }

  /** Bytes of the selected rows that are not null, each checked; repeats count again. */
  private long selectedBytes(FieldVector source, int[] rows, int from, int count) {
    long validity = Rows.validity(source);
    long capacity = source.getDataBuffer().capacity();
    long there = source.getOffsetBuffer().capacity() / offsetBytes;
    long ends = source.getOffsetBuffer().memoryAddress();
    long bytes = 0;
    for (int i = from; i < from + count; i++) {
      int row = rows[i];
      if (!Rows.isValid(validity, row)) {
        continue; // whatever its offsets say
      }
      if (row + 1L >= there) {
        checkOffsets(source, large, row + 1L);
      }
      long first = Offsets.get(ends, large, row);
      long last = Offsets.get(ends, large, row + 1L);
      if (first < 0 || last < first || last > capacity) {
        checkSpan(source, first, last);
      }
      bytes += last - first;
      if (bytes < 0) {
        throw new OversizedAllocationException("more selected bytes than a long counts");
      }
    }
    return bytes;
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
