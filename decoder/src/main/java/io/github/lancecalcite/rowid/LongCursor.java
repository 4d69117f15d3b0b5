package io.github.lancecalcite.rowid;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A position in a sequence of longs, made for reading forward: adjacent reads continue where the
 * last one ended. One thread; starts before position 0; owns nothing to close.
 */
public abstract class LongCursor {
  /** So many positions are picked together if they stand close. */
  private static final int GATHER = 256;

  private static final int MAX_SPAN = 4 * GATHER;

  private long @Nullable [] scratch;

  LongCursor() {}

  /** Number of values in the sequence. */
  public abstract long length();

  /** Position of the value that {@link #next} will read first. */
  public abstract long position();

  /**
   * Moves to a position, forward or back, without starting over.
   *
   * @param position from 0 to the length, both included
   * @throws IndexOutOfBoundsException if there is no such position; the cursor does not move
   */
  public abstract void seek(long position);

  /**
   * Reads up to {@code count} values and moves past them.
   *
   * <p>Equals: {@code while (n < count && position < length) destination[offset + n++] =
   * sequence.get(position++)}.
   *
   * @return how many values were read: fewer than {@code count} only at the end
   */
  public abstract int next(long[] destination, int offset, int count);

  /**
   * Reads the values at positions that never descend; repeats are allowed. Ends behind the last.
   *
   * @throws IllegalArgumentException if a position is smaller than the one before it: this cursor
   *     does not reorder, {@link RowIdSequence#select} takes any order. Nothing was read then.
   * @throws IndexOutOfBoundsException if a position has no value
   */
  public final void read(long[] positions, int from, int count, long[] destination, int offset) {
    Objects.checkFromIndexSize(from, count, positions.length);
    Objects.checkFromIndexSize(offset, count, destination.length);
    checkSorted(positions, from, count);
    int i = 0;
    while (i < count) {
      long first = positions[from + i];
      int block = Math.min(count - i, GATHER);
      if (block == GATHER && positions[from + i + block - 1] - first < MAX_SPAN) {
        gather(positions, from + i, block, destination, offset + i);
        i += block;
        continue;
      }
      if (i > 0 && first == positions[from + i - 1]) {
        destination[offset + i] = destination[offset + i - 1];
        i++;
        continue;
      }
      int run = 1;
      while (i + run < count && positions[from + i + run] == first + run) {
        run++;
      }
      seek(first);
      next(destination, offset + i, run);
      i += run;
    }
  }

  /** Reads the whole span of a few close positions and picks from it. */
  private void gather(long[] positions, int from, int count, long[] destination, int offset) {
    long first = positions[from];
    int span = (int) (positions[from + count - 1] - first) + 1;
    seek(first);
    next(scratch(), 0, span);
    long[] values = scratch();
    for (int i = 0; i < count; i++) {
      destination[offset + i] = values[(int) (positions[from + i] - first)];
    }
  }

  private long[] scratch() {
    if (scratch == null) {
      scratch = new long[MAX_SPAN];
    }
    return scratch;
  }

  private void checkSorted(long[] positions, int from, int count) {
    if (count == 0) {
      return;
    }
    Objects.checkIndex(positions[from], length());
    for (int i = from + 1; i < from + count; i++) {
      if (positions[i] < positions[i - 1]) {
        throw new IllegalArgumentException(
            "positions must not descend, but position "
                + positions[i]
                + " at index "
                + (i - from)
                + " comes after "
                + positions[i - 1]);
      }
    }
    Objects.checkIndex(positions[from + count - 1], length());
  }
}
