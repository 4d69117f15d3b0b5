package io.github.lancecalcite.format;

import java.util.List;

/**
 * One page of a column.
 *
 * @param buffers the page's buffers, file-absolute, checked to lie inside the file
 * @param length top-level rows, except where the format counts items (2.0 list items, leaves below
 *     a fixed-size list of struct)
 * @param encoding how to read the buffers
 */
public record PageMetadata(List<BufferLocation> buffers, long length, PageEncoding encoding) {
  public PageMetadata {
    buffers = List.copyOf(buffers);
  }
}
