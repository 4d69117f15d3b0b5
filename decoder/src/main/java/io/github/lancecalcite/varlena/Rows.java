package io.github.lancecalcite.varlena;

import org.apache.arrow.memory.ArrowBuf;
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

  /** Writes the validity of selected source rows behind a destination's rows. */
  static void gatherValidity(long validity, int[] rows, int from, int count, long to, int at) {
    BitRuns.fill(to, at, count, true);
    if (validity == 0) {
      return;
    }
    for (int i = 0; i < count; i++) {
      if (!BitRuns.get(validity, rows[from + i])) {
        BitRuns.clear(to, (long) at + i);
      }
    }
  }

  static void check(FieldVector source, int offset, int count) {
    java.util.Objects.checkFromIndexSize(offset, count, source.getValueCount());
    long bits = source.getValidityBuffer().capacity() * 8;
    if (count > 0 && bits != 0 && bits < (long) offset + count) {
      throw new IndexOutOfBoundsException(
          "validity of " + bits + " rows, asked for " + ((long) offset + count));
    }
  }

  static void check(FieldVector source, int[] rows, int from, int count) {
    java.util.Objects.checkFromIndexSize(from, count, rows.length);
    int n = source.getValueCount();
    int most = -1;
    for (int i = from; i < from + count; i++) {
      most = Math.max(most, java.util.Objects.checkIndex(rows[i], n));
    }
    check(source, 0, most + 1);
  }
}
