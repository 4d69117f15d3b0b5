package io.github.lancecalcite.encoding;

/**
 * Decodes the values of one chunk from its buffers. Resettable, owns nothing but scratch; not safe
 * for threads.
 */
public abstract class ValueDecoder {
  /** Number of buffers of a chunk that this decoder takes. */
  public abstract int buffers();

  /**
   * Decodes {@code count} values from {@code buffers[first … first + buffers())}.
   *
   * @throws io.github.lancecalcite.DecodeException if the bytes do not hold them
   */
  public abstract void decode(Bytes[] buffers, int first, int count, ValueBlock out);
}
