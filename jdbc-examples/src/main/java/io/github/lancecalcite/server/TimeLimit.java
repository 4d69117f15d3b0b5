package io.github.lancecalcite.server;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Stops statements on which the server has worked for too long. */
final class TimeLimit implements AutoCloseable {
  private final ScheduledThreadPoolExecutor clock;

  TimeLimit() {
    clock =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread thread = new Thread(work, "statement-timeout");
              thread.setDaemon(true);
              return thread;
            });
    clock.setRemoveOnCancelPolicy(true);
  }

  /** A piece of work on a statement; closing it says that the work has ended. */
  final class Watch implements AutoCloseable {
    private final OpenStatement statement;
    private final long start = System.nanoTime();
    private final Future<?> alarm;

    private Watch(OpenStatement statement, Future<?> alarm) {
      this.statement = statement;
      this.alarm = alarm;
    }

    @Override
    public void close() {
      alarm.cancel(false);
      statement.worked(System.nanoTime() - start);
    }
  }

  /**
   * Watches work on a statement.
   *
   * @param limit for the whole result; zero for none
   */
  Watch watch(OpenStatement statement, Duration limit) {
    if (limit.isZero()) {
      return new Watch(statement, CompletableFuture.completedFuture(null));
    }
    Stop timeout = Stop.timeout(limit);
    long left = limit.toNanos() - statement.workedNanos();
    if (left <= 0) {
      statement.stop(timeout);
    }
    return new Watch(
        statement,
        clock.schedule(() -> statement.stop(timeout), Math.max(0, left), TimeUnit.NANOSECONDS));
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
