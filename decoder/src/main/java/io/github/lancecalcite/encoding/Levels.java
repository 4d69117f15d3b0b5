package io.github.lancecalcite.encoding;

import java.util.Arrays;
import java.util.Objects;

/**
 * Repetition and definition levels of consecutive entries, growing at the end. Scratch; not safe
 * for threads.
 */
public final class Levels {
  private static final int SKIP_ENTRIES = 64;

  /** Repetition level of entry i; all zero where the leaf has no list. */
  public short[] rep = new short[64];

  /** Definition level of entry i. */
  public short[] def = new short[64];

  /** Number of entries. */
  public int count;

  /** Rows that the last {@link #skipRows} has passed. */
  public long passed;

  /** Definition levels that the entries may have, as bits. */
  private long seen;

  /** So many entries from the first on have zeros for levels, which are not in the arrays yet. */
  private int implied;

  /** Removes all entries. */
  public void clear() {
    count = 0;
    implied = 0;
    seen = 0;
  }

  /** Whether every level is known to be zero. The arrays say nothing then. */
  public boolean isZero() {
    return implied == count;
  }

  /** Appends entries whose levels are all zero: valid leaves outside of any list. */
  public void appendZeros(int n) {
    int before = count;
    seen |= 1;
    if (implied == before) {
      count = Math.addExact(before, n);
      implied = count;
    } else {
      reserve(n);
      Arrays.fill(rep, before, before + n, (short) 0);
      Arrays.fill(def, before, before + n, (short) 0);
      count = before + n;
    }
  }

  /** Makes room for {@code more} entries behind the last. */
  public void reserve(int more) {
    if (implied > 0) {
      int zeros = implied;
      implied = 0;
      count = 0;
      reserve(Math.addExact(zeros, more));
      Arrays.fill(rep, 0, zeros, (short) 0);
      Arrays.fill(def, 0, zeros, (short) 0);
      count = zeros;
      return;
    }
    int needed = Math.addExact(count, more);
    if (needed > rep.length) {
      int size = (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(needed, rep.length * 2L));
      rep = Arrays.copyOf(rep, size);
      def = Arrays.copyOf(def, size);
    }
  }

  /** Appends one entry. */
  void add(int repLevel, int defLevel) {
    if (count == rep.length || implied > 0) {
      reserve(1);
    }
    seen |= bit(defLevel);
    rep[count] = (short) repLevel;
    def[count++] = (short) defLevel;
  }

  /**
   * Appends entries {@code [from, to)} of another, each definition level replaced through a table.
   *
   * @param most definition level of the other
   * @return number of the entries whose definition level is not above {@code most}
   * @throws IndexOutOfBoundsException if a definition level is not in the table
   */
  public int append(Levels other, int from, int to, short[] definitions, int most) {
    int n = to - from;
    reserve(n);
    System.arraycopy(other.rep, from, rep, count, n);
    if (definitions.length == 1) {
      Arrays.fill(def, count, count + n, definitions[0]);
      seen |= n == 0 ? 0 : bit(definitions[0]);
      count += n;
      return n;
    }
    short[] source = other.def;
    int above = 0;
    int bits = 0;
    if (most >= definitions.length - 1) { // as outside of lists: none is above
      for (int i = from; i < to; i++) {
        bits |= source[i];
      }
    } else {
      for (int i = from; i < to; i++) {
        int level = source[i];
        above += most - level >>> 31;
        bits |= level;
      }
    }
    if (bits < 0 || bits >= definitions.length) { // otherwise each of them is below, too
      for (int i = from; i < to; i++) {
        Objects.checkIndex(source[i], definitions.length);
      }
    }
    for (int level = 0; level < definitions.length; level++) {
      seen |= n == 0 || (level & ~bits) != 0 ? 0 : bit(definitions[level]);
    }
    if (isIdentity(definitions)) {
      System.arraycopy(source, from, def, count, n);
    } else {
      short[] target = def;
      int at = count;
      for (int i = from; i < to; i++) {
        target[at++] = definitions[source[i]];
      }
    }
    count += n;
    return n - above;
  }

  /** Whether an entry may have a definition level in {@code [from, to)}. */
  public boolean mayHave(int from, int to) {
    for (int level = from; level < to; level++) {
      if ((seen & bit(level)) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Gives entries from one on whose definition level is 0 another. */
  public void replaceZeros(int from, int level) {
    for (int i = from; i < count; i++) {
      if (def[i] == 0) {
        def[i] = (short) level;
      }
    }
    seen |= bit(level);
  }

  private static long bit(int level) {
    return level < Long.SIZE ? 1L << level : -1;
  }

  private static boolean isIdentity(short[] table) {
    for (int i = 0; i < table.length; i++) {
      if (table[i] != i) {
        return false;
      }
    }
    return true;
  }

  /**
   * Passes so many rows from an entry on; {@link #passed} says how many there were.
   *
   * @param begin repetition level with which a row begins
   * @return the entry with which the row behind them begins; the count of entries if there is none
   */
  public int skipRows(int from, long rows, int begin) {
    short[] levels = rep;
    long left = rows;
    int entry = from;
    // whole blocks are counted without a branch on where their rows begin
    for (int end = from + SKIP_ENTRIES; end <= count; end += SKIP_ENTRIES) {
      int found = rows(entry, end, begin);
      if (found > left) {
        break;
      }
      left -= found;
      entry = end;
    }
    for (; entry < count; entry++) {
      if (levels[entry] == begin && left-- == 0) {
        passed = rows;
        return entry;
      }
    }
    passed = rows - left;
    return count;
  }

  /** Number of rows that begin in entries {@code [from, to)}. */
  public int rows(int from, int to, int begin) {
    short[] levels = rep;
    int found = 0;
    for (int i = from; i < to; i++) {
      found += levels[i] == begin ? 1 : 0;
    }
    return found;
  }
}
