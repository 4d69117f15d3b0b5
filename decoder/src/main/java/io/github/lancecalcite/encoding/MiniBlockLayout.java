package io.github.lancecalcite.encoding;

import io.github.lancecalcite.DecodeException;

/**
 * Where the chunks of a mini-block page are, and what a chunk is made of.
 *
 * <pre>
 * chunk word   u16, or u32 for large chunks: low 4 bits log2 of the number of values (0 in the last
 *              chunk: the rest), other bits: bytes / 8 − 1
 * chunk        u16 number of levels
 *              u16 bytes of repetition levels   if there are any
 *              u16 bytes of definition levels   if there are any
 *              u16 or u32 bytes of each value buffer
 *              padding to 8, then levels and value buffers, each padded to 8
 * </pre>
 */
public final class MiniBlockLayout {
  private final long[] firstValues;
  private final long[] firstBytes;

  /**
   * @param words the chunk words
   * @param large whether they have 32 bits
   * @param items values of the page
   * @param chunkBytes bytes of all chunks
   */
  public MiniBlockLayout(Bytes words, boolean large, long items, long chunkBytes) {
    int wordBytes = large ? 4 : 2;
    int n = words.length() / wordBytes;
    firstValues = new long[n + 1];
    firstBytes = new long[n + 1];
    for (int i = 0; i < n; i++) {
      long word = large ? words.u32(4L * i) : words.u16(2L * i);
      long left = items - firstValues[i];
      int log = (int) (word & 15);
      long values = i == n - 1 ? left : 1L << log;
      if (values > left) {
        throw new DecodeException(
            (long) i * wordBytes, "values of chunk " + i, "at most " + left, values);
      }
      if (values > Integer.MAX_VALUE / 64) {
        throw new DecodeException(
            (long) i * wordBytes, "values of chunk " + i, "at most 2^25", values);
      }
      firstValues[i + 1] = firstValues[i] + values;
      firstBytes[i + 1] = firstBytes[i] + ((word >>> 4) + 1) * 8;
    }
    if (firstValues[n] != items) {
      throw new DecodeException(0, "values of all chunks", items, firstValues[n]);
    }
    if (firstBytes[n] > chunkBytes) {
      throw new DecodeException(0, "bytes of all chunks", "at most " + chunkBytes, firstBytes[n]);
    }
  }

  /** Number of chunks. */
  public int count() {
    return firstValues.length - 1;
  }

  /** Values of the page. */
  public long items() {
    return firstValues[firstValues.length - 1];
  }

  /** Values before a chunk; of the count: all values. */
  public long firstValue(int chunk) {
    return firstValues[chunk];
  }

  /** Bytes before a chunk; of the count: all bytes. */
  public long firstByte(int chunk) {
    return firstBytes[chunk];
  }

  /** The chunk that holds a value. */
  public int chunkOf(long value) {
    int low = 0;
    int high = Math.max(0, count() - 1);
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (firstValues[middle] <= value) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /**
   * The parts of a chunk besides its values.
   *
   * @param levels number of levels, 0 when the page has none
   */
  public record Header(int levels, Bytes rep, Bytes def) {}

  /**
   * Takes a chunk apart.
   *
   * @param values receives the value buffers
   */
  public static Header header(
      Bytes chunk, boolean hasRep, boolean hasDef, boolean large, Bytes[] values) {
    int levels = chunk.u16(0);
    int at = 2;
    int repBytes = 0;
    int defBytes = 0;
    if (hasRep) {
      repBytes = chunk.u16(at);
      at += 2;
    }
    if (hasDef) {
      defBytes = chunk.u16(at);
      at += 2;
    }
    int sizes = at;
    at = pad(at + values.length * (large ? 4 : 2));
    Bytes rep = chunk.slice(at, repBytes, "repetition levels");
    at = pad(at + repBytes);
    Bytes def = chunk.slice(at, defBytes, "definition levels");
    long next = pad(at + defBytes);
    for (int i = 0; i < values.length; i++) {
      long size = large ? chunk.u32(sizes + 4L * i) : chunk.u16(sizes + 2L * i);
      values[i] = chunk.slice(next, size, "value buffer " + i);
      next = (next + size + 7) & ~7L;
    }
    return new Header(levels, rep, def);
  }

  private static int pad(int size) {
    return (size + 7) & ~7;
  }
}
