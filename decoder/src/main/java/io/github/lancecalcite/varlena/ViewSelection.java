package io.github.lancecalcite.varlena;

import java.util.Arrays;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Selected rows of one append to a view vector. Long values are checked and added up in a first
 * pass and copied in a second; a value that repeats the one before it is copied once.
 */
final class ViewSelection {
  /** No view refers to data buffer −1. */
  private static final long NO_REFERENCE = -1;

  private final Selection rows;
  private final ViewSource source;
  private final ViewTarget target;

  /** Places where the destination's next buffer begins. */
  private int[] cuts = new int[0];

  ViewSelection(Selection rows, ViewSource source, ViewTarget target) {
    this.rows = rows;
    this.source = source;
    this.target = target;
  }

  /**
   * Checks the long values of the rows that are valid and plans room for them.
   *
   * @throws IndexOutOfBoundsException if one does not lie in its data buffer
   */
  void plan(long views) {
    long bytes = 0;
    long reference = NO_REFERENCE;
    int before = 0;
    for (int i = 0; i < rows.count(); i++) {
      long view = views + (long) rows.row(i) * ViewSource.VIEW_BYTES;
      int length = MemoryUtil.getInt(view);
      if (!rows.isValid(i) || length >= 0 && ViewSource.ifLong(length) == 0) {
        continue;
      }
      long second = MemoryUtil.getLong(view + 8);
      if (second != reference || length != before) {
        source.check(length, second);
        bytes += length;
        reference = second;
        before = length;
      }
    }
    if (target.fits(bytes)) {
      target.plan(bytes);
    } else {
      planEach(views);
    }
  }

  private void planEach(long views) {
    long reference = NO_REFERENCE;
    int before = 0;
    for (int i = 0; i < rows.count(); i++) {
      long view = views + (long) rows.row(i) * ViewSource.VIEW_BYTES;
      int length = MemoryUtil.getInt(view);
      if (!rows.isValid(i) || ViewSource.ifLong(length) == 0) {
        continue;
      }
      long second = MemoryUtil.getLong(view + 8);
      if ((second != reference || length != before) && target.plan(length)) {
        cuts = Arrays.copyOf(cuts, cuts.length + 1);
        cuts[cuts.length - 1] = i;
      }
      reference = second;
      before = length;
    }
  }

  /**
   * Copies what was planned, into buffers that are there by now.
   *
   * @param out where the first view goes
   */
  void copy(long views, long out) {
    int i = 0;
    for (int cut : cuts) {
      copy(views, out, i, cut);
      target.next();
      i = cut;
    }
    copy(views, out, i, rows.count());
  }

  private void copy(long views, long out, int from, int end) {
    long address = target.start();
    long base = target.reference(0);
    long fill = 0;
    long place = 0;
    long reference = NO_REFERENCE;
    int before = 0;
    for (int i = from; i < end; i++) {
      long to = out + (long) i * ViewSource.VIEW_BYTES;
      if (!rows.isValid(i)) {
        MemoryUtil.putLong(to, 0);
        MemoryUtil.putLong(to + 8, 0);
        continue;
      }
      long view = views + (long) rows.row(i) * ViewSource.VIEW_BYTES;
      long first = MemoryUtil.getLong(view);
      long second = MemoryUtil.getLong(view + 8);
      int length = (int) first;
      if (ViewSource.ifLong(length) == 0) {
        MemoryUtil.putLong(to, ViewSource.first(first));
        MemoryUtil.putLong(to + 8, ViewSource.second(first, second));
        continue;
      }
      if (second != reference || length != before) {
        long value = source.address((int) second) + (second >> 32);
        ShortCopies.copy(value, address + fill, length);
        place = base + (fill << 32);
        fill += length;
        reference = second;
        before = length;
      }
      MemoryUtil.putLong(to, first); // length and prefix
      MemoryUtil.putLong(to + 8, place);
    }
    target.end(fill);
  }
}
