package io.github.lancecalcite.varlena;

import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;

/** Appends to vectors of fixed width, whole bytes or single bits. */
final class FixedEngine implements UnionEngine {
  private final BaseFixedWidthVector to;

  /** Bytes of a value; 0 for single bits. */
  private final int width;

  FixedEngine(BaseFixedWidthVector to) {
    this.to = to;
    this.width = to.getTypeWidth();
  }

  private long bytes(long rows) {
    return width == 0 ? rows + 7 >>> 3 : rows * width;
  }

  private int reserve(int count) {
    int before = to.getValueCount();
    int after = OwnBuffers.rows(before, count);
    OwnBuffers.checkBytes(0, bytes(after), OwnBuffers.MAX_BYTES);
    OwnBuffers.reserve(
        to,
        new long[] {before + 7L >>> 3, bytes(before)},
        new long[] {after + 7L >>> 3, bytes(after)});
    return before;
  }

  private void checkValues(FieldVector source, long end) {
    if (bytes(end) > source.getDataBuffer().capacity()) {
      throw new IndexOutOfBoundsException(
          "values of " + source.getDataBuffer().capacity() + " bytes, asked for " + bytes(end));
    }
  }

  @Override
  public void append(FieldVector source, int offset, int count) {
    checkValues(source, (long) offset + count);
    int nulls = Rows.nulls(Rows.validity(source), offset, count);
    int at = reserve(count);
    // after the reservation: the source may be the destination, whose memory has moved
    long in = source.getDataBuffer().memoryAddress();
    long out = to.getDataBuffer().memoryAddress();
    if (width == 0) {
      BitRuns.copy(in, offset, out, at, count);
    } else {
      MemoryUtil.copyMemory(in + bytes(offset), out + bytes(at), bytes(count));
    }
    long bits = to.getValidityBuffer().memoryAddress();
    Rows.copyValidity(Rows.validity(source), offset, bits, at, count, nulls);
    to.setValueCount(at + count);
  }

  @Override
  public void append(FieldVector source, Selection rows) {
    int count = rows.count();
    checkValues(source, rows.highest() + 1L);
    int at = reserve(count);
    long in = source.getDataBuffer().memoryAddress();
    long out = to.getDataBuffer().memoryAddress();
    switch (width) {
      case 0 -> {
        BitRuns.fill(out, at, count, true);
        for (int i = 0; i < count; i++) {
          if (!BitRuns.get(in, rows.row(i))) {
            BitRuns.clear(out, (long) at + i);
          }
        }
      }
      case 4 -> {
        for (int i = 0; i < count; i++) {
          MemoryUtil.putInt(out + (at + i) * 4L, MemoryUtil.getInt(in + rows.row(i) * 4L));
        }
      }
      case 8 -> {
        for (int i = 0; i < count; i++) {
          MemoryUtil.putLong(out + (at + i) * 8L, MemoryUtil.getLong(in + rows.row(i) * 8L));
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          MemoryUtil.copyMemory(in + bytes(rows.row(i)), out + bytes(at + i), width);
        }
      }
    }
    rows.writeValidity(to.getValidityBuffer().memoryAddress(), at);
    to.setValueCount(at + count);
  }

  @Override
  public void repeat(FieldVector source, int row, int count) {
    checkValues(source, row + 1L);
    boolean valid = Rows.isValid(Rows.validity(source), row);
    int at = reserve(count);
    long in = source.getDataBuffer().memoryAddress();
    long out = to.getDataBuffer().memoryAddress();
    if (width == 0) {
      BitRuns.fill(out, at, count, valid && BitRuns.get(in, row));
    } else if (!valid) {
      MemoryUtil.setMemory(out + bytes(at), bytes(count), (byte) 0);
    } else {
      MemoryUtil.copyMemory(in + bytes(row), out + bytes(at), width);
      Doubling.fill(out + bytes(at), width, bytes(count));
    }
    BitRuns.fill(to.getValidityBuffer().memoryAddress(), at, count, valid);
    to.setValueCount(at + count);
  }
}
