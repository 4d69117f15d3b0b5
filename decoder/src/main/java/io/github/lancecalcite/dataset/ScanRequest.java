package io.github.lancecalcite.dataset;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to read from one dataset version. Immutable.
 *
 * @param columns output columns in output order; may be empty (then only row counts are produced)
 * @param fragmentIds fragments to read, or null for all; always read in manifest order
 * @param limit greatest number of live rows to return, or −1 for all
 * @param predicate conditions on system columns; applied before the limit
 * @param batchSize greatest number of rows of a batch, at least 1
 */
public record ScanRequest(
    List<ScanColumn> columns,
    @Nullable List<Long> fragmentIds,
    SystemPredicate predicate,
    long limit,
    int batchSize) {
  /** Rows of a batch unless asked otherwise; the default of Lance itself. */
  public static final int DEFAULT_BATCH_SIZE = 8192;

  public ScanRequest {
    columns = List.copyOf(columns);
    fragmentIds = fragmentIds == null ? null : List.copyOf(fragmentIds);
    if (limit < -1) {
      throw new IllegalArgumentException("limit " + limit + " is below -1");
    }
    if (batchSize < 1) {
      throw new IllegalArgumentException("batch size " + batchSize + " is below 1");
    }
  }

  /** All rows of these columns. */
  public static ScanRequest of(List<ScanColumn> columns) {
    return new ScanRequest(columns, null, SystemPredicate.NONE, -1, DEFAULT_BATCH_SIZE);
  }

  public ScanRequest withFragments(@Nullable List<Long> ids) {
    return new ScanRequest(columns, ids, predicate, limit, batchSize);
  }

  public ScanRequest withPredicate(SystemPredicate condition) {
    return new ScanRequest(columns, fragmentIds, condition, limit, batchSize);
  }

  public ScanRequest withLimit(long rows) {
    return new ScanRequest(columns, fragmentIds, predicate, rows, batchSize);
  }

  public ScanRequest withBatchSize(int rows) {
    return new ScanRequest(columns, fragmentIds, predicate, limit, rows);
  }
}
