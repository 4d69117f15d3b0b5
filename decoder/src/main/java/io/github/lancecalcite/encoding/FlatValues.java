package io.github.lancecalcite.encoding;

/** Fixed-width values back to back: nothing to do but to check that they are there. */
public final class FlatValues extends ValueDecoder {
  private final long bits;

  /**
   * @param bits 1 or a multiple of 8
   */
  public FlatValues(long bits) {
    if (bits != 1 && (bits <= 0 || (bits & 7) != 0)) {
      throw new IllegalArgumentException(bits + " bits per value");
    }
    this.bits = bits;
  }

  @Override
  public int buffers() {
    return 1;
  }

  @Override
  public void decode(Bytes[] buffers, int first, int count, ValueBlock out) {
    Bytes in = buffers[first];
    in.require(0, bytes(bits, count), "flat values");
    out.fixed(count, bits, in.array(), in.offset());
  }

  /** Bytes that {@code count} values take. */
  static long bytes(long bits, long count) {
    return bits == 1 ? (count + 7) >>> 3 : Math.multiplyExact(bits >>> 3, count);
  }
}
