package io.github.lancecalcite.rowid;

import java.util.Arrays;

/**
 * Half-open ranges of row positions, collected in ascending order; ranges that touch are merged.
 * Not safe for concurrent use while it grows.
 */
public final class RowRanges {
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
