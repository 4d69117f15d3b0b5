package io.github.lancecalcite.fuzz;

import java.util.Set;

/**
 * A damaged file, and what a reader may make of it.
 *
 * @param kind sort of damage, a line of the summary
 * @param what the damage in words, enough to repeat it by hand
 * @param bytes the whole file
 * @param shownBy names of the columns that may show other values; every other one must not
 * @param rows whether other rows may appear (then they are matched by address)
 * @param demand what is asked for beyond that
 */
record Damage(
    String kind, String what, byte[] bytes, Set<String> shownBy, boolean rows, Demand demand) {
  /** Stands for every column in {@link #shownBy}. */
  static final String ANY = "any column";

  /** Stands for every stored column, but no system column. */
  static final String STORED = "any stored column";

  static final Set<String> ANYTHING = Set.of(ANY);

  /** What is asked for beyond typed errors and untouched columns. */
  enum Demand {
    /** Nothing: rows or an error. */
    NONE,
    /** An error: what is missing cannot be made up. */
    REFUSED,
    /** Columns that the damage does not concern are read whole, whatever happens to the others. */
    OTHERS_READ,
    /** Whatever a read gives, {@code SealVerifier} reports it. */
    VERIFY
  }

  boolean mayShow(String column) {
    return shownBy.contains(ANY)
        || shownBy.contains(column)
        || shownBy.contains(STORED) && !column.startsWith("_");
  }
}
