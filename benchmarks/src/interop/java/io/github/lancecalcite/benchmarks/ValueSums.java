package io.github.lancecalcite.benchmarks;

import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** What a consumer that looks at every value of a scan comes to: rows, nulls and wrapping sums. */
final class ValueSums {
  private long rows;
  private long nulls;
  private long sum;

  void add(VectorSchemaRoot batch) {
    rows += batch.getRowCount();
    for (FieldVector vector : batch.getFieldVectors()) {
      if (vector.getValueCount() != batch.getRowCount()) {
        throw new IllegalStateException(vector.getName() + " is shorter than its batch");
      }
      int missing = vector.getNullCount();
      nulls += missing;
      sum += vector instanceof BaseVariableWidthVector v ? strings(v) : fixed(vector, missing > 0);
    }
  }

  /** Every byte of each value, eight at a time, the last eight again, and all lengths. */
  private static long strings(BaseVariableWidthVector vector) {
    int count = vector.getValueCount();
    long ends = vector.getOffsetBuffer().memoryAddress();
    long data = vector.getDataBuffer().memoryAddress();
    long total = 0;
    long from = count == 0 ? 0 : data + MemoryUtil.getInt(ends);
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
    return total;
  }

  private static long fixed(FieldVector vector, boolean someNull) {
    int width = ((BaseFixedWidthVector) vector).getTypeWidth();
    long data = vector.getDataBuffer().memoryAddress();
    int count = vector.getValueCount();
    if (someNull) {
      return withNulls(vector, data, width, count);
    }
    long total = 0;
    if (width == Long.BYTES) {
      for (int i = 0; i < count; i++) {
        total += MemoryUtil.getLong(data + (long) i * Long.BYTES);
      }
    } else if (width == Integer.BYTES) {
      for (int i = 0; i < count; i++) {
        total += MemoryUtil.getInt(data + (long) i * Integer.BYTES);
      }
    } else {
      throw new IllegalStateException(vector.getField() + " of " + width + " bytes");
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
