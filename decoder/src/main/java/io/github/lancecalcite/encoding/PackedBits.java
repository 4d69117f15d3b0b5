package io.github.lancecalcite.encoding;

import io.github.lancecalcite.DecodeException;

/** Bit strings and bit-packed values as 2.0 files have them: least significant bit first. */
public final class PackedBits {
  private PackedBits() {}

  /** The bits that are set in both of two strings of {@code count} bits. */
  public static Bytes and(Bytes a, Bytes b, int count) {
    byte[] out = new byte[(int) ((count + 7L) >>> 3)];
    a.require(0, out.length, "bits");
    b.require(0, out.length, "bits");
    for (int i = 0; i < out.length; i++) {
      out[i] = (byte) (a.array()[a.offset() + i] & b.array()[b.offset() + i]);
    }
    return Bytes.of(out);
  }

  /**
   * {@code count} bits from bit {@code first} on, moved so that they begin at bit 0 of a byte.
   *
   * @return the stretch itself where they do already
   */
  public static Bytes align(Bytes in, long first, int count) {
    long firstByte = first >>> 3;
    int shift = (int) (first & 7);
    int size = (int) ((count + 7L) >>> 3);
    in.require(firstByte, (shift + (long) count + 7) >>> 3, "bits");
    if (shift == 0) {
      return in.slice(firstByte, size, "bits");
    }
    byte[] out = new byte[size];
    int at = in.offset() + (int) firstByte;
    int end = in.offset() + in.length();
    byte[] from = in.array();
    for (int i = 0; i < size; i++) {
      int low = (from[at + i] & 0xff) >>> shift;
      int high = at + i + 1 < end ? (from[at + i + 1] & 0xff) << (8 - shift) : 0;
      out[i] = (byte) (low | high);
    }
    return Bytes.of(out);
  }

  /**
   * Unpacks values that stand back to back, {@code bits} bits each, into {@code width} bytes each.
   *
   * @param first bit of the first value
   * @param signed whether the highest packed bit is a sign to be extended
   */
  public static byte[] unpack(
      Bytes in, long first, int bits, int count, int width, boolean signed) {
    if (bits < 1 || bits > 64 || bits > width * 8) {
      throw new DecodeException(0, "packed bits", "1 to " + Math.min(64, width * 8), bits);
    }
    in.require(first >>> 3, ((first & 7) + (long) count * bits + 7) >>> 3, "bit-packed values");
    byte[] out = new byte[Math.multiplyExact(count, width)];
    for (int i = 0; i < count; i++) {
      long value = value(in, first + (long) i * bits, bits);
      if (signed) {
        value = value << (64 - bits) >> (64 - bits);
      }
      for (int b = 0; b < width; b++) {
        out[i * width + b] = (byte) (b < 8 ? value >>> (8 * b) : signed ? value >> 63 : 0);
      }
    }
    return out;
  }

  private static long value(Bytes in, long bit, int bits) {
    long value = 0;
    int got = 0;
    while (got < bits) {
      int shift = (int) (bit & 7);
      int take = Math.min(8 - shift, bits - got);
      long part = in.u8(bit >>> 3) >>> shift & ((1 << take) - 1);
      value |= part << got;
      got += take;
      bit += take;
    }
    return value;
  }
}
