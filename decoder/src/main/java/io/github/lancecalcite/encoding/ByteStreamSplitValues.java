package io.github.lancecalcite.encoding;

/** Byte planes: byte j of value i stands at {@code j·n + i}. */
public final class ByteStreamSplitValues extends ValueDecoder {
  private final int width;
  private byte[] joined = new byte[0];

  /**
   * @param bits bits per value, a multiple of 8
   */
  public ByteStreamSplitValues(long bits) {
    if (bits <= 0 || (bits & 7) != 0 || bits > 2048) {
      throw new IllegalArgumentException(bits + " bits per value");
    }
    this.width = (int) bits / 8;
  }

  @Override
  public int buffers() {
    return 1;
  }

  @Override
  public void decode(Bytes[] buffers, int first, int count, ValueBlock out) {
    Bytes in = buffers[first];
    int size = Math.multiplyExact(count, width);
    in.require(0, size, "byte planes");
    if (joined.length < size) {
      joined = new byte[size];
    }
    for (int plane = 0; plane < width; plane++) {
      join(in.array(), in.offset() + plane * count, joined, plane, width, count);
    }
    out.fixed(count, width * 8L, joined, 0);
  }

  private static void join(byte[] from, int at, byte[] to, int plane, int width, int count) {
    for (int i = 0; i < count; i++) {
      to[i * width + plane] = from[at + i];
    }
  }
}
