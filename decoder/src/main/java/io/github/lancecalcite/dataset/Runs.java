package io.github.lancecalcite.dataset;

import java.util.Arrays;

/**
 * Runs of consecutive rows of a vector, ascending: which rows to keep. Runs that touch are one run;
 * empty runs do not occur. Unit: rows of that vector.
 */
final class Runs {
  private int[] starts = new int[16];
  private int[] lengths = new int[16];
  private int count;
  private int rows;

  /** The set bits of {@code words} in {@code [0, rowCount)}, least significant bit first. */
  static Runs ofBits(long[] words, int rowCount) {
    Runs runs = new Runs();
    int row = 0;
    while (row < rowCount) {
      int start = next(words, row, rowCount, 0L);
      int end = next(words, start, rowCount, -1L);
      if (end > start) {
        runs.add(start, end - start);
      }
      row = end;
    }
    return runs;
  }

  /** First row at or after {@code row} whose bit differs from those of {@code same}, or the end. */
  private static int next(long[] words, int row, int rowCount, long same) {
    if (row >= rowCount) {
      return rowCount;
    }
    int word = row >>> 6;
    long bits = (words[word] ^ same) & (-1L << row);
    int last = (rowCount - 1) >>> 6;
    while (bits == 0) {
      if (word == last) {
        return rowCount;
      }
      bits = words[++word] ^ same;
    }
    return Math.min(rowCount, (word << 6) + Long.numberOfTrailingZeros(bits));
  }

  /** Appends a run that begins at or after the end of the last one. */
  void add(int start, int length) {
    if (length == 0) {
      return;
    }
    rows = Math.addExact(rows, length);
    if (count > 0 && starts[count - 1] + lengths[count - 1] == start) {
      lengths[count - 1] += length;
      return;
    }
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, count * 2);
      lengths = Arrays.copyOf(lengths, count * 2);
    }
    starts[count] = start;
    lengths[count] = length;
    count++;
  }

  /** Every row of every run. */
  int[] toRows() {
    int[] all = new int[rows];
    int at = 0;
    for (int i = 0; i < count; i++) {
      for (int row = starts[i]; row < starts[i] + lengths[i]; row++) {
        all[at++] = row;
      }
    }
    return all;
  }

  /** Number of runs. */
  int count() {
    return count;
  }

  /** Rows in all runs. */
  int rows() {
    return rows;
  }

  int start(int run) {
    return starts[run];
  }

  int length(int run) {
    return lengths[run];
  }
}
