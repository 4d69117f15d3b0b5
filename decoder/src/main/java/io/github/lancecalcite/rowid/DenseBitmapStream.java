package io.github.lancecalcite.rowid;

/**
 * Expands whole words: a full one is a run of 64, one with few zeros is cut into runs at them, any
 * other goes byte by byte through a table.
 */
final class DenseBitmapStream extends BitmapStream {
  /**
   * With more zeros than this, mispredicted branches at the ends of runs cost more than bytes do.
   */
  private static final int FEW_ZEROS = 2;

  /** Eight longs per byte value: where its set bits are, ascending, then zeros. */
  private static final long[] SET_BITS = setBits();

  DenseBitmapStream(BitmapSegment segment) {
    super(segment);
  }

  @Override
  void expand(long[] destination, int offset, int count) {
    int at = offset;
    int end = offset + count;
    int w = word;
    long left = bits;
    while (at < end) {
      while (left == 0) {
        left = words[++w];
      }
      long base = start + (long) w * Long.SIZE;
      if (left == -1L && end - at >= Long.SIZE) {
        iota(destination, at, Long.SIZE, base);
        at += Long.SIZE;
        left = 0;
        continue;
      }
      if (end - at >= Long.SIZE + 8) {
        at = expandWord(destination, at, base, left);
        left = 0;
        continue;
      }
      int from = Long.numberOfTrailingZeros(left);
      int run = Math.min(Long.numberOfTrailingZeros(~(left >>> from)), end - at);
      iota(destination, at, run, base + from);
      at += run;
      // two shifts: a run up to bit 63 would shift by the full width, which Java takes as none
      left &= -1L << from + run - 1 << 1;
    }
    word = w;
    bits = left;
  }

  /**
   * Writes all set bits of a word and returns where the next id goes. What goes past the last id is
   * overwritten by the next word's, so it stays below {@code at + 72}.
   */
  private static int expandWord(long[] destination, int at, long base, long bits) {
    return Long.bitCount(~bits) <= FEW_ZEROS
        ? expandRuns(destination, at, base, bits)
        : expandBytes(destination, at, base, bits);
  }

  /** Run by run, in steps of eight stores: what goes past a run's end, the next one overwrites. */
  private static int expandRuns(long[] destination, int at, long base, long bits) {
    int next = at;
    long left = bits;
    while (left != 0) {
      int from = Long.numberOfTrailingZeros(left);
      int run = Long.numberOfTrailingZeros(~(left >>> from));
      long id = base + from;
      int stop = next + run;
      for (int i = next; i < stop; i += 8) {
        destination[i] = id;
        destination[i + 1] = id + 1;
        destination[i + 2] = id + 2;
        destination[i + 3] = id + 3;
        destination[i + 4] = id + 4;
        destination[i + 5] = id + 5;
        destination[i + 6] = id + 6;
        destination[i + 7] = id + 7;
        id += 8;
      }
      next = stop;
      left &= -1L << from + run - 1 << 1;
    }
    return next;
  }

  /** Byte by byte, always eight stores each: no branch depends on the bits. */
  private static int expandBytes(long[] destination, int at, long base, long bits) {
    int next = at;
    long id = base;
    long left = bits;
    for (int i = 0; i < Long.BYTES; i++) {
      int value = (int) left & 0xFF;
      int row = value * Byte.SIZE;
      destination[next] = id + SET_BITS[row];
      destination[next + 1] = id + SET_BITS[row + 1];
      destination[next + 2] = id + SET_BITS[row + 2];
      destination[next + 3] = id + SET_BITS[row + 3];
      destination[next + 4] = id + SET_BITS[row + 4];
      destination[next + 5] = id + SET_BITS[row + 5];
      destination[next + 6] = id + SET_BITS[row + 6];
      destination[next + 7] = id + SET_BITS[row + 7];
      next += Integer.bitCount(value);
      id += Byte.SIZE;
      left >>>= Byte.SIZE;
    }
    return next;
  }

  private static long[] setBits() {
    long[] table = new long[256 * Byte.SIZE];
    for (int value = 0; value < 256; value++) {
      int next = value * Byte.SIZE;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        if ((value >>> bit & 1) != 0) {
          table[next++] = bit;
        }
      }
    }
    return table;
  }
}
