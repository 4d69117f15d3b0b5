package io.github.lancecalcite.format;

import java.util.List;

/**
 * One column of a data file.
 *
 * @param index position among the file's columns
 * @param blob whether a 2.0 column is marked as a blob column
 * @param pages in row order
 */
public record ColumnMetadata(int index, boolean blob, List<PageMetadata> pages) {
  public ColumnMetadata {
    pages = List.copyOf(pages);
  }
}
