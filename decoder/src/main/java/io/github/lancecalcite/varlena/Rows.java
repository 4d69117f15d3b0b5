package io.github.lancecalcite.varlena;

import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;

/** Source rows of an append: their validity, read with all the guards it needs. */
final class Rows {
  private Rows() {}

  /** Address of the validity bits, or 0 when every row is valid because there are none. */
  static long validity(FieldVector vector) {
    ArrowBuf bits = vector.getValidityBuffer();
    return bits.capacity() == 0 ? 0 : bits.memoryAddress();
  }

  static boolean isValid(long validity, int row) {
    return validity == 0 || BitRuns.get(validity, row);
  }

  /** Number of nulls in a range. */
  static int nulls(long validity, int offset, int count) {
    return validity == 0 ? 0 : count - (int) BitRuns.count(validity, offset, count);
  }

  /** Writes the validity of a range of source rows behind a destination's rows. */
  static void copyValidity(long validity, int offset, long to, int at, int count, int nulls) {
    if (nulls == 0) {
      BitRuns.fill(to, at, count, true);
    } else {
      BitRuns.copy(validity, offset, to, at, count);
    }
  }

  /** All ones for a valid row, 0 for a null. */
  static long mask(long validity, int row) {
    return validity == 0 ? -1 : -(MemoryUtil.getByte(validity + (row >>> 3)) >>> (row & 7) & 1L);
  }

  static void check(FieldVector source, int offset, int count) {
    Objects.checkFromIndexSize(offset, count, source.getValueCount());
    long bits = source.getValidityBuffer().capacity() * 8;
    if (count > 0 && bits != 0 && bits < (long) offset + count) {
      throw new IndexOutOfBoundsException(
          "validity of " + bits + " rows, asked for " + ((long) offset + count));
    }
  }
}
