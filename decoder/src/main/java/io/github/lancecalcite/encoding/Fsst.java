package io.github.lancecalcite.encoding;

import io.github.lancecalcite.DecodeException;

/**
 * Decompresses FSST values against one symbol table.
 *
 * <pre>
 * u64 header: bits 63–32 "FSST" (0x46535354), bit 24 compression on, bits 7–0 number of symbols n
 * n × 8 bytes symbols, then n length bytes; the rest is padding
 * </pre>
 *
 * A code byte below 255 stands for a symbol, 255 for the literal byte after it. Immutable.
 */
public final class Fsst {
  private static final int ESCAPE = 255;
  private static final int MAX_SYMBOL = 8;
  private static final int HEADER_MAGIC = 0x46535354;

  private final boolean compressed;
  private final long[] symbols = new long[256];
  private final byte[] lengths = new byte[256];

  /** Reads a symbol table. */
  public Fsst(byte[] table) {
    Bytes bytes = Bytes.of(table);
    long header = bytes.i64(0);
    if ((int) (header >>> 32) != HEADER_MAGIC) {
      throw new DecodeException(
          0, "FSST symbol table", "magic 46535354", Long.toHexString(header >>> 32));
    }
    compressed = (header >>> 24 & 1) != 0;
    int n = (int) (header & 0xff);
    bytes.require(8, 9L * n, "FSST symbols");
    for (int i = 0; i < n; i++) {
      symbols[i] = bytes.i64(8 + 8L * i);
      int length = bytes.u8(8 + 8L * n + i);
      if (length < 1 || length > MAX_SYMBOL) {
        throw new DecodeException(8 + 8L * n + i, "FSST symbol length", "1 to 8", length);
      }
      lengths[i] = (byte) length;
    }
  }

  /**
   * Upper bound of the bytes that {@code size} compressed bytes make, with room to write in words.
   */
  public long bound(long size) {
    return (compressed ? size * MAX_SYMBOL : size) + MAX_SYMBOL;
  }

  /**
   * Decompresses one value.
   *
   * @param to has room for {@link #bound} bytes from {@code at} on
   * @return the position after the last byte written
   */
  public int decompress(byte[] from, int start, int end, byte[] to, int at) {
    if (!compressed) {
      System.arraycopy(from, start, to, at, end - start);
      return at + end - start;
    }
    int in = start;
    int out = at;
    while (in < end) {
      int code = from[in++] & 0xff;
      if (code != ESCAPE) {
        int length = lengths[code];
        if (length == 0) {
          throw new DecodeException(in - 1, "FSST code", "a code of the symbol table", code);
        }
        // eight bytes at once; what is too much is overwritten by the next symbol
        Bytes.LONG.set(to, out, symbols[code]);
        out += length;
      } else if (in < end) {
        to[out++] = from[in++];
      } else {
        throw new DecodeException(in - 1, "FSST escape", "a literal byte after it", "the end");
      }
    }
    return out;
  }
}
