package io.github.lancecalcite.dataset;

import io.github.lancecalcite.format.EncodedU64Array;
import io.github.lancecalcite.format.U64Segment;

/** Segments in the words of the fixtures' {@code meta.json}. */
final class SegmentText {
  private SegmentText() {}

  static String of(U64Segment segment) {
    if (segment instanceof U64Segment.Range s) {
      return "Range(" + s.start() + ".." + s.end() + ")";
    } else if (segment instanceof U64Segment.RangeWithHoles s) {
      return "RangeWithHoles(" + s.start() + ".." + s.end() + " holes=" + of(s.holes()) + ")";
    } else if (segment instanceof U64Segment.RangeWithBitmap s) {
      int ones = 0;
      for (byte b : s.bitmap()) {
        ones += Integer.bitCount(b & 0xFF);
      }
      return "RangeWithBitmap("
          + s.start()
          + ".."
          + s.end()
          + " bitmapBytes="
          + s.bitmap().length
          + " ones="
          + ones
          + ")";
    } else if (segment instanceof U64Segment.SortedArray s) {
      return "SortedArray(" + of(s.values()) + ")";
    }
    return "Array(" + of(((U64Segment.Array) segment).values()) + ")";
  }

  private static String of(EncodedU64Array array) {
    if (array instanceof EncodedU64Array.U16 a) {
      return "u16[n=" + a.offsets().length / 2 + " base=" + a.base() + "]";
    } else if (array instanceof EncodedU64Array.U32 a) {
      return "u32[n=" + a.offsets().length / 4 + " base=" + a.base() + "]";
    }
    return "u64[n=" + ((EncodedU64Array.U64) array).values().length / 8 + " base=0]";
  }
}
