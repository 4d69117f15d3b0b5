package io.github.lancecalcite.rowid;

import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.ValueRanges;
import io.github.lancecalcite.format.U64Segment;

/**
 * The ids of consecutive rows in one stored form: immutable, random access by index. Ids are
 * unsigned 64-bit, indexes count from 0 and are below {@link #length}.
 */
abstract class IdSegment {
  private final long length;

  IdSegment(long length) {
    this.length = length;
  }

  /**
   * @throws DecodeException if the stored values contradict each other
   */
  static IdSegment of(U64Segment segment) {
    // an instanceof chain because Java 17 has no pattern switch
    if (segment instanceof U64Segment.Range range) {
      return new RangeSegment(range.start(), range.end());
    }
    if (segment instanceof U64Segment.RangeWithHoles range) {
      return HolesSegment.of(range);
    }
    if (segment instanceof U64Segment.RangeWithBitmap range) {
      return new BitmapSegment(range);
    }
    if (segment instanceof U64Segment.SortedArray array) {
      return ArraySegment.of(array.values(), true);
    }
    return ArraySegment.of(((U64Segment.Array) segment).values(), false);
  }

  /** Number of ids. */
  final long length() {
    return length;
  }

  /** The id at an index inside the segment. */
  abstract long get(long index);

  /** Index of the first row with this id, or −1. */
  abstract long indexOf(long id);

  /** Smallest id (unsigned); the segment is not empty. */
  abstract long min();

  /** Greatest id (unsigned); the segment is not empty. */
  abstract long max();

  /**
   * Adds the indexes whose id lies in {@code [low, high]} (unsigned, inclusive), each moved by
   * {@code base}, ascending.
   */
  abstract void collect(long low, long high, long base, RowRanges into);

  /** As above for every value of a set. */
  void collect(ValueRanges values, long base, RowRanges into) {
    for (int i = 0; i < values.size(); i++) {
      collect(values.low(i), values.high(i), base, into);
    }
  }

  /** A stream that stands before index 0. */
  abstract IdStream stream();

  /** Indexes {@code [from, from + count)} as a segment of their own. */
  IdSegment slice(long from, long count) {
    return new SlicedSegment(this, from, count);
  }

  /** Whether the segment may hold an id of {@code [low, high]} (unsigned, inclusive). */
  final boolean mayHold(long low, long high) {
    return length > 0
        && Long.compareUnsigned(min(), high) <= 0
        && Long.compareUnsigned(max(), low) >= 0;
  }
}
