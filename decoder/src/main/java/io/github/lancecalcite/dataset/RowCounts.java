package io.github.lancecalcite.dataset;

import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.DeletionFile;
import io.github.lancecalcite.format.Manifest;
import io.github.lancecalcite.format.U64Segment;
import java.io.IOException;
import java.util.List;

/**
 * How many rows the fragments of a version have. The manifest tells, unless its writer predates the
 * record of its own name: those wrote no row counts, or wrong ones, so that the files must be
 * asked.
 */
final class RowCounts {
  private final Manifest manifest;
  private final DatasetFiles files;

  RowCounts(Manifest manifest, DatasetFiles files) {
    this.manifest = manifest;
    this.files = files;
  }

  private boolean trusted() {
    return manifest.writerVersion() != null;
  }

  /** Rows in the data files of a fragment, deleted ones included. */
  long physicalRows(DataFragment fragment) throws IOException {
    if (trusted() && (fragment.physicalRows() != 0 || fragment.files().isEmpty())) {
      return fragment.physicalRows();
    }
    throw new UnsupportedFormatException(
        manifest.path(), "row count of fragment " + fragment.id(), "none", "writers from 0.8.1 on");
  }

  /**
   * Rows that the deletion file of a fragment removes.
   *
   * @param physicalRows as {@link #physicalRows} gave it
   */
  long deletedRows(DataFragment fragment, long physicalRows) throws IOException {
    DeletionFile file = fragment.deletionFile();
    if (file == null) {
      return 0;
    }
    if (trusted() && file.numDeletedRows() != 0) {
      return file.numDeletedRows();
    }
    return files.deletions(fragment, physicalRows).cardinality();
  }

  /** Rows of the version that are not deleted. */
  long liveRows() throws IOException {
    long rows = 0;
    for (DataFragment fragment : manifest.fragments()) {
      long physical = physicalRows(fragment);
      rows += physical - deletedRows(fragment, physical);
    }
    return rows;
  }

  /** Segments of a fragment's row-id sequence; 0 when it has none. */
  int rowIdSegments(DataFragment fragment) throws IOException {
    List<U64Segment> segments = files.rowIds(fragment);
    return segments == null ? 0 : segments.size();
  }
}
