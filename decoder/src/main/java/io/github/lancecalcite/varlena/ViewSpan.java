package io.github.lancecalcite.varlena;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Rows whose long values lie one behind the other in one data buffer: one copy moves all of them,
 * and every view moves by the same distance. Short values and nulls may stand between. Vectors that
 * were written in order consist of few spans, one for each data buffer. No pass branches on what a
 * row is, which no processor can foretell.
 *
 * @param row the first row
 * @param rows their number
 * @param reference second half of the view of the first long value, if there is one
 * @param bytes of all long values
 */
record ViewSpan(int row, int rows, long reference, long bytes) {
  /** Rows looked at in one go. */
  private static final int STRIDE = 64;

  /** With fewer rows on average, spans are no gain; vectors may begin with a few small buffers. */
  private static final int LEAST_ROWS = 8;

  private static final int FEW = 64;

  private static final long SIGN = Long.MIN_VALUE;

  /** No view refers to data buffers −1 and −2. */
  private static final long NONE = -1;

  private static final long SCATTERED = -2;

  /**
   * The spans of rows {@code [offset, offset + count)}; empty if values are scattered, or if one
   * does not lie in its data buffer.
   *
   * @param validity address of the validity bits, or 0 when all rows are valid
   */
  static List<ViewSpan> find(long views, long validity, int offset, int count, ViewSource source) {
    List<ViewSpan> spans = new ArrayList<>();
    int end = offset + count;
    int start = offset;
    long reference = NONE;
    long expected = NONE;
    int row = offset;
    while (row < end) {
      long next = passed(views, validity, row, Math.min(end, row + STRIDE), expected);
      if (next != SCATTERED) {
        expected = next;
        row = Math.min(end, row + STRIDE);
        continue;
      }
      // the span ends among these rows
      long second = 0;
      for (int stop = Math.min(end, row + STRIDE); row < stop; row++) {
        long view = views + (long) row * ViewSource.VIEW_BYTES;
        long length = MemoryUtil.getInt(view) & Rows.mask(validity, row);
        second = MemoryUtil.getLong(view + 8);
        if (length < 0) {
          return List.of();
        }
        if (ViewSource.ifLong(length) != 0 && (second != expected || second < 0)) {
          break;
        }
        expected += (length & ViewSource.ifLong(length)) << 32;
      }
      if (reference != NONE) {
        spans.add(new ViewSpan(start, row - start, reference, expected - reference >>> 32));
        start = row;
      }
      if (second < 0
          || (int) second < 0
          || (spans.size() - FEW) * LEAST_ROWS > row - offset
          || isRepeat(views, validity, offset, row)) {
        return List.of();
      }
      reference = second;
      expected = second;
    }
    spans.add(new ViewSpan(start, end - start, reference, expected - reference >>> 32));
    for (ViewSpan span : spans) {
      if (!span.isWithin(source)) {
        return List.of();
      }
    }
    return spans;
  }

  /** Whether a row refers to the same place as the last long value before it. */
  private static boolean isRepeat(long views, long validity, int offset, int row) {
    long second = MemoryUtil.getLong(views + (long) row * ViewSource.VIEW_BYTES + 8);
    while (--row >= offset) {
      long view = views + (long) row * ViewSource.VIEW_BYTES;
      if (ViewSource.ifLong(MemoryUtil.getInt(view) & Rows.mask(validity, row)) != 0) {
        return MemoryUtil.getLong(view + 8) == second;
      }
    }
    return false;
  }

  /**
   * Where the value behind these rows is to lie if the first long value lies at {@code expected}
   * and the others follow it.
   */
  private static long passed(long views, long validity, int row, int end, long expected) {
    long moved = 0;
    long view = views + (long) row * ViewSource.VIEW_BYTES;
    for (; row < end; row++) {
      long length = MemoryUtil.getInt(view) & Rows.mask(validity, row);
      long isLong = ViewSource.ifLong(length);
      long second = MemoryUtil.getLong(view + 8);
      moved |= (second ^ expected | second & SIGN) & isLong | length & SIGN;
      expected += (length & isLong) << 32;
      view += ViewSource.VIEW_BYTES;
    }
    return moved == 0 ? expected : SCATTERED;
  }

  private boolean isWithin(ViewSource source) {
    return bytes == 0 || source.has(buffer()) && offset() + bytes <= source.capacity(buffer());
  }

  /** The data buffer that holds the long values, if there are any. */
  private int buffer() {
    return (int) reference;
  }

  /** Where they begin in it. */
  private long offset() {
    return reference >> 32;
  }

  /**
   * Copies the rows.
   *
   * @param out where the first view goes
   */
  void copy(long views, long validity, long out, ViewSource source, ViewTarget target) {
    copyViews(views, validity, out, target.reference(0) - reference);
    if (bytes > 0) {
      MemoryUtil.copyMemory(source.address(buffer()) + offset(), target.start(), bytes);
      target.end(bytes);
    }
  }

  private void copyViews(long views, long validity, long out, long distance) {
    long view = views + (long) row * ViewSource.VIEW_BYTES;
    for (int i = row; i < row + rows; i++) {
      long mask = Rows.mask(validity, i);
      long first = MemoryUtil.getLong(view) & mask;
      long second = MemoryUtil.getLong(view + 8) & mask;
      long shift = distance & ViewSource.ifLong((int) first);
      MemoryUtil.putLong(out, ViewSource.first(first));
      MemoryUtil.putLong(out + 8, ViewSource.second(first, second) + shift);
      view += ViewSource.VIEW_BYTES;
      out += ViewSource.VIEW_BYTES;
    }
  }
}
