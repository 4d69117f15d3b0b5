package io.github.lancecalcite.rowid;

import io.github.lancecalcite.format.EncodedU64Array;
import io.github.lancecalcite.format.U64Segment;
import java.util.Random;
import java.util.function.IntPredicate;

/** Makes segments of every kind, width and shape. */
public final class Segments {
  private Segments() {}

  public static U64Segment range(long start, long end) {
    return new U64Segment.Range(start, end);
  }

  public static U64Segment holes(long start, long end, long... holes) {
    return new U64Segment.RangeWithHoles(start, end, narrowest(holes));
  }

  /** A bitmap over {@code slots} slots whose slot i is set where the predicate holds. */
  public static U64Segment.RangeWithBitmap bitmap(long start, int slots, IntPredicate set) {
    byte[] bitmap = new byte[(slots + 7) / 8];
    for (int i = 0; i < slots; i++) {
      if (set.test(i)) {
        bitmap[i / 8] |= (byte) (1 << i % 8);
      }
    }
    return new U64Segment.RangeWithBitmap(start, start + slots, bitmap);
  }

  public static U64Segment sorted(long... values) {
    return new U64Segment.SortedArray(narrowest(values));
  }

  public static U64Segment array(long... values) {
    return new U64Segment.Array(narrowest(values));
  }

  /** In the narrowest width that holds max − min, as Lance chooses it. */
  public static EncodedU64Array narrowest(long... values) {
    long min = -1L;
    long max = 0;
    for (long value : values) {
      min = Long.compareUnsigned(value, min) < 0 ? value : min;
      max = Long.compareUnsigned(value, max) > 0 ? value : max;
    }
    if (values.length == 0) {
      return encode(2, 0);
    }
    if (Long.compareUnsigned(max - min, 0xFFFF) <= 0) {
      return encode(2, min, values);
    }
    return Long.compareUnsigned(max - min, 0xFFFF_FFFFL) <= 0
        ? encode(4, min, values)
        : encode(8, 0, values);
  }

  /** In a given width: 2, 4 or 8 bytes. */
  public static EncodedU64Array encode(int width, long base, long... values) {
    byte[] bytes = new byte[values.length * width];
    for (int i = 0; i < values.length; i++) {
      for (int b = 0; b < width; b++) {
        bytes[i * width + b] = (byte) (values[i] - base >>> 8 * b);
      }
    }
    return switch (width) {
      case 2 -> new EncodedU64Array.U16(base, bytes);
      case 4 -> new EncodedU64Array.U32(base, bytes);
      default -> new EncodedU64Array.U64(bytes);
    };
  }

  /** Some segment of any kind, with up to {@code slots} values at or after {@code start}. */
  public static U64Segment random(Random random, long start, int slots) {
    int width = 2 << random.nextInt(3);
    return switch (random.nextInt(9)) {
      case 0 -> range(start, start + slots);
      case 1 -> {
        int step = 1 + random.nextInt(40);
        yield holes(start, start + slots, randomSlots(random, start, slots, step));
      }
      case 2 -> bitmap(start, slots, i -> random.nextBoolean());
      case 3 -> bitmap(start, slots, i -> random.nextInt(17) != 0);
      case 4 -> bitmap(start, slots, i -> random.nextInt(30) == 0);
      case 5 -> bitmap(start, slots, i -> i / 70 % 2 == 0);
      case 6 -> {
        boolean all = random.nextBoolean();
        yield bitmap(start, slots, i -> all);
      }
      case 7 ->
          new U64Segment.SortedArray(
              encode(width, width == 8 ? 0 : start, randomSlots(random, start, slots, 2)));
      default -> {
        long[] values = randomSlots(random, start, slots, 3);
        for (int i = values.length - 1; i > 0; i--) {
          int j = random.nextInt(i + 1);
          long swap = values[i];
          values[i] = values[j];
          values[j] = swap;
        }
        yield new U64Segment.Array(encode(width, width == 8 ? 0 : start, values));
      }
    };
  }

  /** Ascending different values, about one of {@code step}. */
  private static long[] randomSlots(Random random, long start, int slots, int step) {
    return java.util.stream.IntStream.range(0, Math.min(slots, 0xFFFF))
        .filter(i -> random.nextInt(step) == 0)
        .mapToLong(i -> start + i)
        .toArray();
  }
}
