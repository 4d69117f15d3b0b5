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
      long base = start + (long) w * Long.SIZE;
      if (Long.bitCount(left) <= end - at) {
        do {
          destination[at++] = base + Long.numberOfTrailingZeros(left);
          left &= left - 1;
        } while (left != 0);
      } else {
        while (at < end) {
          destination[at++] = base + Long.numberOfTrailingZeros(left);
          left &= left - 1;
        }
      }
    }
    word = w;
    bits = left;
  }
}
