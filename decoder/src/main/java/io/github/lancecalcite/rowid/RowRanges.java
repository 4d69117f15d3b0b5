package io.github.lancecalcite.rowid;

import java.util.Arrays;

/**
 * Half-open ranges of row positions, collected in ascending order; ranges that touch are merged.
 * Not safe for concurrent use while it grows.
 */
public final class RowRanges {
  /** No position. */
  public static final RowRanges NONE = new RowRanges();

  /** Start and end of range i at 2i and 2i + 1. */
  private long[] bounds = new long[8];

  private int count;
  private long rows;

  /** Adds {@code [start, end)}, which begins at or after the end of the range before. */
  void add(long start, long end) {
    if (start >= end) {
      return;
    }
    rows += end - start;
    if (count > 0 && bounds[2 * count - 1] == start) {
      bounds[2 * count - 1] = end;
      return;
    }
    if (2 * count == bounds.length) {
      bounds = Arrays.copyOf(bounds, bounds.length * 2);
    }
    bounds[2 * count] = start;
    bounds[2 * count + 1] = end;
    count++;
  }

  /** All positions {@code [0, length)}. */
  public static RowRanges all(long length) {
    RowRanges ranges = new RowRanges();
    ranges.add(0, length);
    return ranges;
  }

  /**
   * Positions whose bit is not set.
   *
   * @param bits bit p of the words belongs to position p; positions past them keep
   */
  public RowRanges without(long[] bits) {
    RowRanges kept = new RowRanges();
    for (int i = 0; i < count; i++) {
      long at = start(i);
      while (at < end(i)) {
        long stop = Math.min(next(bits, at, end(i), 0), end(i));
        kept.add(at, stop);
        at = next(bits, stop, end(i), -1L);
      }
    }
    return kept;
  }

  /** First position from {@code at} to {@code end} whose bit, xor the flip, is set; or the end. */
  private static long next(long[] bits, long at, long end, long flip) {
    long word = at >>> 6;
    long found = word < bits.length ? (bits[(int) word] ^ flip) & -1L << at : flip & -1L << at;
    while (found == 0) {
      word++;
      if (word << 6 >= end) {
        return end;
      }
      found = word < bits.length ? bits[(int) word] ^ flip : flip;
    }
    return Math.min(end, (word << 6) + Long.numberOfTrailingZeros(found));
  }

  /** The ranges {@code {start, end}}, which ascend and do not overlap. */
  public static RowRanges of(Iterable<long[]> ranges) {
    RowRanges result = new RowRanges();
    for (long[] range : ranges) {
      result.add(range[0], range[1]);
    }
    return result;
  }

  /** Positions of both. */
  public RowRanges intersect(RowRanges other) {
    RowRanges both = new RowRanges();
    int i = 0;
    int j = 0;
    while (i < count && j < other.count) {
      both.add(Math.max(start(i), other.start(j)), Math.min(end(i), other.end(j)));
      if (end(i) < other.end(j)) {
        i++;
      } else {
        j++;
      }
    }
    return both;
  }

  /** Number of ranges. */
  public int size() {
    return count;
  }

  public long start(int range) {
    return bounds[2 * range];
  }

  /** One past the last position. */
  public long end(int range) {
    return bounds[2 * range + 1];
  }

  /** Number of positions in all ranges. */
  public long rows() {
    return rows;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(i == 0 ? "[" : " [").append(start(i)).append(", ").append(end(i)).append(')');
    }
    return text.toString();
  }
}
