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
}
