package io.github.lancecalcite.dataset;

import org.apache.arrow.memory.ArrowBuf;

/** Copies runs of bits between Arrow buffers, least significant bit first. Pure functions. */
final class BitCopy {
  private BitCopy() {}

  /**
   * Copies {@code count} bits into a stretch of zero bits; bits outside the stretch stay as they
   * are.
   *
   * <p>Equals: {@code for (i < count) to[toBit + i] |= from[fromBit + i]}.
   */
  static void copy(ArrowBuf from, long fromBit, ArrowBuf to, long toBit, long count) {
    if (((fromBit | toBit) & 7) == 0) {
      long bytes = count >>> 3;
      to.setBytes(toBit >>> 3, from, fromBit >>> 3, bytes);
      fromBit += bytes << 3;
      toBit += bytes << 3;
      count -= bytes << 3;
    }
    while (count > 0) {
      int inByte = (int) (toBit & 7);
      int n = (int) Math.min(8 - inByte, count);
      int bits = bits(from, fromBit, n) << inByte;
      long at = toBit >>> 3;
      to.setByte(at, to.getByte(at) | bits);
      fromBit += n;
      toBit += n;
      count -= n;
    }
  }

  /** {@code n} (1 to 8) bits from a bit position on, in the low bits of the result. */
  private static int bits(ArrowBuf from, long bit, int n) {
    long at = bit >>> 3;
    int shift = (int) (bit & 7);
    int value = (from.getByte(at) & 0xff) >>> shift;
    if (shift + n > 8) {
      value |= (from.getByte(at + 1) & 0xff) << (8 - shift);
    }
    return value & ((1 << n) - 1);
  }
}
