package io.github.lancecalcite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A set of unsigned 64-bit values, held as sorted, disjoint, non-touching closed ranges. What a
 * predicate on a system column allows.
 */
public final class ValueRanges {
  /** Every value. */
  public static final ValueRanges ALL = new ValueRanges(new long[] {0}, new long[] {-1L});

  /** No value. */
  public static final ValueRanges NONE = new ValueRanges(new long[0], new long[0]);

  private final long[] lows;
  private final long[] highs;

  private ValueRanges(long[] lows, long[] highs) {
    this.lows = lows;
    this.highs = highs;
  }

  /**
   * One closed range.
   *
   * @param low least value, unsigned
   * @param high greatest value, unsigned; below {@code low} means no value
   */
  public static ValueRanges closed(long low, long high) {
    return Long.compareUnsigned(low, high) > 0
        ? NONE
        : new ValueRanges(new long[] {low}, new long[] {high});
  }

  /** These values, in any order, repeats allowed. */
  public static ValueRanges of(long... values) {
    List<long[]> ranges = new ArrayList<>(values.length);
    for (long value : values) {
      ranges.add(new long[] {value, value});
    }
    return normalise(ranges);
  }

  /** Values of either set. */
  public ValueRanges union(ValueRanges other) {
    List<long[]> ranges = new ArrayList<>(size() + other.size());
    addTo(ranges);
    other.addTo(ranges);
    return normalise(ranges);
  }

  /** Values of both sets. */
  public ValueRanges intersect(ValueRanges other) {
    List<long[]> ranges = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < size() && j < other.size()) {
      long low = maxUnsigned(lows[i], other.lows[j]);
      long high = minUnsigned(highs[i], other.highs[j]);
      if (Long.compareUnsigned(low, high) <= 0) {
        ranges.add(new long[] {low, high});
      }
      if (Long.compareUnsigned(highs[i], other.highs[j]) < 0) {
        i++;
      } else {
        j++;
      }
    }
    return normalise(ranges);
  }

  private void addTo(List<long[]> ranges) {
    for (int i = 0; i < lows.length; i++) {
      ranges.add(new long[] {lows[i], highs[i]});
    }
  }

  private static ValueRanges normalise(List<long[]> ranges) {
    ranges.sort(Comparator.comparing(r -> r[0], Long::compareUnsigned));
    long[] lows = new long[ranges.size()];
    long[] highs = new long[ranges.size()];
    int n = 0;
    for (long[] range : ranges) {
      // touching ranges merge: high + 1 cannot overflow here, since a high of 2^64 − 1 is merged
      // first
      boolean merges =
          n > 0 && (highs[n - 1] == -1L || Long.compareUnsigned(range[0], highs[n - 1] + 1) <= 0);
      if (merges) {
        highs[n - 1] = maxUnsigned(highs[n - 1], range[1]);
      } else {
        lows[n] = range[0];
        highs[n] = range[1];
        n++;
      }
    }
    return new ValueRanges(Arrays.copyOf(lows, n), Arrays.copyOf(highs, n));
  }

  /** Number of ranges. */
  public int size() {
    return lows.length;
  }

  /** Least value of range {@code i}, unsigned. */
  public long low(int i) {
    return lows[i];
  }

  /** Greatest value of range {@code i}, unsigned. */
  public long high(int i) {
    return highs[i];
  }

  public boolean isEmpty() {
    return lows.length == 0;
  }

  /** Whether every unsigned 64-bit value is in the set. */
  public boolean isAll() {
    return lows.length == 1 && lows[0] == 0 && highs[0] == -1L;
  }

  /** Whether the set holds this value. Logarithmic in {@link #size}. */
  public boolean contains(long value) {
    int low = 0;
    int high = lows.length - 1;
    while (low <= high) {
      int mid = (low + high) >>> 1;
      if (Long.compareUnsigned(value, lows[mid]) < 0) {
        high = mid - 1;
      } else if (Long.compareUnsigned(value, highs[mid]) > 0) {
        low = mid + 1;
      } else {
        return true;
      }
    }
    return false;
  }

  /** Whether any value of the closed range is in the set. */
  public boolean intersects(long low, long high) {
    int from = 0;
    int to = lows.length;
    while (from < to) { // first range that ends at or after low
      int mid = (from + to) >>> 1;
      if (Long.compareUnsigned(highs[mid], low) < 0) {
        from = mid + 1;
      } else {
        to = mid;
      }
    }
    return from < lows.length && Long.compareUnsigned(lows[from], high) <= 0;
  }

  private static long maxUnsigned(long a, long b) {
    return Long.compareUnsigned(a, b) >= 0 ? a : b;
  }

  private static long minUnsigned(long a, long b) {
    return Long.compareUnsigned(a, b) <= 0 ? a : b;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ValueRanges that
        && Arrays.equals(lows, that.lows)
        && Arrays.equals(highs, that.highs);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(lows) + Arrays.hashCode(highs);
  }

  /** For instance {@code {5, 7..9, 100..}}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < lows.length; i++) {
      text.append(i == 0 ? "" : ", ").append(Long.toUnsignedString(lows[i]));
      if (highs[i] == -1L && lows[i] != -1L) {
        text.append("..");
      } else if (highs[i] != lows[i]) {
        text.append("..").append(Long.toUnsignedString(highs[i]));
      }
    }
    return text.append('}').toString();
  }
}
