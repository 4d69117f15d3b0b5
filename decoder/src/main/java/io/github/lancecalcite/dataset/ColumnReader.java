package io.github.lancecalcite.dataset;

import java.io.Closeable;
import java.io.IOException;
import org.apache.arrow.vector.FieldVector;

/**
 * Reads one top-level field of one fragment. One thread; forward access is cheap, any other
 * position is allowed. Closing it releases scratch memory, not the data files, which the fragment's
 * stream owns.
 */
interface ColumnReader extends Closeable {
  /**
   * Decodes physical rows {@code [firstRow, firstRow + rowCount)}, deleted ones included, into a
   * new vector that the caller owns.
   *
   * <p>Equals: for each row in order, append the row's value to an empty vector.
   */
  FieldVector read(long firstRow, int rowCount) throws IOException;

  @Override
  void close();
}
