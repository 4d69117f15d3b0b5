package io.github.lancecalcite.varlena;

import java.util.Arrays;

/**
 * Which rows are NULL because a grouping set leaves their column out (ROLLUP, CUBE): a bitmap that
 * travels beside a vector's validity.
 *
 * <p>Bits at or past {@link #length} read as clear, whatever is stored there, and the length may be
 * below or above the vector's. One thread writes.
 */
public final class GroupingBits {
  private long[] words = new long[1];
  private int length;

  /** Rows spoken about. */
  public int length() {
    return length;
  }

  /** Whether a row is grouped; false past the length. */
  public boolean isGrouped(int row) {
    return row < length && (words[row >>> 6] >>> row & 1) != 0;
  }

  /** Marks a row, and makes the length reach it. */
  public void set(int row, boolean grouped) {
    reserve(row + 1L);
    if (row >= length) {
      clear(length, row);
      length = row + 1;
    }
    long bit = 1L << row;
    words[row >>> 6] = grouped ? words[row >>> 6] | bit : words[row >>> 6] & ~bit;
  }

  /** Changes the length alone, as vectors do: bits past it stay stored and may come to light. */
  public void setLength(int rows) {
    reserve(rows);
    length = rows;
  }

  /** Makes room; the only step of an append that can fail. */
  void reserve(long rows) {
    if (rows > words.length * 64L) {
      int needed = (int) (rows + 63 >>> 6);
      words = Arrays.copyOf(words, Math.max(needed, words.length + (words.length >>> 1)));
    }
  }

  /**
   * Makes rows {@code [at, at + count)} those of another bitmap from {@code from} on and the length
   * {@code at + count}; rows between the old length and {@code at} are clear. Room is reserved. The
   * other one may be this one.
   */
  void append(int at, GroupingBits other, int from, int count) {
    clear(Math.min(length, at), at);
    for (int done = 0; done < count; done += 64) {
      int n = Math.min(64, count - done);
      put(at + done, other.bits(from + done), n);
    }
    length = at + count;
  }

  /** As above, with the same value for all. */
  void append(int at, boolean grouped, int count) {
    clear(Math.min(length, at), at);
    for (int done = 0; done < count; done += 64) {
      put(at + done, grouped ? -1L : 0, Math.min(64, count - done));
    }
    length = at + count;
  }

  private void clear(int from, int to) {
    for (int row = from; row < to; row += 64) {
      put(row, 0, Math.min(64, to - row));
    }
  }

  /** 64 bits from a row on; clear past the length. */
  private long bits(int row) {
    if (row >= length) {
      return 0;
    }
    int word = row >>> 6;
    long bits = words[word] >>> row;
    if ((row & 63) != 0 && word + 1 < words.length) {
      bits |= words[word + 1] << -row;
    }
    int there = length - row;
    return there >= 64 ? bits : bits & (1L << there) - 1;
  }

  /** Writes the lowest {@code n} (1 to 64) bits, ones and zeros. */
  private void put(int row, long bits, int n) {
    long mask = n == 64 ? -1L : (1L << n) - 1;
    int word = row >>> 6;
    words[word] = words[word] & ~(mask << row) | (bits & mask) << row;
    int inWord = row & 63;
    if (inWord + n > 64) {
      int shift = 64 - inWord;
      words[word + 1] = words[word + 1] & ~(mask >>> shift) | (bits & mask) >>> shift;
    }
  }
}
