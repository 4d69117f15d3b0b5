package io.github.lancecalcite;

/**
 * Half-open range of physical row offsets inside one fragment, unit: rows.
 *
 * @param start first row
 * @param end one past the last row, never below {@code start}
 */
public record RowRange(long start, long end) {
  public RowRange {
    if (start < 0 || end < start) {
      throw new IllegalArgumentException("not a row range: [" + start + ", " + end + ")");
    }
  }

  /** Number of rows. */
  public long length() {
    return end - start;
  }
}
