package io.github.lancecalcite.server;

import io.github.lancecalcite.server.EndedQuery.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A client's statement: how far the execution of it has come, and the way to stop it. Guarded by
 * itself, which a thread holds while it works on the statement; only {@link #stop}, {@link #close}
 * and {@link #isExecuting} may be called at any time.
 */
final class OpenStatement {
  private final Session session;
  private final int id;

  /** Text of a prepared statement. */
  private final @Nullable String prepared;

  /** Polled by the scans of the statement; null where there is nothing that runs. */
  private final @Nullable AtomicBoolean cancelFlag;

  private final AtomicReference<@Nullable Stop> stopped = new AtomicReference<>();
  private volatile boolean closed;
  private volatile boolean executing;
  private Instant start = Instant.EPOCH;
  private long startNanos;
  private @Nullable String sql;
  private long sent;
  private long workedNanos;

  OpenStatement(
      Session session, int id, @Nullable String prepared, @Nullable AtomicBoolean cancelFlag) {
    this.session = session;
    this.id = id;
    this.prepared = prepared;
    this.cancelFlag = cancelFlag;
  }

  /**
   * A new execution, of which nothing has been sent.
   *
   * @param text of the statement; null for that of the prepared statement
   */
  void start(@Nullable String text) {
    start = Instant.now();
    startNanos = System.nanoTime();
    sql = text == null ? prepared : text;
    sent = 0;
    workedNanos = 0;
    executing = true;
    stopped.set(null);
    if (cancelFlag != null) {
      cancelFlag.set(false); // Calcite's stays up for ever
    }
    if (closed) {
      stop(Stop.CLOSED);
    }
  }

  /** Whether there is an execution that has not ended: rows may be to come. */
  boolean isExecuting() {
    return executing;
  }

  /**
   * The execution has ended.
   *
   * @param sqlState of the failure; null without one
   * @param error message of the failure; null without one
   */
  EndedQuery end(Outcome outcome, @Nullable String sqlState, @Nullable String error) {
    executing = false;
    return new EndedQuery(
        start,
        session.user(),
        session.number(),
        id,
        sql,
        Duration.ofNanos(System.nanoTime() - startNanos),
        Duration.ofNanos(workedNanos),
        sent,
        outcome,
        sqlState,
        error);
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
