package io.github.lancecalcite.format;

import java.util.List;

/**
 * Metadata of one data file (2.0 and later): what the footer leads to.
 *
 * @param path the file's name for error messages
 * @param version from the footer
 * @param rows number of top-level rows, from the file descriptor
 * @param columns in file order
 * @param schema as of when the file was written
 */
public record FileMetadata(
    String path, FileVersion version, long rows, List<ColumnMetadata> columns, FileSchema schema) {
  public FileMetadata {
    columns = List.copyOf(columns);
  }

  /** Of a file that says nothing of its schema. */
  public FileMetadata(String path, FileVersion version, long rows, List<ColumnMetadata> columns) {
    this(path, version, rows, columns, FileSchema.UNKNOWN);
  }
}
