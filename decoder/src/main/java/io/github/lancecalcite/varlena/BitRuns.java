package io.github.lancecalcite.varlena;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Runs of bits in raw memory, least significant bit first, whole words where both sides allow it.
 * Pure functions; that the memory is there, the caller knows. Of the source no byte is read beyond
 * the one that holds the last bit; of the destination, bits below the run stay, and those above it
 * in its last byte become 0.
 */
public final class BitRuns {
  private BitRuns() {}

  /** Whether a bit is set. */
  static boolean get(long address, long bit) {
    return (MemoryUtil.getByte(address + (bit >>> 3)) >>> (bit & 7) & 1) != 0;
  }

  /** Clears a bit. */
  static void clear(long address, long bit) {
    long at = address + (bit >>> 3);
    MemoryUtil.putByte(at, (byte) (MemoryUtil.getByte(at) & ~(1 << (bit & 7))));
  }

  /** Copies {@code count} bits. The runs do not overlap, unless they are one and the same. */
  public static void copy(long from, long fromBit, long to, long toBit, long count) {
    int inByte = (int) (toBit & 7);
    if (inByte != 0 && count > 0) {
      int n = (int) Math.min(8 - inByte, count);
      long at = to + (toBit >>> 3);
      int kept = MemoryUtil.getByte(at) & (1 << inByte) - 1;
      MemoryUtil.putByte(at, (byte) (kept | bits(from, fromBit, n) << inByte));
      fromBit += n;
      toBit += n;
      count -= n;
    }
    long in = from + (fromBit >>> 3);
    long out = to + (toBit >>> 3);
    int shift = (int) (fromBit & 7);
    long words = count >>> 6;
    if (shift == 0) {
      MemoryUtil.copyMemory(in, out, words << 3);
    } else {
      for (long i = 0; i < words; i++) {
        long low = MemoryUtil.getLong(in + (i << 3)) >>> shift;
        long high = (MemoryUtil.getByte(in + (i << 3) + 8) & 0xffL) << 64 - shift;
        MemoryUtil.putLong(out + (i << 3), low | high);
      }
    }
    fromBit += words << 6;
    out += words << 3;
    for (count &= 63; count > 0; count -= 8) {
      int n = (int) Math.min(8, count);
      MemoryUtil.putByte(out++, (byte) bits(from, fromBit, n));
      fromBit += n;
    }
  }

  /** Writes the first {@code count} bits of words, the lowest of each first. */
  static void put(long[] words, long to, long toBit, int count) {
    int inByte = (int) (toBit & 7);
    long out = to + (toBit >>> 3);
    long carried = inByte == 0 ? 0 : MemoryUtil.getByte(out) & (1L << inByte) - 1;
    int left = inByte + count;
    for (int w = 0; left > 0; w++, out += 8, left -= 64) {
      long word = w < words.length ? words[w] : 0;
      long bits = carried | word << inByte;
      carried = inByte == 0 ? 0 : word >>> 64 - inByte;
      if (left >= 64) {
        MemoryUtil.putLong(out, bits);
      } else {
        for (int n = 0; n < left; n += 8) {
          int kept = (1 << Math.min(8, left - n)) - 1;
          MemoryUtil.putByte(out + (n >>> 3), (byte) (bits >>> n & kept));
        }
      }
    }
  }

  /** Makes {@code count} bits equal. */
  public static void fill(long to, long toBit, long count, boolean value) {
    int inByte = (int) (toBit & 7);
    int ones = value ? 0xff : 0;
    if (inByte != 0 && count > 0) {
      int n = (int) Math.min(8 - inByte, count);
      long at = to + (toBit >>> 3);
      int kept = MemoryUtil.getByte(at) & (1 << inByte) - 1;
      MemoryUtil.putByte(at, (byte) (kept | (ones & (1 << n) - 1) << inByte));
      toBit += n;
      count -= n;
    }
    long out = to + (toBit >>> 3);
    MemoryUtil.setMemory(out, count >>> 3, (byte) ones);
    if ((count & 7) != 0) {
      MemoryUtil.putByte(out + (count >>> 3), (byte) (ones & (1 << (count & 7)) - 1));
    }
  }

  /** Number of bits of the run that are set. */
  static long count(long address, long bit, long count) {
    long set = 0;
    int inByte = (int) (bit & 7);
    if (inByte != 0 && count > 0) {
      int n = (int) Math.min(8 - inByte, count);
      set += Integer.bitCount(bits(address, bit, n));
      bit += n;
      count -= n;
    }
    long at = address + (bit >>> 3);
    for (; count >= 64; count -= 64, at += 8, bit += 64) {
      set += Long.bitCount(MemoryUtil.getLong(at));
    }
    for (; count > 0; count -= 8, bit += 8) {
      set += Integer.bitCount(bits(address, bit, (int) Math.min(8, count)));
    }
    return set;
  }

  /** {@code n} (1 to 8) bits in the lowest bits of the result. */
  private static int bits(long address, long bit, int n) {
    long at = address + (bit >>> 3);
    int shift = (int) (bit & 7);
    int value = (MemoryUtil.getByte(at) & 0xff) >>> shift;
    if (shift + n > 8) {
      value |= (MemoryUtil.getByte(at + 1) & 0xff) << 8 - shift;
    }
    return value & (1 << n) - 1;
  }
}
