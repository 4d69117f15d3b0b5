package io.github.lancecalcite.dataset;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.Manifest;
import io.github.lancecalcite.format.SequenceMetadata;
import io.github.lancecalcite.format.U64Segment;
import io.github.lancecalcite.rowid.RowIdSequence;
import io.github.lancecalcite.rowid.VersionSequence;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the row-id and version sequences of a fragment, wherever their bytes lie, and checks that
 * they cover its rows.
 */
final class FragmentSequences {
  private final Manifest manifest;
  private final DatasetFiles files;
  private final DataFragment fragment;
  private final long physicalRows;

  FragmentSequences(
      Manifest manifest, DatasetFiles files, DataFragment fragment, long physicalRows) {
    this.manifest = manifest;
    this.files = files;
    this.fragment = fragment;
    this.physicalRows = physicalRows;
  }

  private CorruptFileException corrupt(@Nullable SequenceMetadata metadata, DecodeException e) {
    long offset = metadata instanceof SequenceMetadata.Inline inline ? inline.manifestOffset() : -1;
    String path =
        metadata instanceof SequenceMetadata.External external ? external.path() : manifest.path();
    return new CorruptFileException(path, offset, e.what(), e.expected(), e.actual(), e);
  }

  /**
   * The row ids: the stored sequence, or the row addresses where the dataset has no stable ids.
   *
   * @throws CorruptFileException if there are not as many ids as physical rows
   */
  RowIdSequence rowIds() throws IOException {
    List<U64Segment> segments = manifest.hasStableRowIds() ? files.rowIds(fragment) : null;
    if (segments == null) {
      return RowIdSequence.range(fragment.id() << 32, physicalRows);
    }
    RowIdSequence ids;
    try {
      ids = RowIdSequence.of(segments);
    } catch (DecodeException e) {
      throw corrupt(fragment.rowIds(), e);
    }
    if (ids.length() != physicalRows) {
      throw corrupt(
          fragment.rowIds(),
          new DecodeException(
              -1,
              "row ids of fragment " + fragment.id(),
              physicalRows + " ids, one per physical row",
              ids.length()));
    }
    return ids;
  }

  /** Created-at versions, one per physical row; 1 where the dataset does not record them. */
  VersionSequence createdAt() throws IOException {
    return versions(fragment.createdAt());
  }

  /** Last-updated-at versions, one per physical row; 1 where the dataset does not record them. */
  VersionSequence lastUpdatedAt() throws IOException {
    return versions(fragment.lastUpdatedAt());
  }

  private VersionSequence versions(@Nullable SequenceMetadata metadata) throws IOException {
    if (!manifest.hasStableRowIds() || metadata == null) {
      return VersionSequence.missing(physicalRows);
    }
    try {
      return VersionSequence.of(files.versionRuns(metadata), physicalRows);
    } catch (DecodeException e) {
      throw corrupt(metadata, e);
    }
  }
}
