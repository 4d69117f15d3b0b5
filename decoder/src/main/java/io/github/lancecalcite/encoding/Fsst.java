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
 * A code byte below 255 stands for a symbol, 255 for the literal byte after it. One thread: it
 * keeps scratch.
 */
public final class Fsst {
  private static final int ESCAPE = 255;
  private static final int MAX_SYMBOL = 8;
  private static final int HEADER_MAGIC = 0x46535354;

  private final boolean compressed;
  private final long[] symbols = new long[256];

  /** Bytes of each symbol, 0 where there is none. */
  private final byte[] lengths = new byte[256];

  private int[] places = new int[0];

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

  /**
   * Decompresses consecutive values.
   *
   * <p>Equals: {@link #decompress(byte[], int, int, byte[], int)} of each. All codes go through one
   * loop, which notes where their bytes begin, and the ends are looked up afterwards: a loop per
   * value would mispredict the end of nearly every value.
   *
   * @param from compressed values, value i in {@code [offsets[i], offsets[i + 1])}
   * @param to has room for {@link #bound} bytes
   * @param ends receives {@code count + 1} ends, the first 0
   */
  public void decompress(byte[] from, int[] offsets, int count, byte[] to, int[] ends) {
    int start = offsets[0];
    int size = offsets[count] - start;
    if (!compressed) {
      System.arraycopy(from, start, to, 0, size);
      for (int i = 0; i <= count; i++) {
        ends[i] = offsets[i] - start;
      }
      return;
    }
    if (places.length <= size) {
      places = new int[Math.max(size + 1, 2 * places.length)];
    }
    int[] at = places;
    expand(from, start, size, to, at);
    for (int i = 0; i <= count; i++) {
      int place = offsets[i] - start;
      if (place < 0 || place > size) {
        throw new DecodeException(offsets[i], "end of FSST value " + i, "0 to " + size, place);
      }
      int end = at[place];
      if (end < 0) {
        throw new DecodeException(
            offsets[i] - 1, "FSST escape", "a literal byte after it", "the end");
      }
      ends[i] = end;
    }
  }

  /**
   * @param at receives for each compressed byte where its output begins, −1 for a literal's, and
   *     behind the last one the end
   */
  private void expand(byte[] from, int start, int size, byte[] to, int[] at) {
    at[0] = 0;
    int in = 0;
    while (in < size) {
      in = expandSymbols(from, start, in, size, to, at);
      in = expandFew(from, start, in, size, to, at);
    }
  }

  /**
   * Four codes at a time, as long as all of them have symbols; alone in a method and counted, so
   * that HotSpot checks the bounds of codes and places once.
   *
   * @return the first code that was not expanded; its place is noted
   */
  private int expandSymbols(byte[] from, int start, int first, int size, byte[] to, int[] at) {
    byte[] lengthOf = lengths;
    long[] symbolOf = symbols;
    int out = at[first];
    int in = first;
    for (; in < size - 3; in += 4) {
      int a = from[start + in] & 0xff;
      int b = from[start + in + 1] & 0xff;
      int c = from[start + in + 2] & 0xff;
      int d = from[start + in + 3] & 0xff;
      int lengthA = lengthOf[a];
      int lengthB = lengthOf[b];
      int lengthC = lengthOf[c];
      int lengthD = lengthOf[d];
      if ((lengthA - 1 | lengthB - 1 | lengthC - 1 | lengthD - 1) < 0) {
        break;
      }
      int atB = out + lengthA;
      int atC = atB + lengthB;
      int atD = atC + lengthC;
      // eight bytes at once; what is too much is overwritten by the next symbol
      Bytes.LONG.set(to, out, symbolOf[a]);
      Bytes.LONG.set(to, atB, symbolOf[b]);
      Bytes.LONG.set(to, atC, symbolOf[c]);
      Bytes.LONG.set(to, atD, symbolOf[d]);
      out = atD + lengthD;
      at[in + 1] = atB;
      at[in + 2] = atC;
      at[in + 3] = atD;
      at[in + 4] = out;
    }
    return in;
  }

  /** Up to four codes, one by one: among them is one without a symbol, or they are the last. */
  private int expandFew(byte[] from, int start, int first, int size, byte[] to, int[] at) {
    int in = first;
    int out = at[first];
    for (int stop = Math.min(size, first + 4); in < stop; ) {
      int code = from[start + in++] & 0xff;
      int length = lengths[code];
      if (length > 0) {
        Bytes.LONG.set(to, out, symbols[code]);
        out += length;
      } else if (code != ESCAPE) {
        throw new DecodeException(start + in - 1, "FSST code", "a code of the symbol table", code);
      } else {
        at[in] = -1; // between an escape and its byte no value may end
        if (in == size) {
          break;
        }
        to[out++] = from[start + in++];
      }
      at[in] = out;
    }
    return in;
  }
}
