package io.github.lancecalcite.dataset;

import io.github.lancecalcite.rowid.RowIdCursor;
import io.github.lancecalcite.rowid.VersionCursor;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Live rows of some fragments in scan order, from metadata alone: parallel arrays, three numbers a
 * row.
 *
 * @param ids stable row ids
 * @param addresses row addresses
 * @param versions in which each row last changed
 */
record LiveRows(long[] ids, long[] addresses, long[] versions) {
  private static final int CHUNK = 4096;

  /**
   * @param places of the fragments in the manifest
   */
  static LiveRows of(Dataset dataset, List<Integer> places) throws IOException {
    long live = 0;
    for (int place : places) {
      RowMetadata rows = dataset.rows(place);
      live += rows.physicalRows() - rows.deletions().cardinality();
    }
    int count = Math.toIntExact(live);
    LiveRows all = new LiveRows(new long[count], new long[count], new long[count]);
    int filled = 0;
    for (int place : places) {
      filled = all.fill(dataset.rows(place), filled);
    }
    return all;
  }

  private int fill(RowMetadata rows, int start) throws IOException {
    RowIdCursor idCursor = rows.rowIds().cursor();
    VersionCursor versionCursor = rows.lastUpdatedAt().cursor();
    DeletionVector deletions = rows.deletions();
    long[] someIds = new long[CHUNK];
    long[] someVersions = new long[CHUNK];
    int filled = start;
    for (long first = 0; first < rows.physicalRows(); first += CHUNK) {
      int count = (int) Math.min(CHUNK, rows.physicalRows() - first);
      int gotIds = idCursor.next(someIds, 0, count);
      int gotVersions = versionCursor.next(someVersions, 0, count);
      if (gotIds < count || gotVersions < count) {
        throw rows.tooFew(first + Math.min(gotIds, gotVersions));
      }
      for (int i = 0; i < count; i++) {
        if (!deletions.isDeleted(first + i)) {
          ids[filled] = someIds[i];
          addresses[filled] = rows.firstAddress() + first + i;
          versions[filled++] = someVersions[i];
        }
      }
    }
    return filled;
  }

  int size() {
    return ids.length;
  }

  /** The ids in order, to be searched by halves. */
  long[] sortedIds() {
    long[] sorted = ids.clone();
    Arrays.sort(sorted);
    return sorted;
  }

  /**
   * The versions of the ids in another order.
   *
   * @param sorted the ids, sorted
   */
  long[] versionsOf(long[] sorted) {
    long[] result = new long[sorted.length];
    for (int i = 0; i < ids.length; i++) {
      result[Arrays.binarySearch(sorted, ids[i])] = versions[i];
    }
    return result;
  }
}
