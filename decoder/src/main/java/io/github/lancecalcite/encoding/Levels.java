package io.github.lancecalcite.encoding;

import java.util.Arrays;

/**
 * Repetition and definition levels of consecutive entries, growing at the end. Scratch; not safe
 * for threads.
 */
public final class Levels {
  /** Repetition level of entry i; all zero where the leaf has no list. */
  public short[] rep = new short[64];

  /** Definition level of entry i. */
  public short[] def = new short[64];

  /** Number of entries. */
  public int count;

  /** So many entries from the first on have zeros for levels, which are not in the arrays yet. */
  private int implied;

  /** Removes all entries. */
  public void clear() {
    count = 0;
    implied = 0;
  }

  /** Whether every level is known to be zero. The arrays say nothing then. */
  public boolean isZero() {
    return implied == count;
  }

  /** Appends entries whose levels are all zero: valid leaves outside of any list. */
  public void appendZeros(int n) {
    int before = count;
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
    rep[count] = (short) repLevel;
    def[count++] = (short) defLevel;
  }

  /**
   * Appends entries {@code [from, to)} of another, each definition level replaced through a table.
   */
  public void append(Levels other, int from, int to, short[] definitions) {
    int n = to - from;
    reserve(n);
    System.arraycopy(other.rep, from, rep, count, n);
    short[] source = other.def;
    short[] target = def;
    int at = count;
    for (int i = from; i < to; i++) {
      target[at++] = definitions[source[i]];
    }
    count += n;
  }
}
