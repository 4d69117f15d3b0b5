package io.github.lancecalcite.calcite;

import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.dataset.ScanColumn;
import io.github.lancecalcite.dataset.ScanRequest;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A dataset as one statement sees it: opened when first needed, and then at that version for good.
 * Shared by all tables of the statement that lead to it. Thread-safe.
 */
final class LanceSource {
  private final LanceFolder folder;
  private final TableName name;
  private @Nullable Dataset dataset;

  /**
   * @param name dataset and version; which part a table shows does not matter here
   */
  LanceSource(LanceFolder folder, TableName name) {
    this.folder = folder;
    this.name = name;
  }

  /**
   * The pinned dataset version.
   *
   * @throws LanceException if it cannot be opened
   */
  synchronized Dataset dataset() {
    if (dataset == null) {
      try {
        dataset = folder.open(name);
      } catch (IOException e) {
        throw LanceFailure.of(e);
      }
    }
    return dataset;
  }

  /** Dataset and version as the statement named them. */
  TableName name() {
    return name;
  }

  /** Whether a dataset of exactly this name is in the folder. */
  boolean hasDataset(String exact) {
    return folder.hasDataset(exact);
  }

  /**
   * Number of the last version committed at an instant or before.
   *
   * @throws LanceException if there is none
   */
  long versionAt(Instant instant) {
    try (Dataset then = dataset().versionAt(instant)) {
      return then.versionNumber();
    } catch (IOException e) {
      throw LanceFailure.of(e);
    }
  }

  /** Starts a scan of what commits did to rows. */
  OpenScan changes(long fromExclusive, long toInclusive, List<ScanColumn> columns) {
    try {
      return folder.changes(dataset(), fromExclusive, toInclusive, columns);
    } catch (IOException e) {
      throw LanceFailure.of(e);
    }
  }

  /** Starts a scan of the pinned version. */
  OpenScan scan(ScanRequest request) {
    try {
      return folder.scan(dataset(), request);
    } catch (IOException e) {
      throw LanceFailure.of(e);
    }
  }
}
