package io.github.lancecalcite.dataset;

/**
 * A fragment of a dataset version, as {@link Dataset#fragments} lists it. Unit: rows.
 *
 * @param id fragment id
 * @param physicalRows rows in the data files, deleted ones included
 * @param deletedRows rows that the deletion file removes
 * @param dataFiles number of data files
 * @param rowIdSegments number of segments of the row-id sequence, 0 when there is none
 */
public record Fragment(
    long id, long physicalRows, long deletedRows, int dataFiles, int rowIdSegments) {
  /** Rows that a scan returns. */
  public long liveRows() {
    return physicalRows - deletedRows;
  }
}
