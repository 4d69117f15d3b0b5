package io.github.lancecalcite.varlena;

import java.util.Objects;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/**
 * Selected rows of a source vector, in any order, repeats allowed: checked, and their validity
 * gathered once, so that the passes over the values read it in order.
 */
final class Selection {
  private final int[] rows;
  private final int from;
  private final int count;
  private final int highest;

  /** One bit a row, set when it is valid; null when all are. */
  private final long @Nullable [] valid;

  /**
   * Selects rows {@code rows[from .. from + count)}.
   *
   * @throws IndexOutOfBoundsException if one of them is not a row of the source
   */
  Selection(FieldVector source, int[] rows, int from, int count) {
    Objects.checkFromIndexSize(from, count, rows.length);
    int least = 0;
    int most = -1;
    for (int i = from; i < from + count; i++) {
      least = Math.min(least, rows[i]);
      most = Math.max(most, rows[i]);
    }
    if (count > 0) {
      Objects.checkIndex(least < 0 ? least : most, source.getValueCount());
    }
    Rows.check(source, 0, most + 1);
    this.rows = rows;
    this.from = from;
    this.count = count;
    this.highest = most;
    long validity = Rows.validity(source);
    this.valid = validity == 0 ? null : gather(validity);
  }

  /** Selects the rows {@code [offset, offset + count)}. */
  static Selection range(FieldVector source, int offset, int count) {
    int[] rows = new int[count];
    for (int i = 0; i < count; i++) {
      rows[i] = offset + i;
    }
    return new Selection(source, rows, 0, count);
  }

  /** Without a branch on the bits, whose order no processor can foretell. */
  private long[] gather(long validity) {
    long[] words = new long[count + 63 >>> 6];
    for (int w = 0; w < words.length; w++) {
      int start = from + (w << 6);
      int n = Math.min(64, from + count - start);
      long bits = 0;
      for (int i = 0; i < n; i++) {
        int row = rows[start + i];
        bits |= (MemoryUtil.getByte(validity + (row >>> 3)) >>> (row & 7) & 1L) << i;
      }
      words[w] = bits;
    }
    return words;
  }

  int count() {
    return count;
  }

  /** The highest row; −1 when none is selected. */
  int highest() {
    return highest;
  }

  /** The row selected in some place. */
  int row(int i) {
    return rows[from + i];
  }

  boolean isValid(int i) {
    return mask(i) != 0;
  }

  /** All ones for a valid row, 0 for a null. */
  long mask(int i) {
    return valid == null ? -1 : -(valid[i >>> 6] >>> i & 1);
  }

  /** Writes the validity of all rows behind a destination's rows. */
  void writeValidity(long to, int at) {
    if (valid == null) {
      BitRuns.fill(to, at, count, true);
    } else {
      BitRuns.put(valid, to, at, count);
    }
  }
}
