package io.github.lancecalcite.encoding;

import java.util.function.UnaryOperator;

/** General compression of a chunk's first value buffer; the others are stored as they are. */
public final class GeneralValues extends ValueDecoder {
  private final UnaryOperator<Bytes> decompressor;
  private final ValueDecoder inner;
  private final Bytes[] decompressed;

  /**
   * @param decompressor {@link Compression#lz4} or {@link Compression#zstd}
   */
  public GeneralValues(UnaryOperator<Bytes> decompressor, ValueDecoder inner) {
    this.decompressor = decompressor;
    this.inner = inner;
    this.decompressed = new Bytes[inner.buffers()];
  }

  @Override
  public int buffers() {
    return inner.buffers();
  }

  @Override
  public void decode(Bytes[] buffers, int first, int count, ValueBlock out) {
    System.arraycopy(buffers, first, decompressed, 0, decompressed.length);
    if (decompressed.length > 0) {
      decompressed[0] = decompressor.apply(buffers[first]);
    }
    inner.decode(decompressed, 0, count, out);
  }
}
