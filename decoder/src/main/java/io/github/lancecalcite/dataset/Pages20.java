package io.github.lancecalcite.dataset;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.ArrayEncoding;
import io.github.lancecalcite.format.PageMetadata;
import io.github.lancecalcite.io.PositionalReader;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The pages of one column of a 2.0 file, by value. One thread. */
final class Pages20 {
  private final LeafFiles.LeafColumn column;
  private final LeafShape shape;
  private final boolean arrowDictionary;
  private final PositionalReader file;
  private final List<PageMetadata> pages;
  private final long[] starts;
  private int open = -1;
  private @Nullable Array20Page current;

  /** What to do with a stretch of one page. */
  interface Stretch {
    /**
     * @param page decodes
     * @param node the page's encoding
     * @param index the page's number
     * @param from first value in the page
     * @param count number of values
     */
    void accept(Array20Page page, ArrayEncoding node, int index, long from, int count)
        throws IOException;
  }

  Pages20(LeafFiles.LeafColumn column, LeafShape shape, boolean arrowDictionary)
      throws CorruptFileException {
    this.column = column;
    this.shape = shape;
    this.arrowDictionary = arrowDictionary;
    this.file = column.coalesced();
    this.pages = column.column().pages();
    this.starts = new long[pages.size() + 1];
    for (int i = 0; i < pages.size(); i++) {
      starts[i + 1] = starts[i] + pages.get(i).length();
      if (starts[i + 1] < 0) {
        throw new CorruptFileException(
            path(),
            -1,
            "values of column " + columnIndex(),
            "below 2^63",
            Long.toUnsignedString(starts[i + 1]) + " up to page " + i);
      }
    }
  }

  /** Values of all pages. */
  long count() {
    return starts[pages.size()];
  }

  /**
   * Fails unless the pages hold exactly these many values.
   *
   * @param rows rows of the fragment, or items of the lists around the column
   */
  void requireCount(long rows) throws CorruptFileException {
    if (count() != rows) {
      throw new CorruptFileException(path(), -1, "rows of column " + columnIndex(), rows, count());
    }
  }

  int pages() {
    return pages.size();
  }

  String path() {
    return column.metadata().path();
  }

  int columnIndex() {
    return column.column().index();
  }

  /** The encoding tree of a page. */
  ArrayEncoding node(int page) throws IOException {
    if (pages.get(page).encoding() instanceof ArrayEncoding node) {
      return node;
    }
    throw new UnsupportedFormatException(
        path(), "encoding of " + where(page), "a page layout", "2.0 array encodings");
  }

  private String where(int page) {
    return "column " + column.column().index() + " page " + page;
  }

  /** Visits the pages that hold values {@code [first, first + count)}, in order. */
  void visit(long first, long count, Stretch stretch) throws IOException {
    long end = first + count;
    if (first < 0 || end > count()) {
      throw new CorruptFileException(
          path(), -1, "values of column " + columnIndex(), "at least " + end, count());
    }
    for (int i = 0; i < pages.size() && starts[i] < end; i++) {
      long from = Math.max(first, starts[i]);
      long to = Math.min(end, starts[i + 1]);
      if (from < to) {
        try {
          stretch.accept(page(i), node(i), i, from - starts[i], Math.toIntExact(to - from));
        } catch (RuntimeException e) {
          if (PageBytes.isDecodeFailure(e)) {
            throw bytes(i).corrupt(0, e);
          }
          throw e;
        }
      }
    }
  }

  private PageBytes bytes(int page) {
    return new PageBytes(file, pages.get(page), where(page));
  }

  private Array20Page page(int index) {
    Array20Page page = current;
    if (page == null || open != index) {
      page = new Array20Page(bytes(index), shape, arrowDictionary);
      current = page;
      open = index;
    }
    return page;
  }
}
