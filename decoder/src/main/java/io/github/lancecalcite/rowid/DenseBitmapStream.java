package io.github.lancecalcite.rowid;

/** Runs of set bits: a full word is one run of 64, any other is cut at its zeros. */
final class DenseBitmapStream extends BitmapStream {
  DenseBitmapStream(BitmapSegment segment) {
    super(segment);
  }

  @Override
  void expand(long[] destination, int offset, int count) {
    int at = offset;
    int end = offset + count;
    int w = word;
    long left = bits;
    while (at < end) {
      while (left == 0) {
        left = words[++w];
      }
      long base = start + (long) w * Long.SIZE;
      if (left == -1L && end - at >= Long.SIZE) {
        iota(destination, at, Long.SIZE, base);
        at += Long.SIZE;
        left = 0;
        continue;
      }
      if (end - at >= Long.SIZE + 8) {
        at = expandWord(destination, at, base, left);
        left = 0;
        continue;
      }
      int from = Long.numberOfTrailingZeros(left);
      int run = Math.min(Long.numberOfTrailingZeros(~(left >>> from)), end - at);
      iota(destination, at, run, base + from);
      at += run;
      // two shifts: a run up to bit 63 would shift by the full width, which Java takes as none
      left &= -1L << from + run - 1 << 1;
    }
    word = w;
    bits = left;
  }

  /**
   * Writes all set bits of a word and returns where the next id goes. A run is written in steps of
   * eight, and what goes past its end is overwritten by the run after it: no inner loop has fewer
   * than eight stores. Stays below {@code at + 72}.
   */
  private static int expandWord(long[] destination, int at, long base, long bits) {
    int next = at;
    long left = bits;
    while (left != 0) {
      int from = Long.numberOfTrailingZeros(left);
      int run = Long.numberOfTrailingZeros(~(left >>> from));
      long id = base + from;
      int stop = next + run;
      for (int i = next; i < stop; i += 8) {
        destination[i] = id;
        destination[i + 1] = id + 1;
        destination[i + 2] = id + 2;
        destination[i + 3] = id + 3;
        destination[i + 4] = id + 4;
        destination[i + 5] = id + 5;
        destination[i + 6] = id + 6;
        destination[i + 7] = id + 7;
        id += 8;
      }
      next = stop;
      left &= -1L << from + run - 1 << 1;
    }
    return next;
  }
}
