package io.github.lancecalcite.benchmarks;

import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/** What a consumer that looks at every value of a scan comes to: rows, nulls and wrapping sums. */
final class ValueSums {
  private long rows;
  private long nulls;
  private long sum;
  private long values;
  private long bytes;

  void add(VectorSchemaRoot batch) {
    rows += batch.getRowCount();
    for (FieldVector vector : batch.getFieldVectors()) {
      if (vector.getValueCount() != batch.getRowCount()) {
        throw new IllegalStateException(vector.getName() + " is shorter than its batch");
      }
      add(vector, 0, vector.getValueCount());
    }
  }

  /** Adds what another consumer saw. */
  void add(ValueSums other) {
    rows += other.rows;
    nulls += other.nulls;
    sum += other.sum;
    values += other.values;
    bytes += other.bytes;
  }

  /** Values of leaf columns. */
  long values() {
    return values;
  }

  /** Bytes that these values, their offsets and validity bits take in vectors. */
  long bytes() {
    return bytes;
  }

  private void add(FieldVector vector, int from, int count) {
    int missing = from == 0 && count == vector.getValueCount() ? vector.getNullCount() : 0;
    nulls += missing;
    bytes += count + 7 >> 3;
    if (vector instanceof StructVector struct) {
      struct.getChildrenFromFields().forEach(child -> add(child, from, count));
    } else if (vector instanceof FixedSizeListVector list) {
      int size = list.getListSize();
      add(list.getDataVector(), from * size, count * size);
    } else if (vector instanceof ListVector list) {
      long ends = list.getOffsetBuffer().memoryAddress();
      int first = MemoryUtil.getInt(ends + from * 4L);
      int last = MemoryUtil.getInt(ends + (from + count) * 4L);
      for (int i = from; i < from + count; i++) {
        sum += 31L * (MemoryUtil.getInt(ends + (i + 1) * 4L) - MemoryUtil.getInt(ends + i * 4L));
      }
      bytes += count * 4L;
      add(list.getDataVector(), first, last - first);
    } else {
      values += count;
      if (vector instanceof BaseVariableWidthVector text) {
        sum += strings(text, from, count);
      } else if (vector instanceof BitVector bits) {
        sum += bits(bits, from, count);
      } else {
        sum += fixed((BaseFixedWidthVector) vector, from, count, missing > 0);
      }
    }
  }

  /** Every byte of each value, eight at a time, the last eight again, and all lengths. */
  private long strings(BaseVariableWidthVector vector, int row, int count) {
    long ends = vector.getOffsetBuffer().memoryAddress() + row * 4L;
    long data = vector.getDataBuffer().memoryAddress();
    long total = 0;
    long start = count == 0 ? 0 : data + MemoryUtil.getInt(ends);
    long from = start;
    for (int i = 0; i < count; i++) {
      long to = data + MemoryUtil.getInt(ends + (i + 1L) * Integer.BYTES);
      total += to - from;
      if (to - from >= Long.BYTES) {
        for (; from + Long.BYTES < to; from += Long.BYTES) {
          total += MemoryUtil.getLong(from);
        }
        total += MemoryUtil.getLong(to - Long.BYTES);
      } else {
        for (; from < to; from++) {
          total += MemoryUtil.getByte(from);
        }
      }
      from = to;
    }
    bytes += from - start + count * 4L;
    return total;
  }

  private long bits(BitVector vector, int row, int count) {
    long data = vector.getDataBuffer().memoryAddress();
    long total = 0;
    for (int i = row; i < row + count; i++) {
      total += (MemoryUtil.getByte(data + (i >> 3)) >> (i & 7) & 1) * (i + 1L);
    }
    bytes += count + 7 >> 3;
    return total;
  }

  private long fixed(BaseFixedWidthVector vector, int row, int count, boolean someNull) {
    int width = vector.getTypeWidth();
    long data = vector.getDataBuffer().memoryAddress() + (long) row * width;
    bytes += (long) count * width;
    if (someNull) {
      return withNulls(vector, data, width, count);
    }
    long total = 0;
    switch (width) {
      case 1 -> {
        for (int i = 0; i < count; i++) {
          total += MemoryUtil.getByte(data + i);
        }
      }
      case 2 -> {
        for (int i = 0; i < count; i++) {
          total += MemoryUtil.getShort(data + i * 2L);
        }
      }
      case 4 -> {
        for (int i = 0; i < count; i++) {
          total += MemoryUtil.getInt(data + i * 4L);
        }
      }
      case 8, 16 -> {
        long longs = count * (width / 8L);
        for (long i = 0; i < longs; i++) {
          total += MemoryUtil.getLong(data + i * 8L);
        }
      }
      default -> throw new IllegalStateException(vector.getField() + " of " + width + " bytes");
    }
    return total;
  }

  /** What lies in the place of a null is nobody's business. */
  private static long withNulls(FieldVector vector, long data, int width, int count) {
    if (width != Long.BYTES) {
      throw new IllegalStateException(vector.getField() + " of " + width + " bytes with nulls");
    }
    long bits = vector.getValidityBuffer().memoryAddress();
    long total = 0;
    for (int i = 0; i < count; i++) {
      long valid = MemoryUtil.getByte(bits + (i >> 3)) >> (i & 7) & 1;
      total += MemoryUtil.getLong(data + (long) i * Long.BYTES) & -valid;
    }
    return total;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ValueSums sums
        && rows == sums.rows
        && nulls == sums.nulls
        && sum == sums.sum;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(rows * 31 + sum);
  }

  @Override
  public String toString() {
    return rows + " rows, " + nulls + " nulls, sum " + sum;
  }
}
