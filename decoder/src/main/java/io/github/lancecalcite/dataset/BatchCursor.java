package io.github.lancecalcite.dataset;

import java.io.Closeable;
import java.io.IOException;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The batches of one scan, forward, for one thread; stands before the first batch when it is handed
 * out. Batches never span fragments and are never empty.
 */
public interface BatchCursor extends Closeable {
  /** Schema of every batch: the requested columns in the requested order. */
  Schema schema();

  /**
   * Moves to the next batch; false at the end. Invalidates the previous batch.
   *
   * @throws io.github.lancecalcite.CorruptFileException if a file contradicts its metadata
   * @throws io.github.lancecalcite.UnsupportedFormatException if a page uses an unknown layout
   */
  boolean next() throws IOException;

  /**
   * The current batch, owned by the cursor and valid until the next {@link #next} or {@link
   * #close}.
   */
  VectorSchemaRoot batch();

  /** Releases the batch, the open files and the scan's allocator. Idempotent. */
  @Override
  void close() throws IOException;
}
