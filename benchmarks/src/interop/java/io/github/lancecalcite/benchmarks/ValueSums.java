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
    this.bytes += (long) count * width;
    if (someNull) {
      return withNulls(vector, data, width, count);
    }
    long bytes = (long) count * width;
    return switch (width) {
      case 1 -> lanes(data, bytes, 8, 0x00ff00ff00ff00ffL);
      case 2 -> lanes(data, bytes, 16, 0x0000ffff0000ffffL);
      case 4 -> lanes(data, bytes, 32, 0x00000000ffffffffL);
      case 8, 16 -> longs(data, bytes / 8);
      default -> throw new IllegalStateException(vector.getField() + " of " + width + " bytes");
    };
  }

  private static long longs(long data, long count) {
    long total = 0;
    for (long i = 0; i < count; i++) {
      total += MemoryUtil.getLong(data + i * 8L);
    }
    return total;
  }

  /**
   * The sum of unsigned values of 8, 16 or 32 bits, eight bytes at a time, as processors with wide
   * registers do it.
   *
   * @param mask every other value of a word: each sum has twice a value's bits
   */
  private static long lanes(long data, long bytes, int bits, long mask) {
    long total = 0;
    long from = data;
    long end = data + bytes;
    // so many words at once that a sum does not run over: each adds two values to it
    long most = 8L * Math.min(1 << 20, 1L << bits - 1);
    while (end - from >= 8) {
      long stop = from + Math.min(most, end - from & -8L);
      long sums = 0;
      for (; from < stop; from += 8) {
        long word = MemoryUtil.getLong(from);
        sums += (word & mask) + (word >>> bits & mask);
      }
      if (bits == 32) {
        total += sums;
        continue;
      }
      long sumMask = (1L << 2 * bits) - 1;
      for (int at = 0; at < Long.SIZE; at += 2 * bits) {
        total += sums >>> at & sumMask;
      }
    }
    for (; from < end; from += bits / 8) {
      total +=
          switch (bits) {
            case 8 -> MemoryUtil.getByte(from) & 0xff;
            case 16 -> MemoryUtil.getShort(from) & 0xffff;
            default -> MemoryUtil.getInt(from) & 0xffffffffL;
          };
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
