package io.github.lancecalcite.rowid;

import io.github.lancecalcite.ValueRanges;

/** Indexes {@code [from, from + length)} of another segment. */
final class SlicedSegment extends IdSegment {
  private final IdSegment whole;
  private final long from;

  SlicedSegment(IdSegment whole, long from, long length) {
    super(length);
    this.whole = whole;
    this.from = from;
  }

  @Override
  long get(long index) {
    return whole.get(from + index);
  }

  @Override
  long indexOf(long id) {
    long index = whole.indexOf(id) - from;
    if (index >= 0 && index < length()) {
      return index;
    }
    if (whole instanceof ArraySegment) {
      // an array may repeat an id, outside the slice first
      for (long i = 0; i < length(); i++) {
        if (get(i) == id) {
          return i;
        }
      }
    }
    return -1;
  }

  @Override
  long min() {
    return whole instanceof ArraySegment ? whole.min() : get(0);
  }

  @Override
  long max() {
    return whole instanceof ArraySegment ? whole.max() : get(length() - 1);
  }

  @Override
  void collect(long low, long high, long base, RowRanges into) {
    collect(ValueRanges.closed(low, high), base, into);
  }

  @Override
  void collect(ValueRanges values, long base, RowRanges into) {
    RowRanges all = new RowRanges();
    whole.collect(values, 0, all);
    for (int i = 0; i < all.size(); i++) {
      long start = Math.max(all.start(i), from);
      long end = Math.min(all.end(i), from + length());
      into.add(base + start - from, base + end - from);
    }
  }

  @Override
  IdStream stream() {
    IdStream stream = whole.stream();
    stream.seek(from);
    return new IdStream() {
      @Override
      void seek(long index) {
        stream.seek(from + index);
      }

      @Override
      void fill(long[] destination, int offset, int count) {
        stream.fill(destination, offset, count);
      }
    };
  }
}
