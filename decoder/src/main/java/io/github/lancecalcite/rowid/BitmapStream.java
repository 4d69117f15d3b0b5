package io.github.lancecalcite.rowid;

/**
 * Walks the words of a bitmap. Between calls it stands in a word of which {@link #bits} are still
 * to come.
 */
abstract class BitmapStream extends IdStream {
  /** Up to so many ids ahead, counting the bits on the way beats looking up the rank. */
  private static final int NEAR = 1024;

  private final BitmapSegment segment;
  private long index;

  final long[] words;
  final long start;

  /** The word that {@link #bits} belong to. */
  int word;

  /** Set bits of that word that were not yet handed out. */
  long bits;

  BitmapStream(BitmapSegment segment) {
    this.segment = segment;
    this.words = segment.words();
    this.start = segment.start();
    this.bits = words.length == 0 ? 0 : words[0];
  }

  @Override
  final void seek(long target) {
    long ahead = target - index;
    if (ahead >= 0 && ahead <= NEAR && target < segment.length()) {
      skip((int) ahead);
    } else {
      long slot = segment.select(target);
      word = (int) (slot / Long.SIZE);
      bits = word < words.length ? words[word] & -1L << slot : 0;
    }
    index = target;
  }

  private void skip(int count) {
    int left = count;
    int here = Long.bitCount(bits);
    while (left >= here) {
      left -= here;
      bits = words[++word];
      here = Long.bitCount(bits);
    }
    bits &= -1L << BitmapSegment.selectInWord(bits, left);
  }

  @Override
  final void fill(long[] destination, int offset, int count) {
    expand(destination, offset, count);
    index += count;
  }

  /** {@link #fill}, in the way that suits the density. */
  abstract void expand(long[] destination, int offset, int count);
}
