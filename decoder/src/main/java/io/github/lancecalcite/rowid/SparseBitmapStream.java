package io.github.lancecalcite.rowid;

/** One id per set bit, by trailing zeros. */
final class SparseBitmapStream extends BitmapStream {
  SparseBitmapStream(BitmapSegment segment) {
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
      int run = Math.min(Long.bitCount(left), end - at);
      left = expandWord(destination, at, run, start + (long) w * Long.SIZE, left);
      at += run;
    }
    word = w;
    bits = left;
  }

  /**
   * Writes {@code count} set bits of a word and returns the others. Counted, so that HotSpot checks
   * the bounds once and polls for no safepoint.
   */
  private static long expandWord(long[] destination, int at, int count, long base, long bits) {
    long left = bits;
    for (int i = at; i < at + count; i++) {
      destination[i] = base + Long.numberOfTrailingZeros(left);
      left &= left - 1;
    }
    return left;
  }
}
