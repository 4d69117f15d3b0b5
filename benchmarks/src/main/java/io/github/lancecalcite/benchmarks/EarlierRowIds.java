package io.github.lancecalcite.benchmarks;

import io.github.lancecalcite.format.EncodedU64Array;
import io.github.lancecalcite.format.U64Segment;

/**
 * Row ids as Lance read them before pull request 8713: every batch selects from the start of the
 * sequence, counts the length of each segment it passes anew, and finds its place in the segment by
 * walking the prefix; bitmaps are counted and read byte by byte.
 */
final class EarlierRowIds {
  private EarlierRowIds() {}

  /** Ids of positions {@code [from, from + count)}. */
  static void select(U64Segment[] segments, long from, int count, long[] destination) {
    long passed = 0;
    int done = 0;
    for (U64Segment segment : segments) {
      long length = length(segment);
      while (done < count && from + done < passed + length) {
        int run = (int) Math.min(count - done, passed + length - from - done);
        selectWithin(segment, from + done - passed, run, destination, done);
        done += run;
      }
      passed += length;
      if (done == count) {
        return;
      }
    }
  }

  static long length(U64Segment segment) {
    if (segment instanceof U64Segment.Range range) {
      return range.end() - range.start();
    }
    if (segment instanceof U64Segment.RangeWithHoles range) {
      return range.end() - range.start() - holes(range).length / Integer.BYTES;
    }
    long ones = 0;
    for (byte bits : ((U64Segment.RangeWithBitmap) segment).bitmap()) {
      ones += Integer.bitCount(bits & 0xFF);
    }
    return ones;
  }

  private static void selectWithin(
      U64Segment segment, long skip, int count, long[] destination, int offset) {
    if (segment instanceof U64Segment.Range range) {
      for (int i = 0; i < count; i++) {
        destination[offset + i] = range.start() + skip + i;
      }
    } else if (segment instanceof U64Segment.RangeWithHoles range) {
      selectBetweenHoles(range, skip, count, destination, offset);
    } else {
      selectBits((U64Segment.RangeWithBitmap) segment, skip, count, destination, offset);
    }
  }

  private static byte[] holes(U64Segment.RangeWithHoles range) {
    return ((EncodedU64Array.U32) range.holes()).offsets();
  }

  private static long hole(U64Segment.RangeWithHoles range, int index) {
    byte[] holes = holes(range);
    int at = index * Integer.BYTES;
    return ((EncodedU64Array.U32) range.holes()).base()
        + ((holes[at] & 0xFFL)
            | (holes[at + 1] & 0xFFL) << 8
            | (holes[at + 2] & 0xFFL) << 16
            | (holes[at + 3] & 0xFFL) << 24);
  }

  private static void selectBetweenHoles(
      U64Segment.RangeWithHoles range, long skip, int count, long[] destination, int offset) {
    int holes = holes(range).length / Integer.BYTES;
    int next = 0;
    long value = range.start() + skip;
    while (next < holes && hole(range, next) <= value) {
      value++;
      next++;
    }
    for (int i = 0; i < count; i++) {
      destination[offset + i] = value++;
      while (next < holes && hole(range, next) == value) {
        value++;
        next++;
      }
    }
  }

  private static void selectBits(
      U64Segment.RangeWithBitmap range, long skip, int count, long[] destination, int offset) {
    byte[] bitmap = range.bitmap();
    int at = 0;
    long left = skip;
    int ones = Integer.bitCount(bitmap[0] & 0xFF);
    while (left >= ones) {
      left -= ones;
      ones = Integer.bitCount(bitmap[++at] & 0xFF);
    }
    int bits = bitmap[at] & 0xFF;
    for (; left > 0; left--) {
      bits &= bits - 1;
    }
    new BytewiseBitmap(range, at, bits).next(destination, offset, count);
  }

  /** The sparse stream of pull request 8713, before 8715: one set bit after the other, by bytes. */
  static final class BytewiseBitmap {
    private final byte[] bitmap;
    private final long start;
    private int at;
    private int bits;

    BytewiseBitmap(U64Segment.RangeWithBitmap range, int at, int bits) {
      this.bitmap = range.bitmap();
      this.start = range.start();
      this.at = at;
      this.bits = bits;
    }

    void next(long[] destination, int offset, int count) {
      int left = bits;
      int byteAt = at;
      for (int i = offset; i < offset + count; i++) {
        while (left == 0) {
          left = bitmap[++byteAt] & 0xFF;
        }
        destination[i] = start + (long) byteAt * Byte.SIZE + Integer.numberOfTrailingZeros(left);
        left &= left - 1;
      }
      at = byteAt;
      bits = left;
    }
  }
}
