package io.github.lancecalcite.dataset;

import java.io.IOException;

/** Decodes row ranges of one page of a 2.1+ leaf. One thread; forward is cheap. */
interface PageReader {
  /**
   * Appends rows {@code [first, first + count)} of the page.
   *
   * <p>Equals: for each row in order, append its entries and their values.
   */
  void read(long first, long count, LeafRows into) throws IOException;
}
