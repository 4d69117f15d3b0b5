package io.github.lancecalcite.rowid;

import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.format.U64Segment;
import java.util.Arrays;

/**
 * A range without some values. The holes are kept ascending; stored ones are, but Lance's own tests
 * know unsorted ones.
 */
final class HolesSegment extends IdSegment {
  private final long start;

  /** Slots from the start, ascending, all different, below {@link #slots}. */
  private final long[] holes;

  /** Width of the range, holes included. */
  private final long slots;

  private final long min;
  private final long max;

  private HolesSegment(long start, long slots, long[] holes) {
    super(slots - holes.length);
    this.start = start;
    this.slots = slots;
    this.holes = holes;
    this.min = length() == 0 ? start : get(0);
    this.max = length() == 0 ? start : get(length() - 1);
  }

  static HolesSegment of(U64Segment.RangeWithHoles range) {
    long slots = range.end() - range.start();
    ArraySegment values = ArraySegment.of(range.holes(), false);
    long[] holes = new long[(int) values.length()];
    values.stream().fill(holes, 0, holes.length);
    boolean sorted = true;
    for (int i = 0; i < holes.length; i++) {
      holes[i] -= range.start();
      if (holes[i] < 0 || holes[i] >= slots) {
        throw new DecodeException(
            -1,
            "hole of a row id range",
            "a value of ["
                + Long.toUnsignedString(range.start())
                + ", "
                + Long.toUnsignedString(range.end())
                + ")",
            Long.toUnsignedString(holes[i] + range.start()));
      }
      sorted &= i == 0 || holes[i - 1] < holes[i];
    }
    if (!sorted) {
      Arrays.sort(holes);
      for (int i = 1; i < holes.length; i++) {
        if (holes[i - 1] == holes[i]) {
          throw new DecodeException(
              -1,
              "holes of a row id range",
              "different values",
              Long.toUnsignedString(holes[i] + range.start()) + " twice");
        }
      }
    }
    return new HolesSegment(range.start(), slots, holes);
  }

  @Override
  long get(long index) {
    return start + index + holesBefore(index);
  }

  /** Number of holes that stand before the value at an index. */
  private int holesBefore(long index) {
    // holes[k] - k values precede hole k: never descending
    int low = 0;
    int high = holes.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (holes[middle] - middle <= index) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Number of present values in slots {@code [0, slot)}. */
  private long rank(long slot) {
    int found = Arrays.binarySearch(holes, slot);
    return slot - (found >= 0 ? found : -found - 1);
  }

  @Override
  long indexOf(long id) {
    long slot = id - start;
    if (Long.compareUnsigned(slot, slots) >= 0) {
      return -1;
    }
    int found = Arrays.binarySearch(holes, slot);
    return found >= 0 ? -1 : slot + found + 1;
  }

  @Override
  long min() {
    return min;
  }

  @Override
  long max() {
    return max;
  }

  @Override
  void collect(long low, long high, long base, RowRanges into) {
    if (mayHold(low, high)) {
      long first = Long.compareUnsigned(low, start) <= 0 ? 0 : low - start;
      long last = Long.compareUnsigned(high - start, slots) >= 0 ? slots - 1 : high - start;
      into.add(base + rank(first), base + rank(last + 1));
    }
  }

  @Override
  IdStream stream() {
    return new Stream(this);
  }

  /** Runs between holes. */
  private static final class Stream extends IdStream {
    private final HolesSegment segment;
    private int hole;
    private long slot;

    Stream(HolesSegment segment) {
      this.segment = segment;
      seek(0);
    }

    @Override
    void seek(long index) {
      hole = segment.holesBefore(index);
      slot = index + hole;
    }

    @Override
    void fill(long[] destination, int offset, int count) {
      long[] holes = segment.holes;
      long start = segment.start;
      int k = hole;
      long from = slot;
      int at = offset;
      int end = offset + count;
      while (at < end) {
        long runEnd = k < holes.length ? holes[k] : Long.MAX_VALUE;
        int run = (int) Math.min(runEnd - from, end - at);
        iota(destination, at, run, start + from);
        at += run;
        from += run;
        if (from == runEnd) {
          from++;
          k++;
        }
      }
      hole = k;
      slot = from;
    }
  }
}
