package io.github.lancecalcite.rowid;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@link RowIdSequence} in order. An adjacent read continues inside its segment; a gap or a
 * rewind looks up the segment by the known lengths and re-enters it by population counts. It lives
 * as long as the stream it serves.
 *
 * <p>Source: the cursors of Lance pull requests 8713 and 8715.
 */
public final class RowIdCursor extends LongCursor {
  private final RowIdSequence sequence;
  private long position;

  /** The segment entered last, its first position and one past its last. */
  private int segment = -1;

  private long segmentStart;
  private long segmentEnd;

  /** The entered segment's stream, or null when it is a range: then {@link #rangeBase} counts. */
  private @Nullable IdStream stream;

  /** Id minus position, everywhere in a range. */
  private long rangeBase;

  RowIdCursor(RowIdSequence sequence) {
    this.sequence = sequence;
  }

  @Override
  public long length() {
    return sequence.length();
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public void seek(long target) {
    if (target == position) {
      return;
    }
    Objects.checkFromToIndex(target, length(), length());
    if (segment >= 0 && target >= segmentStart && target <= segmentEnd) {
      if (stream != null) {
        stream.seek(target - segmentStart);
      }
    } else if (target < length()) {
      enter(sequence.segmentOf(target), target);
    } else {
      leave();
    }
    position = target;
  }

  @Override
  public int next(long[] destination, int offset, int count) {
    Objects.checkFromIndexSize(offset, count, destination.length);
    int wanted = (int) Math.min(count, length() - position);
    if (stream == null && wanted <= segmentEnd - position) {
      // alone before the loop below: within it HotSpot makes slower code of the same lines
      fillRange(destination, offset, wanted, rangeBase + position);
      position += wanted;
    } else {
      fillSegments(destination, offset, wanted);
    }
    return wanted;
  }

  private void fillSegments(long[] destination, int offset, int count) {
    int done = 0;
    while (done < count) {
      if (position == segmentEnd) {
        enterFollowing();
      }
      int run = (int) Math.min(count - done, segmentEnd - position);
      if (stream == null) {
        IdStream.iota(destination, offset + done, run, rangeBase + position);
      } else {
        stream.fill(destination, offset + done, run);
      }
      position += run;
      done += run;
    }
  }

  /**
   * As {@link IdStream#iota}, but a method of its own: where short runs share the loop, HotSpot
   * learns that it is short and does not unroll it.
   */
  private static void fillRange(long[] destination, int offset, int count, long first) {
    long id = first;
    for (int i = offset; i < offset + count; i++) {
      destination[i] = id++;
    }
  }

  /**
   * How many of the next ids are known to follow each other: inside a range all that are left of
   * it, elsewhere 0. The caller may then compute them from {@link #nextOfRange}.
   */
  public long rangeRemaining() {
    if (position == segmentEnd && position < length()) {
      enterFollowing();
    }
    return stream == null && position < segmentEnd ? segmentEnd - position : 0;
  }

  /**
   * Moves past {@code count} ids of a range, at most {@link #rangeRemaining}.
   *
   * @return the first of them; the others follow it one by one
   */
  public long nextOfRange(long count) {
    if (stream != null || count > segmentEnd - position) {
      throw new IllegalStateException(
          count + " ids of a range at position " + position + " of " + length());
    }
    long first = rangeBase + position;
    position += count;
    return first;
  }

  private void enterFollowing() {
    int following = segment + 1;
    while (sequence.segment(following).length() == 0) {
      following++;
    }
    enter(following, position);
  }

  private void enter(int index, long target) {
    IdSegment entered = sequence.segment(index);
    segment = index;
    segmentStart = sequence.segmentStart(index);
    segmentEnd = segmentStart + entered.length();
    if (entered instanceof RangeSegment range) {
      stream = null;
      rangeBase = range.get(0) - segmentStart;
    } else {
      stream = sequence.stream(entered);
      if (target != segmentStart) {
        stream.seek(target - segmentStart);
      }
    }
  }

  /** Stands behind everything. */
  private void leave() {
    segment = sequence.segmentCount();
    segmentStart = length();
    segmentEnd = length();
    stream = null;
  }
}
