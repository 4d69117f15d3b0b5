package io.github.lancecalcite.rowid;

import io.github.lancecalcite.DecodeException;

/** {@code start, start + 1, … end − 1}. */
final class RangeSegment extends IdSegment {
  private final long start;

  RangeSegment(long start, long end) {
    super(length(start, end));
    this.start = start;
  }

  private static long length(long start, long end) {
    if (end - start < 0) {
      throw new DecodeException(
          -1, "range of row ids", "fewer than 2^63 values", Long.toUnsignedString(end - start));
    }
    return end - start;
  }

  @Override
  long get(long index) {
    return start + index;
  }

  @Override
  long indexOf(long id) {
    long index = id - start;
    return Long.compareUnsigned(index, length()) < 0 ? index : -1;
  }

  @Override
  long min() {
    return start;
  }

  @Override
  long max() {
    return start + length() - 1;
  }

  @Override
  void collect(long low, long high, long base, RowRanges into) {
    if (mayHold(low, high)) {
      long first = Long.compareUnsigned(low, start) <= 0 ? 0 : low - start;
      long last = Long.compareUnsigned(high, max()) >= 0 ? length() - 1 : high - start;
      into.add(base + first, base + last + 1);
    }
  }

  @Override
  IdSegment slice(long from, long count) {
    return new RangeSegment(start + from, start + from + count);
  }

  @Override
  IdStream stream() {
    return new Stream(start);
  }

  /** One addition per row. */
  private static final class Stream extends IdStream {
    private final long start;
    private long next;

    Stream(long start) {
      this.start = start;
      this.next = start;
    }

    @Override
    void seek(long index) {
      next = start + index;
    }

    @Override
    void fill(long[] destination, int offset, int count) {
      iota(destination, offset, count, next);
      next += count;
    }
  }
}
