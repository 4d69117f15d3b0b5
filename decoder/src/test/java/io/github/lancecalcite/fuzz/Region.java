package io.github.lancecalcite.fuzz;

import java.util.Set;

/**
 * A stretch of a file that means one thing.
 *
 * @param from first byte
 * @param to byte after the last
 * @param shownBy columns that may look different when these bytes change; see {@link Damage}
 * @param alone whether all other columns are read whole, whatever these bytes are
 */
record Region(String name, int from, int to, Set<String> shownBy, boolean alone) {
  /** Bytes that everything may depend on. */
  static Region of(String name, long from, long to) {
    return new Region(name, (int) from, (int) to, Damage.ANYTHING, false);
  }

  int length() {
    return to - from;
  }
}
