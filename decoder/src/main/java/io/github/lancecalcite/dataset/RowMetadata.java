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
 * What is known of a fragment's rows without its data files: ids, versions and deletions. Read when
 * first asked for, then kept; safe for concurrent scans.
 */
final class RowMetadata {
  private final Manifest manifest;
  private final DatasetFiles files;
  private final DataFragment fragment;
  private final long physicalRows;

  // each is immutable, so that a race costs time, not truth
  private volatile @Nullable RowIdSequence rowIds;
  private volatile @Nullable VersionSequence createdAt;
  private volatile @Nullable VersionSequence lastUpdatedAt;
  private volatile @Nullable DeletionVector deletions;

  /**
   * @param physicalRows rows of the data files, deleted ones included
   */
  RowMetadata(Manifest manifest, DatasetFiles files, DataFragment fragment, long physicalRows) {
    this.manifest = manifest;
    this.files = files;
    this.fragment = fragment;
    this.physicalRows = physicalRows;
  }

  long fragmentId() {
    return fragment.id();
  }

  /** Rows of the data files, deleted ones included. */
  long physicalRows() {
    return physicalRows;
  }

  /** Address of the first row. */
  long firstAddress() {
    return fragment.id() << Integer.SIZE;
  }

  /** The deleted rows. */
  DeletionVector deletions() throws IOException {
    DeletionVector known = deletions;
    if (known == null) {
      known = files.deletions(fragment, physicalRows);
      deletions = known;
    }
    return known;
  }

  /**
   * One id per physical row: the stable ones, or the row addresses where the dataset has none.
   *
   * @throws CorruptFileException if there are not as many ids as rows
   */
  RowIdSequence rowIds() throws IOException {
    RowIdSequence known = rowIds;
    if (known == null) {
      known = readRowIds();
      rowIds = known;
    }
    return known;
  }

  private RowIdSequence readRowIds() throws IOException {
    if (!manifest.hasStableRowIds()) {
      return RowIdSequence.range(firstAddress(), physicalRows);
    }
    String what = "row ids of fragment " + fragment.id();
    List<U64Segment> segments = files.rowIds(fragment);
    if (segments == null) {
      throw new CorruptFileException(
          manifest.path(), -1, what, "a sequence, as stable row ids are on", "none");
    }
    RowIdSequence sequence;
    try {
      sequence = RowIdSequence.of(segments);
    } catch (DecodeException e) {
      throw corrupt(fragment.rowIds(), what, e);
    }
    if (sequence.length() != physicalRows) {
      throw new CorruptFileException(
          manifest.path(),
          offset(fragment.rowIds()),
          what,
          physicalRows + " ids, one per row",
          sequence.length());
    }
    return sequence;
  }

  private CorruptFileException corrupt(
      @Nullable SequenceMetadata metadata, String what, DecodeException e) {
    return new CorruptFileException(
        manifest.path(), offset(metadata), what + ", " + e.what(), e.expected(), e.actual(), e);
  }

  /** Where a sequence that stands in the manifest is, otherwise −1. */
  private static long offset(@Nullable SequenceMetadata metadata) {
    return metadata instanceof SequenceMetadata.Inline inline ? inline.manifestOffset() : -1;
  }

  /** The error for a sequence that ends before the rows do. */
  CorruptFileException tooFew(long found) {
    return new CorruptFileException(
        manifest.path(),
        -1,
        "row metadata of fragment " + fragment.id(),
        physicalRows + " values, one per row",
        found);
  }

  /** Version in which each physical row was first written. */
  VersionSequence createdAt() throws IOException {
    VersionSequence known = createdAt;
    if (known == null) {
      known = readVersions(fragment.createdAt(), "created-at versions");
      createdAt = known;
    }
    return known;
  }

  /** Version in which each physical row last changed. */
  VersionSequence lastUpdatedAt() throws IOException {
    VersionSequence known = lastUpdatedAt;
    if (known == null) {
      known = readVersions(fragment.lastUpdatedAt(), "last-updated-at versions");
      lastUpdatedAt = known;
    }
    return known;
  }

  private VersionSequence readVersions(@Nullable SequenceMetadata metadata, String what)
      throws IOException {
    if (!manifest.hasStableRowIds() || metadata == null) {
      return VersionSequence.missing(physicalRows);
    }
    try {
      return VersionSequence.of(files.versionRuns(metadata), physicalRows);
    } catch (DecodeException e) {
      throw corrupt(metadata, what + " of fragment " + fragment.id(), e);
    }
  }
}
