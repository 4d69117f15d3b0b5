package io.github.lancecalcite.rowid;

import java.util.List;

/** Turns a range of positions and its deleted ones into segments. */
final class LivePositions {
  /** Runs of fewer rows than this, on average, are better held as a bitmap. */
  private static final int SHORT_RUN = 256;

  private LivePositions() {}

  static void add(List<IdSegment> segments, long start, long end, long[] deleted) {
    // counted in whole words around the range: only a hint
    int from = (int) Math.min(start >>> 6, deleted.length);
    int to = (int) Math.min((end + 63) >>> 6, deleted.length);
    long dead = 0;
    for (int i = from; i < to; i++) {
      dead += Long.bitCount(deleted[i]);
    }
    if (dead == 0) {
      segments.add(new RangeSegment(start, end));
    } else if ((dead + 1) * SHORT_RUN < end - start || end - start > Integer.MAX_VALUE - 63) {
      RowRanges range = new RowRanges();
      range.add(start, end);
      RowRanges live = range.without(deleted);
      for (int i = 0; i < live.size(); i++) {
        segments.add(new RangeSegment(live.start(i), live.end(i)));
      }
    } else {
      segments.add(bitmap(start, end, deleted));
    }
  }

  /** The range's live positions, from the word that {@code start} stands in. */
  private static BitmapSegment bitmap(long start, long end, long[] deleted) {
    int first = (int) (start >>> 6);
    long[] words = new long[(int) ((end + 63) >>> 6) - first];
    for (int i = 0; i < words.length; i++) {
      words[i] = first + i < deleted.length ? ~deleted[first + i] : -1L;
    }
    words[0] &= -1L << start;
    if ((end & 63) != 0) {
      words[words.length - 1] &= -1L >>> -end;
    }
    return new BitmapSegment((long) first << 6, end - ((long) first << 6), words);
  }
}
