package io.github.lancecalcite.rowid;

import java.util.Arrays;
import java.util.Objects;

/**
 * Reads a {@link VersionSequence} in order. It stands inside a run; an adjacent read continues
 * there, a gap walks on run by run. The first backward seek builds the run index, from then on
 * every jump out of the active run uses it.
 *
 * <p>Source: the version cursor of Lance pull request 8716.
 */
public final class VersionCursor extends LongCursor {
  private final VersionSequence sequence;
  private long position;

  /** The active run, which holds the position or ends at it. */
  private int run = -1;

  private long runStart;
  private long runEnd;
  private long version;

  VersionCursor(VersionSequence sequence) {
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
    Objects.checkFromToIndex(target, length(), length());
    if (target < runStart || target > runEnd && sequence.hasIndex()) {
      if (target == length()) {
        enter(sequence.runCount() - 1, length());
      } else {
        int found = sequence.runOf(target);
        enter(found, sequence.runEnd(found));
      }
    } else {
      walk(target);
    }
    position = target;
  }

  /** Goes on, run by run, to the first that does not end before the target. */
  private void walk(long target) {
    int at = run;
    long end = runEnd;
    // eight at a time, so that the additions do not wait for each other
    for (long eight; at + 8 < sequence.runCount(); at += 8, end += eight) {
      eight = sequence.eightRuns(at + 1);
      if (end + eight >= target) {
        break;
      }
    }
    while (end < target) {
      end += sequence.runLength(++at);
    }
    enter(at, end);
  }

  @Override
  public int next(long[] destination, int offset, int count) {
    Objects.checkFromIndexSize(offset, count, destination.length);
    int wanted = (int) Math.min(count, length() - position);
    if (wanted <= runEnd - position) {
      Arrays.fill(destination, offset, offset + wanted, version);
      position += wanted;
    } else {
      fillRuns(destination, offset, offset + wanted);
    }
    return wanted;
  }

  private void fillRuns(long[] destination, int from, int to) {
    int at = from;
    int active = run;
    long end = runEnd;
    long value = version;
    long left = end - position;
    while (true) {
      if (left >= to - at) {
        Arrays.fill(destination, at, to, value);
        left -= to - at;
        break;
      }
      int stop = at + (int) left;
      while (at < stop) {
        destination[at++] = value;
      }
      active++;
      left = sequence.runLength(active);
      end += left;
      value = sequence.runVersion(active);
    }
    enter(active, end);
    position = end - left;
  }

  /** Rows left of the active run, at least 1 unless the cursor is at the end. */
  public long runRemaining() {
    if (position == runEnd && position < length()) {
      enter(run + 1, runEnd + sequence.runLength(run + 1));
    }
    return runEnd - position;
  }

  /**
   * Moves past {@code count} rows of one run, at most {@link #runRemaining}.
   *
   * @return the version of all of them
   */
  public long nextOfRun(long count) {
    if (count > runEnd - position) {
      throw new IllegalStateException(
          count + " rows of a run at position " + position + " of " + length());
    }
    position += count;
    return version;
  }

  private void enter(int index, long end) {
    run = index;
    runEnd = end;
    runStart = index < 0 ? 0 : end - sequence.runLength(index);
    version = index < 0 ? VersionSequence.MISSING : sequence.runVersion(index);
  }
}
