package io.github.lancecalcite.rowid;

/** Forward expansion of one {@link IdSegment}; one thread. */
abstract class IdStream {
  /** Moves before an index, {@code 0 ≤ index ≤ length}. */
  abstract void seek(long index);

  /**
   * Writes the next {@code count} ids, which the caller knows to be there.
   *
   * <p>Equals: {@code for (i < count) destination[offset + i] = segment.get(index++)}.
   */
  abstract void fill(long[] destination, int offset, int count);

  /** {@code first, first + 1, …}: the loop the others end in, alone so that it vectorises. */
  static void iota(long[] destination, int offset, int count, long first) {
    long id = first;
    for (int i = offset; i < offset + count; i++) {
      destination[i] = id++;
    }
  }
}
