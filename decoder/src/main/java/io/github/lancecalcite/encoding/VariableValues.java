package io.github.lancecalcite.encoding;

import io.github.lancecalcite.DecodeException;

/**
 * Variable-width values of a chunk: {@code n + 1} offsets of 32 or 64 bits, absolute in the buffer,
 * then the bytes. The first offset points behind the offsets.
 */
public final class VariableValues extends ValueDecoder {
  private final int offsetBytes;

  /**
   * @param offsetBits 32 or 64
   */
  public VariableValues(long offsetBits) {
    if (offsetBits != 32 && offsetBits != 64) {
      throw new IllegalArgumentException("offsets of " + offsetBits + " bits");
    }
    this.offsetBytes = (int) offsetBits / 8;
  }

  @Override
  public int buffers() {
    return 1;
  }

  @Override
  public void decode(Bytes[] buffers, int first, int count, ValueBlock out) {
    Bytes in = buffers[first];
    in.require(0, (count + 1L) * offsetBytes, "offsets");
    int[] offsets = out.variable(count, in.array());
    read(in, 0, offsetBytes, count, in.offset(), offsets, in.length());
  }

  /**
   * Reads {@code count + 1} ascending offsets from {@code at} on, each moved by {@code base}.
   *
   * @param limit greatest offset allowed, before it is moved
   */
  static void read(
      Bytes in, int at, int offsetBytes, int count, int base, int[] offsets, long limit) {
    long previous = 0;
    for (int i = 0; i <= count; i++) {
      long where = at + (long) i * offsetBytes;
      long offset = offsetBytes == 4 ? in.u32(where) : in.i64(where);
      if (offset < previous || offset > limit) {
        throw new DecodeException(
            where,
            "offset " + i,
            "from " + previous + " to " + limit,
            Long.toUnsignedString(offset));
      }
      previous = offset;
      offsets[i] = base + (int) offset;
    }
  }
}
