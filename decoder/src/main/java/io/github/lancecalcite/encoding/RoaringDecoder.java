package io.github.lancecalcite.encoding;

import io.github.lancecalcite.DecodeException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Decodes the portable serialization of a 32-bit Roaring bitmap into plain bitmap words.
 *
 * <pre>
 * u32 cookie   12346: u32 container count follows, no run containers
 *              low half 12347: high half + 1 is the count, then one bit per container: is it runs?
 * per container        u16 key (high half of its values), u16 cardinality - 1
 * per container        u32 offset; only without runs or from 4 containers on; not needed to read
 * containers in order  runs:    u16 number of runs, per run u16 start, u16 length - 1
 *                      array:   cardinality up to 4096: ascending u16 values
 *                      bitmap:  above: 1024 little-endian u64
 * </pre>
 *
 * All numbers are little-endian. Everything is checked before it is used: a bitmap that decodes is
 * well-formed to its last byte. Source: the RoaringFormatSpec of the Roaring project.
 */
public final class RoaringDecoder {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int COOKIE_NO_RUNS = 12346;
  private static final int COOKIE_RUNS = 12347;
  private static final int MAX_CONTAINERS = 1 << 16;
  private static final int OFFSETS_FROM_CONTAINERS = 4;
  private static final int MAX_ARRAY_VALUES = 4096;
  private static final int WORDS_PER_CONTAINER = 1024;

  private final byte[] bytes;
  private final long[] words;
  private final long limit;
  private int at;

  // known once the headers are read
  private boolean anyRuns;
  private int containers;
  private int runFlags;
  private int headers;

  private RoaringDecoder(byte[] bytes, long[] words, long limit) {
    this.bytes = bytes;
    this.words = words;
    this.limit = limit;
  }

  /**
   * Sets bit i of {@code words} for every value i and returns the number of values.
   *
   * @param limit values must be below it; at most {@code 64 * words.length}
   * @throws DecodeException if the bytes are not exactly one bitmap of such values
   */
  public static long decode(byte[] bytes, long[] words, long limit) {
    if (limit < 0 || limit > 64L * words.length) {
      throw new IllegalArgumentException("limit " + limit + " for " + words.length + " words");
    }
    return new RoaringDecoder(bytes, words, limit).decode();
  }

  /**
   * A bound above every value, a multiple of 65,536, from the container headers alone; 0 for none.
   *
   * @throws DecodeException if there are no such headers
   */
  public static long limit(byte[] bytes) {
    RoaringDecoder decoder = new RoaringDecoder(bytes, new long[0], 0);
    decoder.readHeaders();
    return decoder.containers == 0 ? 0 : decoder.key(decoder.containers - 1) + 1L << 16;
  }

  private void readHeaders() {
    int cookie = i32("cookie");
    anyRuns = (cookie & 0xFFFF) == COOKIE_RUNS;
    long count;
    if (anyRuns) {
      count = (cookie >>> 16) + 1;
    } else if (cookie == COOKIE_NO_RUNS) {
      count = i32("container count") & 0xFFFFFFFFL;
    } else {
      throw corrupt(0, "cookie", COOKIE_NO_RUNS + " or " + COOKIE_RUNS, cookie);
    }
    if (count > MAX_CONTAINERS) {
      throw corrupt(4, "container count", "at most " + MAX_CONTAINERS, count);
    }
    containers = (int) count;
    runFlags = at;
    if (anyRuns) {
      skip((containers + 7) / 8, "run flags");
    }
    headers = at;
    skip(4 * containers, "container headers");
    if (!anyRuns || containers >= OFFSETS_FROM_CONTAINERS) {
      skip(4 * containers, "container offsets");
    }
  }

  private int key(int container) {
    return u16(headers + 4 * container);
  }

  private long decode() {
    readHeaders();
    long total = 0;
    int previousKey = -1;
    for (int i = 0; i < containers; i++) {
      int key = key(i);
      int cardinality = u16(headers + 4 * i + 2) + 1;
      if (key <= previousKey) {
        throw corrupt(headers + 4 * i, "container key", "above " + previousKey, key);
      }
      previousKey = key;
      boolean runs = anyRuns && (bytes[runFlags + (i >> 3)] >> (i & 7) & 1) != 0;
      long base = (long) key << 16;
      if (runs) {
        runs(base, cardinality);
      } else if (cardinality <= MAX_ARRAY_VALUES) {
        array(base, cardinality);
      } else {
        bitmap(base, cardinality);
      }
      total += cardinality;
    }
    if (at != bytes.length) {
      throw corrupt(at, "end of the bitmap", bytes.length + " bytes", at + " bytes used");
    }
    return total;
  }

  private void runs(long base, int cardinality) {
    int header = at;
    skip(2, "run count");
    int runs = u16(header);
    int from = at;
    skip(4 * runs, "runs");
    int previousEnd = -1;
    int found = 0;
    for (int i = 0; i < runs; i++) {
      int start = u16(from + 4 * i);
      int end = start + u16(from + 4 * i + 2);
      if (start <= previousEnd || end > 0xFFFF) {
        throw corrupt(
            from + 4 * i,
            "run",
            "inside its container, after " + previousEnd,
            start + " to " + end);
      }
      checkValue(base + end, from + 4 * i);
      setRange(base + start, base + end + 1);
      found += end - start + 1;
      previousEnd = end;
    }
    if (found != cardinality) {
      throw corrupt(header, "values of the runs", cardinality, found);
    }
  }

  private void array(long base, int cardinality) {
    int from = at;
    skip(2 * cardinality, "array values");
    int previous = -1;
    for (int i = 0; i < cardinality; i++) {
      int low = u16(from + 2 * i);
      if (low <= previous) {
        throw corrupt(from + 2 * i, "array value", "above " + previous, low);
      }
      previous = low;
      long value = base + low;
      checkValue(value, from + 2 * i);
      words[(int) (value >>> 6)] |= 1L << value;
    }
  }

  private void bitmap(long base, int cardinality) {
    int from = at;
    skip(8 * WORDS_PER_CONTAINER, "bitmap words");
    int found = 0;
    for (int i = 0; i < WORDS_PER_CONTAINER; i++) {
      long word = (long) LONG.get(bytes, from + 8 * i);
      if (word != 0) {
        checkValue(base + 64L * i + 63 - Long.numberOfLeadingZeros(word), from + 8 * i);
        words[(int) (base >>> 6) + i] = word;
        found += Long.bitCount(word);
      }
    }
    if (found != cardinality) {
      throw corrupt(from, "set bits of the bitmap", cardinality, found);
    }
  }

  private void setRange(long start, long end) {
    int first = (int) (start >>> 6);
    int last = (int) (end - 1 >>> 6);
    long firstMask = -1L << start;
    long lastMask = -1L >>> -end;
    if (first == last) {
      words[first] |= firstMask & lastMask;
      return;
    }
    words[first] |= firstMask;
    for (int i = first + 1; i < last; i++) {
      words[i] = -1L;
    }
    words[last] |= lastMask;
  }

  private void checkValue(long value, int offset) {
    if (value >= limit) {
      throw corrupt(offset, "value", "below " + limit, value);
    }
  }

  private void skip(int length, String what) {
    if (length > bytes.length - at) {
      throw corrupt(at, what, length + " bytes", (bytes.length - at) + " bytes");
    }
    at += length;
  }

  private int i32(String what) {
    int from = at;
    skip(4, what);
    return (int) INT.get(bytes, from);
  }

  private int u16(int offset) {
    return (short) SHORT.get(bytes, offset) & 0xFFFF;
  }

  private static DecodeException corrupt(long offset, String what, Object expected, Object actual) {
    return new DecodeException(offset, "Roaring bitmap " + what, expected, actual);
  }
}
