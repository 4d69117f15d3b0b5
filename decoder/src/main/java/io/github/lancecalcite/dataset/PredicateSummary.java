package io.github.lancecalcite.dataset;

import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.Manifest;
import io.github.lancecalcite.rowid.RowRanges;
import io.github.lancecalcite.rowid.VersionSequence;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much of a dataset a {@link SystemPredicate} leaves to read.
 *
 * @param fragments fragments looked at
 * @param keptFragments fragments of which a live row is read
 * @param rows live rows of the fragments looked at
 * @param keptRows live rows that the predicate allows
 * @param runs runs of the version columns that the predicate restricts; 0 when it restricts none
 * @param keptRuns those runs, in kept fragments, whose version is allowed
 */
public record PredicateSummary(
    int fragments, int keptFragments, long rows, long keptRows, long runs, long keptRuns) {

  /** Looks at metadata and deletion files, at no data file. */
  static PredicateSummary of(
      Dataset dataset, SystemPredicate predicate, @Nullable List<Long> fragmentIds)
      throws IOException {
    Manifest manifest = dataset.manifest();
    int fragments = 0;
    int keptFragments = 0;
    long rows = 0;
    long keptRows = 0;
    long runs = 0;
    long keptRuns = 0;
    for (int i = 0; i < manifest.fragments().size(); i++) {
      DataFragment fragment = manifest.fragments().get(i);
      if (fragmentIds != null && !fragmentIds.contains(fragment.id())) {
        continue;
      }
      RowMetadata metadata = dataset.rows(i);
      RowRanges matching =
          PredicateRows.of(
              predicate, new ScanFragment(manifest, dataset.files(), fragment, metadata, 0));
      DeletionVector deletions = metadata.deletions();
      long live = metadata.physicalRows() - deletions.cardinality();
      long kept = matching == null ? live : matching.without(deletions.words()).rows();
      fragments++;
      rows += live;
      keptRows += kept;
      keptFragments += kept > 0 ? 1 : 0;
      for (SystemColumn column : predicate.allowed().keySet()) {
        VersionSequence versions = versions(metadata, column);
        if (versions != null) {
          runs += versions.runCount();
          keptRuns += kept > 0 ? versions.runsIn(predicate.allowed(column)) : 0;
        }
      }
    }
    return new PredicateSummary(fragments, keptFragments, rows, keptRows, runs, keptRuns);
  }

  private static @Nullable VersionSequence versions(RowMetadata metadata, SystemColumn column)
      throws IOException {
    return switch (column) {
      case ROW_CREATED_AT_VERSION -> metadata.createdAt();
      case ROW_LAST_UPDATED_AT_VERSION -> metadata.lastUpdatedAt();
      case ROW_ID, ROW_ADDR, ROW_OFFSET, FRAGMENT_ID -> null;
    };
  }

  /** For instance {@code 2 of 5 fragments, 123 of 40000 rows, 3 of 28 runs}. */
  @Override
  public String toString() {
    return keptFragments
        + " of "
        + fragments
        + " fragments, "
        + keptRows
        + " of "
        + rows
        + " rows"
        + (runs == 0 ? "" : ", " + keptRuns + " of " + runs + " runs");
  }
}
