package io.github.lancecalcite.dataset;

import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.DeletionFile;
import io.github.lancecalcite.format.Manifest;
import io.github.lancecalcite.format.SequenceLayout;
import io.github.lancecalcite.format.SequenceMetadata;
import io.github.lancecalcite.io.PositionalReader;
import java.io.IOException;

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
    SequenceMetadata sequence = fragment.rowIds();
    if (sequence == null) {
      return 0;
    }
    if (sequence instanceof SequenceMetadata.Inline inline) {
      return SequenceLayout.segments(manifest.path(), inline.manifestOffset(), inline.bytes());
    }
    SequenceMetadata.External external = (SequenceMetadata.External) sequence;
    try (PositionalReader file = files.open(external.path())) {
      byte[] bytes = file.read(external.offset(), Math.toIntExact(external.size()));
      return SequenceLayout.segments(file.path(), external.offset(), bytes);
    }
  }
}
