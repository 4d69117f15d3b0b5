package io.github.lancecalcite.calcite;

import io.github.lancecalcite.dataset.BatchCursor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A scan that several parties may end: the result set, the connection from another thread, or the
 * cleaner after an abandoned result set. Reading and closing exclude each other, so that no vector
 * is released while a value is being read from it.
 */
final class OpenScan implements AutoCloseable {
  private final BatchCursor cursor;
  private final Consumer<OpenScan> onClose;
  private boolean closed;

  OpenScan(BatchCursor cursor, Consumer<OpenScan> onClose) {
    this.cursor = cursor;
    this.onClose = onClose;
  }

  /**
   * Moves to the next batch; false at the end.
   *
   * @throws java.sql.SQLException unchecked, if the connection is closed or a file is bad
   */
  synchronized boolean next() {
    checkOpen();
    try {
      return cursor.next();
    } catch (IOException e) {
      throw LanceFailure.of(e);
    }
  }

  /** Reads from the current batch; hands on what the reading returns. */
  synchronized int read(ToIntFunction<VectorSchemaRoot> reading) {
    checkOpen();
    return reading.applyAsInt(cursor.batch());
  }

  private void checkOpen() {
    if (closed) {
      throw LanceFailure.closed();
    }
  }

  /** Releases everything the scan holds. Idempotent. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      cursor.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      onClose.accept(this); // not before: who closes the allocator waits for scans that are known
    }
  }
}
