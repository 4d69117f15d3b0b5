package io.github.lancecalcite.server;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A client's statement: how many rows of its result have been sent, how long they took, and the way
 * to stop it. Guarded by itself, which a thread holds while it works on the statement; only {@link
 * #stop} and {@link #close} may be called at any time.
 */
final class OpenStatement {
  /** Polled by the scans of the statement; null where there is nothing that runs. */
  private final @Nullable AtomicBoolean cancelFlag;

  private final AtomicReference<@Nullable Stop> stopped = new AtomicReference<>();
  private volatile boolean closed;
  private long sent;
  private long workedNanos;

  OpenStatement(@Nullable AtomicBoolean cancelFlag) {
    this.cancelFlag = cancelFlag;
  }

  /** A new result, of which nothing has been sent. */
  void restart() {
    sent = 0;
    workedNanos = 0;
    stopped.set(null);
    if (cancelFlag != null) {
      cancelFlag.set(false); // Calcite's stays up for ever
    }
    if (closed) {
      stop(Stop.CLOSED);
    }
  }

  /** Rows of the current result that have been sent; also the offset of the next one. */
  long sent() {
    return sent;
  }

  void send(long rows) {
    sent += rows;
  }

  /** Time that the server has worked on the current result. */
  long workedNanos() {
    return workedNanos;
  }

  void worked(long nanos) {
    workedNanos += nanos;
  }

  /** Ends the current result: running work notices within a batch. The first reason stays. */
  void stop(Stop reason) {
    stopped.compareAndSet(null, reason);
    if (cancelFlag != null) {
      cancelFlag.set(true);
    }
  }

  /** Ends the current result, and every one that might still be started. */
  void close() {
    closed = true;
    stop(Stop.CLOSED);
  }

  /** Why the current result was ended; null if it was not. */
  @Nullable Stop stopped() {
    return stopped.get();
  }
}
