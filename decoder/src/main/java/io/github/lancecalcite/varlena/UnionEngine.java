package io.github.lancecalcite.varlena;

import org.apache.arrow.vector.FieldVector;

/**
 * Appends rows to one destination. Arguments are checked: the source has the destination's type (it
 * may be the destination itself), its rows are there, counts are above 0. Each method reserves,
 * copies, then publishes the new length.
 */
interface UnionEngine {
  /** Rows {@code [offset, offset + count)}. */
  void append(FieldVector source, int offset, int count);

  /** Selected rows, at least one. */
  void append(FieldVector source, Selection rows);

  /** One row, {@code count} times. */
  void repeat(FieldVector source, int row, int count);
}
