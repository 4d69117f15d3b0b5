package io.github.lancecalcite.dataset;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.PageEncoding;
import io.github.lancecalcite.format.PageLayout;
import io.github.lancecalcite.format.PageMetadata;
import io.github.lancecalcite.io.PositionalReader;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Reads row ranges of one leaf of a 2.1+ file, across its pages. One thread. */
final class LeafReader {
  private final LeafFiles.LeafColumn column;
  private final LeafShape shape;
  private final boolean blob;
  private final BufferAllocator allocator;
  private final PositionalReader file;
  private final List<PageMetadata> pages;
  private final long[] starts;
  private int open = -1;
  private @Nullable PageReader reader;

  /**
   * @param blob whether pages hold descriptors of blobs
   * @param rows rows that the pages must hold, in the pages' own unit
   */
  LeafReader(
      LeafFiles.LeafColumn column,
      LeafShape shape,
      boolean blob,
      int layers,
      long rows,
      BufferAllocator allocator)
      throws IOException {
    this.column = column;
    this.shape = shape;
    this.blob = blob;
    this.allocator = allocator;
    this.file = column.coalesced();
    this.pages = column.column().pages();
    this.starts = new long[pages.size() + 1];
    for (int i = 0; i < pages.size(); i++) {
      starts[i + 1] = starts[i] + pages.get(i).length();
      PageEncoding encoding = pages.get(i).encoding();
      if (!(encoding instanceof PageLayout layout)) {
        throw new UnsupportedFormatException(
            path(), "encoding of " + where(i), "a 2.0 array encoding", "page layouts");
      }
      if (layout.layers().size() != layers) {
        throw new CorruptFileException(
            path(), -1, "layers of " + where(i), layers, layout.layers().size());
      }
    }
    if (starts[pages.size()] != rows) {
      throw new CorruptFileException(
          path(), -1, "rows of column " + column.column().index(), rows, starts[pages.size()]);
    }
  }

  String path() {
    return column.metadata().path();
  }

  private String where(int page) {
    return "column " + column.column().index() + " page " + page;
  }

  /** Appends rows {@code [first, first + count)}. */
  void read(long first, long count, LeafRows into) throws IOException {
    long at = first;
    long end = first + count;
    int page = pageOf(first);
    while (at < end) {
      long stop = Math.min(end, starts[page + 1]);
      if (stop > at) {
        page(page).read(at - starts[page], stop - at, into);
        at = stop;
      }
      page++;
    }
  }

  private int pageOf(long row) {
    int low = 0;
    int high = Math.max(0, pages.size() - 1);
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (starts[middle] <= row) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private PageReader page(int page) throws IOException {
    PageReader current = reader;
    if (current == null || open != page) {
      reader = null;
      current = open(page);
      reader = current;
      open = page;
    }
    return current;
  }

  private PageReader open(int index) throws IOException {
    PageMetadata page = pages.get(index);
    PageBytes bytes = new PageBytes(file, page, where(index));
    return open(page.encoding(), bytes, shape);
  }

  private PageReader open(PageEncoding encoding, PageBytes bytes, LeafShape shape)
      throws IOException {
    if (encoding instanceof PageLayout.MiniBlock layout) {
      return new MiniBlockPage(bytes, layout);
    } else if (encoding instanceof PageLayout.FullZip layout) {
      return new FullZipPage(bytes, layout, shape);
    } else if (encoding instanceof PageLayout.Constant layout) {
      return new ConstantPage(bytes, layout, shape);
    } else if (encoding instanceof PageLayout.Blob layout) {
      if (!blob) {
        throw new CorruptFileException(
            path(), -1, "layout of " + bytes.where(), "a layout of values", "one of blobs");
      }
      PageReader descriptors = open(layout.inner(), bytes, BlobPage.DESCRIPTOR);
      return new BlobPage(bytes, layout, descriptors, allocator);
    }
    throw new UnsupportedFormatException(
        path(),
        "page layout of " + bytes.where(),
        encoding.getClass().getSimpleName(),
        "mini-block, full-zip, constant, blob");
  }
}
