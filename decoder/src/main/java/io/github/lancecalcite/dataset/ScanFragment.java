package io.github.lancecalcite.dataset;

import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.Manifest;
import io.github.lancecalcite.rowid.RowIdSequence;
import io.github.lancecalcite.rowid.RowRanges;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A fragment as a scan sees it: its metadata and the ways to what lies in files.
 *
 * @param firstOrdinal live rows in the fragments before this one, where a column asks for it
 */
record ScanFragment(
    Manifest manifest,
    DatasetFiles datasetFiles,
    DataFragment fragment,
    RowMetadata rows,
    long firstOrdinal) {
  long physicalRows() {
    return rows.physicalRows();
  }

  /**
   * Positions of the live rows among some, ascending.
   *
   * @param matching rows that the predicate allows, or null for all
   */
  RowIdSequence live(@Nullable RowRanges matching) throws IOException {
    RowRanges kept = matching == null ? RowRanges.all(physicalRows()) : matching;
    return RowIdSequence.ofPositions(kept, rows.deletions().words());
  }

  FragmentFiles openFiles() {
    return new FragmentFiles(datasetFiles, fragment, physicalRows());
  }
}
