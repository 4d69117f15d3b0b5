package io.github.lancecalcite.format;

/**
 * A run of unsigned 64-bit values as stored: the five kinds of Lance. The bytes are kept as they
 * were read, so that writing gives back the same bits. Ranges are half-open.
 */
public sealed interface U64Segment {
  /** {@code start, start + 1, … end − 1}. */
  record Range(long start, long end) implements U64Segment {}

  /**
   * The range without the values of {@code holes} (absolute values, ascending when well-formed).
   */
  record RangeWithHoles(long start, long end, EncodedU64Array holes) implements U64Segment {}

  /** {@code start + i} for every set bit i of {@code bitmap}, least significant bit first. */
  record RangeWithBitmap(long start, long end, byte[] bitmap) implements U64Segment {}

  /** Ascending values. */
  record SortedArray(EncodedU64Array values) implements U64Segment {}

  /** Values in any order. */
  record Array(EncodedU64Array values) implements U64Segment {}
}
