package io.github.lancecalcite.encoding;

import io.github.lancecalcite.DecodeException;

/** Variable-width values that are FSST-compressed one by one. */
public final class FsstValues extends ValueDecoder {
  private final Fsst fsst;
  private final ValueDecoder inner;
  private final ValueBlock compressed = new ValueBlock();
  private byte[] bytes = new byte[0];

  /**
   * @param inner decodes the compressed values, variable-width
   */
  public FsstValues(Fsst fsst, ValueDecoder inner) {
    this.fsst = fsst;
    this.inner = inner;
  }

  @Override
  public int buffers() {
    return inner.buffers();
  }

  @Override
  public void decode(Bytes[] buffers, int first, int count, ValueBlock out) {
    inner.decode(buffers, first, count, compressed);
    long size = fsst.bound((long) compressed.offsets[count] - compressed.offsets[0]);
    if (size > Integer.MAX_VALUE - 8) {
      throw new DecodeException(0, "FSST values of a chunk", "below 2 GiB", size);
    }
    if (bytes.length < size) {
      bytes = new byte[(int) size];
    }
    int[] ends = out.variable(count, bytes);
    fsst.decompress(compressed.data, compressed.offsets, count, bytes, ends);
  }
}
