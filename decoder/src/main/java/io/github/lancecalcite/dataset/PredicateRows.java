package io.github.lancecalcite.dataset;

import io.github.lancecalcite.rowid.RowIdSequence;
import io.github.lancecalcite.rowid.RowRanges;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Which physical rows of a fragment a {@link SystemPredicate} allows, from metadata alone.
 *
 * <p>Equals: the rows whose system columns have allowed values, deleted rows included.
 */
final class PredicateRows {
  private PredicateRows() {}

  /** The allowed rows, ascending; null when the predicate restricts none of this fragment's. */
  static @Nullable RowRanges of(SystemPredicate predicate, ScanFragment fragment)
      throws IOException {
    if (predicate.isTrue()) {
      return null;
    }
    long id = fragment.fragment().id();
    if (!predicate.allowed(SystemColumn.FRAGMENT_ID).contains(id)) {
      return RowRanges.NONE;
    }
    RowIdSequence addresses = RowIdSequence.range(id << 32, fragment.physicalRows());
    RowRanges rows = null;
    if (!predicate.isUnrestricted(SystemColumn.ROW_ADDR)) {
      rows = addresses.positionsIn(predicate.allowed(SystemColumn.ROW_ADDR));
      if (rows.rows() == 0) {
        return rows;
      }
    }
    RowMetadata sequences = fragment.rows();
    if (!predicate.isUnrestricted(SystemColumn.ROW_LAST_UPDATED_AT_VERSION)) {
      rows =
          intersect(
              rows,
              sequences
                  .lastUpdatedAt()
                  .positionsIn(predicate.allowed(SystemColumn.ROW_LAST_UPDATED_AT_VERSION)));
    }
    if (!predicate.isUnrestricted(SystemColumn.ROW_CREATED_AT_VERSION)) {
      rows =
          intersect(
              rows,
              sequences
                  .createdAt()
                  .positionsIn(predicate.allowed(SystemColumn.ROW_CREATED_AT_VERSION)));
    }
    if (rows != null && rows.rows() == 0) {
      return rows;
    }
    if (!predicate.isUnrestricted(SystemColumn.ROW_ID)) {
      rows =
          intersect(rows, sequences.rowIds().positionsIn(predicate.allowed(SystemColumn.ROW_ID)));
    }
    return rows;
  }

  private static RowRanges intersect(@Nullable RowRanges a, RowRanges b) {
    return a == null ? b : a.intersect(b);
  }
}
