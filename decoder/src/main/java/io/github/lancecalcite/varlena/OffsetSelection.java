package io.github.lancecalcite.varlena;

import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.util.OversizedAllocationException;

/**
 * The selected rows of one append to a vector with offsets: checked and added up in a first pass,
 * copied in a second. Neither branches on validity, which no processor can foretell: a null row
 * counts as a value of no bytes, whatever its offsets say.
 */
final class OffsetSelection {
  private final FieldVector source;
  private final boolean large;
  private final Selection rows;

  /** The last row with two offsets; below 0 if there is none. */
  private final long lastRow;

  OffsetSelection(FieldVector source, boolean large, Selection rows) {
    this.source = source;
    this.large = large;
    this.rows = rows;
    this.lastRow = source.getOffsetBuffer().capacity() / (large ? 8 : 4) - 2;
  }

  /**
   * Bytes of the rows that are not null; repeats count again.
   *
   * @throws IndexOutOfBoundsException if the offsets of such a row are not there or wrong
   * @throws OversizedAllocationException if a long cannot hold the sum
   */
  long bytes() {
    if (lastRow < 0) {
      checkEach();
      return 0;
    }
    long ends = source.getOffsetBuffer().memoryAddress();
    long capacity = source.getDataBuffer().capacity();
    boolean wide = large;
    long bytes = 0;
    long wrong = 0; // below 0 as soon as one of the terms was
    for (int i = 0; i < rows.count(); i++) {
      long mask = rows.mask(i);
      long row = Math.min(rows.row(i), lastRow);
      long first = Offsets.get(ends, wide, row);
      long length = Offsets.get(ends, wide, row + 1) - first;
      bytes += length & mask;
      wrong |= (row - rows.row(i) | first | length | capacity - first - length) & mask | bytes;
    }
    if (wrong < 0) {
      checkEach();
      throw new OversizedAllocationException("more selected bytes than a long counts");
    }
    return bytes;
  }

  private void checkEach() {
    long ends = source.getOffsetBuffer().memoryAddress();
    for (int i = 0; i < rows.count(); i++) {
      if (rows.isValid(i)) {
        OffsetEngine.checkOffsets(source, large, rows.row(i) + 1L);
        long first = Offsets.get(ends, large, rows.row(i));
        OffsetEngine.checkSpan(source, first, Offsets.get(ends, large, rows.row(i) + 1L));
      }
    }
  }

  /**
   * Copies what {@link #bytes} has counted.
   *
   * @param out address of the destination's values, of which {@code capacity} bytes are its own
   * @param outEnds address of the offset behind the first row
   * @param end bytes that are there already
   */
  void copy(long out, long capacity, long outEnds, long end) {
    if (lastRow < 0) {
      Offsets.ramp(outEnds, large, rows.count(), end, 0);
      return;
    }
    long ends = source.getOffsetBuffer().memoryAddress();
    long data = source.getDataBuffer().memoryAddress();
    // up to here, a short value may be read and written as a whole block
    long blockFrom = source.getDataBuffer().capacity() - ShortCopies.BLOCK_BYTES;
    long blockTo = capacity - ShortCopies.BLOCK_BYTES;
    boolean wide = large;
    for (int i = 0; i < rows.count(); i++) {
      long mask = rows.mask(i);
      long row = Math.min(rows.row(i), lastRow);
      long first = Offsets.get(ends, wide, row) & mask;
      long length = (Offsets.get(ends, wide, row + 1) & mask) - first;
      if (length <= ShortCopies.BLOCK_BYTES && first <= blockFrom && end <= blockTo) {
        ShortCopies.copyBlock(data + first, out + end);
      } else {
        ShortCopies.copy(data + first, out + end, length);
      }
      end += length;
      Offsets.put(outEnds, wide, i, end);
    }
  }
}
