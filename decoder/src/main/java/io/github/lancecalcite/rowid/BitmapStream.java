package io.github.lancecalcite.rowid;

/**
 * Walks the words of a bitmap. Between calls it stands in a word of which {@link #bits} are still
 * to come.
 */
abstract class BitmapStream extends IdStream {
  private final BitmapSegment segment;
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
  final void seek(long index) {
    long slot = segment.select(index);
    word = (int) (slot / Long.SIZE);
    bits = word < words.length ? words[word] & -1L << slot : 0;
  }
}
