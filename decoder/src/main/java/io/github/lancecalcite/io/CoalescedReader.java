package io.github.lancecalcite.io;

import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;

/**
 * Reads the buffers of one column chunk; a small read brings its neighbours along. Does not own the
 * file. One thread.
 *
 * <p>A read is extended over the known ranges that follow it, as long as the hole between two is at
 * most {@link #GAP_BYTES} and the whole at most {@link #WINDOW_BYTES}; what follows is then served
 * from memory. A hole of 4 KiB, one page of the system's cache, is copied in about the time that
 * another system call takes; 128 KiB is what a checksummed file reads at once, and little enough to
 * be wasted when a scan ends early.
 *
 * <p>Only who reads forward gets more than asked for: from the start of a range, or from where the
 * last read in it ended. A few rows from its midst cost their bytes.
 */
public final class CoalescedReader implements PositionalReader {
  /** Unwanted bytes that are read over. */
  public static final int GAP_BYTES = 4 * 1024;

  /** Most bytes of an extended read. */
  public static final int WINDOW_BYTES = 128 * 1024;

  private final PositionalReader file;

  /** Disjoint ranges, ascending. */
  private final long[] starts;

  private final long[] ends;

  /** Where the last read in a range ended. */
  private final long[] next;

  private int count;

  private byte[] window = new byte[0];
  private long windowStart;

  /**
   * @param ranges pairs of start and end of what may be read later, in any order
   */
  public CoalescedReader(PositionalReader file, long[][] ranges) {
    this.file = file;
    long[][] sorted = ranges.clone();
    Arrays.sort(sorted, (a, b) -> Long.compare(a[0], b[0]));
    this.starts = new long[sorted.length];
    this.ends = new long[sorted.length];
    this.next = new long[sorted.length];
    for (long[] range : sorted) {
      if (count > 0 && range[0] < ends[count - 1]) {
        ends[count - 1] = Math.max(ends[count - 1], range[1]);
      } else {
        starts[count] = range[0];
        ends[count++] = range[1];
      }
    }
  }

  @Override
  public String path() {
    return file.path();
  }

  @Override
  public long size() {
    return file.size();
  }

  @Override
  public boolean isVerified() {
    return file.isVerified();
  }

  @Override
  public void read(long offset, byte[] destination, int destinationOffset, int length)
      throws IOException {
    Objects.checkFromIndexSize(destinationOffset, length, destination.length);
    if (isInWindow(offset, length) || extend(offset, length)) {
      int at = (int) (offset - windowStart);
      System.arraycopy(window, at, destination, destinationOffset, length);
    } else {
      file.read(offset, destination, destinationOffset, length);
    }
  }

  @Override
  public byte[] read(long offset, int length) throws IOException {
    if (length >= 0 && (isInWindow(offset, length) || extend(offset, length))) {
      int at = (int) (offset - windowStart);
      return Arrays.copyOfRange(window, at, at + length);
    }
    return file.read(offset, length);
  }

  private boolean isInWindow(long offset, int length) {
    return offset >= windowStart && offset - windowStart <= window.length - length;
  }

  /** Reads the range and its neighbours into the window; false if there are none near enough. */
  private boolean extend(long offset, int length) throws IOException {
    if (offset < 0 || length == 0 || length > WINDOW_BYTES || offset > file.size() - length) {
      return false;
    }
    long end = offset + length;
    if (!isForward(offset, end)) {
      return false;
    }
    int i = Arrays.binarySearch(ends, 0, count, end);
    for (i = i < 0 ? -i - 1 : i; i < count; i++) {
      if (starts[i] - end > GAP_BYTES || ends[i] - offset > WINDOW_BYTES) {
        break;
      }
      end = Math.max(end, Math.min(ends[i], file.size()));
    }
    if (end == offset + length) {
      return false;
    }
    window = file.read(offset, (int) (end - offset));
    windowStart = offset;
    return true;
  }

  private boolean isForward(long offset, long end) {
    int i = Arrays.binarySearch(starts, 0, count, offset);
    if (i >= 0) {
      next[i] = end;
      return true;
    }
    int in = -i - 2; // the last range that begins before
    if (in < 0) {
      return false;
    }
    boolean goesOn = next[in] == offset;
    next[in] = end;
    return goesOn;
  }

  @Override
  public void close() {}
}
