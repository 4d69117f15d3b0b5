package io.github.lancecalcite.rowid;

import io.github.lancecalcite.format.EncodedU64Array;
import io.github.lancecalcite.format.U64Segment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the format page says, one value at a time: the values of stored segments, found without any
 * of the code under test. Slow on purpose.
 */
public final class SequenceOracle {
  private SequenceOracle() {}

  /** All values of the segments, one after the other. */
  public static long[] values(List<U64Segment> segments) {
    return segments.stream()
        .map(SequenceOracle::values)
        .flatMap(List::stream)
        .mapToLong(Long::longValue)
        .toArray();
  }

  /** All values of one segment. */
  public static List<Long> values(U64Segment segment) {
    List<Long> values = new java.util.ArrayList<>();
    if (segment instanceof U64Segment.Range range) {
      for (long v = range.start(); v != range.end(); v++) {
        values.add(v);
      }
    } else if (segment instanceof U64Segment.RangeWithHoles range) {
      Set<Long> holes = new HashSet<>(values(range.holes()));
      for (long v = range.start(); v != range.end(); v++) {
        if (!holes.contains(v)) {
          values.add(v);
        }
      }
    } else if (segment instanceof U64Segment.RangeWithBitmap range) {
      for (long i = 0; range.start() + i != range.end(); i++) {
        if ((range.bitmap()[(int) (i / 8)] >> (i % 8) & 1) == 1) {
          values.add(range.start() + i);
        }
      }
    } else if (segment instanceof U64Segment.SortedArray array) {
      values.addAll(values(array.values()));
    } else if (segment instanceof U64Segment.Array array) {
      values.addAll(values(array.values()));
    }
    return values;
  }

  private static List<Long> values(EncodedU64Array array) {
    List<Long> values = new java.util.ArrayList<>();
    if (array instanceof EncodedU64Array.U16 u16) {
      for (int i = 0; i < u16.offsets().length; i += 2) {
        values.add(u16.base() + littleEndian(u16.offsets(), i, 2));
      }
    } else if (array instanceof EncodedU64Array.U32 u32) {
      for (int i = 0; i < u32.offsets().length; i += 4) {
        values.add(u32.base() + littleEndian(u32.offsets(), i, 4));
      }
    } else if (array instanceof EncodedU64Array.U64 u64) {
      for (int i = 0; i < u64.values().length; i += 8) {
        values.add(littleEndian(u64.values(), i, 8));
      }
    }
    return values;
  }

  private static long littleEndian(byte[] bytes, int at, int width) {
    long value = 0;
    for (int i = width - 1; i >= 0; i--) {
      value = value << 8 | bytes[at + i] & 0xFF;
    }
    return value;
  }
}
