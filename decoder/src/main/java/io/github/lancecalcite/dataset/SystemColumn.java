package io.github.lancecalcite.dataset;

import org.jspecify.annotations.Nullable;

/**
 * Columns that every dataset has without storing them. Arrow type: UInt64, nullable in type only.
 */
public enum SystemColumn implements ScanColumn {
  /** Stable row id where the dataset has them, otherwise the row address. */
  ROW_ID("_rowid"),
  /** {@code fragment id << 32 | physical offset}. */
  ROW_ADDR("_rowaddr"),
  /** Version in which the row was first written; 1 where the dataset does not record it. */
  ROW_CREATED_AT_VERSION("_row_created_at_version"),
  /** Version in which the row last changed; 1 where the dataset does not record it. */
  ROW_LAST_UPDATED_AT_VERSION("_row_last_updated_at_version"),
  /** Ordinal among the live rows of the whole dataset version, 0-based, in scan order. */
  ROW_OFFSET("_rowoffset"),
  /** Id of the fragment that holds the row. */
  FRAGMENT_ID("_fragid");

  private final String columnName;

  SystemColumn(String columnName) {
    this.columnName = columnName;
  }

  /** The name SQL and Lance know the column by. */
  public String columnName() {
    return columnName;
  }

  /** The system column of this exact name, or null. */
  public static @Nullable SystemColumn of(String columnName) {
    for (SystemColumn column : values()) {
      if (column.columnName.equals(columnName)) {
        return column;
      }
    }
    return null;
  }
}
