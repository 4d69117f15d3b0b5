package io.github.lancecalcite.encoding;

import io.github.lancecalcite.DecodeException;

/** One FastLanes block whose width stands in its first word of T bits. */
public final class InlineBitpackedValues extends ValueDecoder {
  private final int bits;
  private final FastLanes lanes = new FastLanes();
  private final byte[] unpacked;

  /**
   * @param bits T: 8, 16, 32 or 64
   */
  public InlineBitpackedValues(long bits) {
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
      throw new IllegalArgumentException(bits + " bits per value");
    }
    this.bits = (int) bits;
    this.unpacked = new byte[FastLanes.BLOCK * this.bits / 8];
  }

  @Override
  public int buffers() {
    return 1;
  }

  @Override
  public void decode(Bytes[] buffers, int first, int count, ValueBlock out) {
    Bytes in = buffers[first];
    if (count > FastLanes.BLOCK) {
      throw new DecodeException(0, "values of a bit-packed chunk", "at most 1024", count);
    }
    int width = width(in, bits);
    lanes.unpack(bits, width, in.array(), in.offset() + bits / 8, unpacked, 0, count);
    out.fixed(count, bits, unpacked, 0);
  }

  /** Reads and checks the width, and that the block behind it is there. */
  static int width(Bytes in, int bits) {
    long width =
        switch (bits) {
          case 8 -> in.u8(0);
          case 16 -> in.u16(0);
          case 32 -> in.u32(0);
          default -> in.i64(0);
        };
    if (width < 0 || width > bits) {
      throw new DecodeException(
          0, "packed width", "0 to " + bits + " bits", Long.toUnsignedString(width));
    }
    in.require(bits / 8, FastLanes.packedBytes((int) width), "bit-packed block");
    return (int) width;
  }
}
