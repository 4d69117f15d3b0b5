package io.github.lancecalcite.dataset;

import io.github.lancecalcite.format.ColumnMetadata;
import io.github.lancecalcite.format.FileMetadata;
import io.github.lancecalcite.io.CoalescedReader;
import io.github.lancecalcite.io.PositionalReader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Where the stored columns of one fragment are. */
interface LeafFiles {
  /**
   * The column that holds a field, in the first data file of the fragment that lists it; null when
   * none does and the field is null in every row.
   */
  @Nullable LeafColumn find(int fieldId) throws IOException;

  /**
   * A column of an open data file.
   *
   * @param file stays open, and is closed, with the fragment's stream
   */
  record LeafColumn(PositionalReader file, FileMetadata metadata, ColumnMetadata column) {
    /** The file for one thread that reads this column's pages: small neighbours come together. */
    PositionalReader coalesced() {
      return new CoalescedReader(
          file,
          column.pages().stream()
              .flatMap(page -> page.buffers().stream())
              .map(buffer -> new long[] {buffer.offset(), buffer.offset() + buffer.size()})
              .toArray(long[][]::new));
    }
  }
}
