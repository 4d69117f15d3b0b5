package io.github.lancecalcite.calcite;

/**
 * When a statement has to be done. A result set knows {@code setQueryTimeout}, the rows beneath do
 * not: it is handed to them through the thread that starts them.
 */
final class Deadline {
  private static final ThreadLocal<Deadline> STARTING = new ThreadLocal<>();

  /** Of statements without a timeout. */
  private static final Deadline NEVER = new Deadline(0);

  private final long seconds;
  private final long end;

  private Deadline(long seconds) {
    this.seconds = seconds;
    this.end = System.nanoTime() + seconds * 1_000_000_000L;
  }

  /** What starts rows; may throw. */
  interface Start<E extends Exception> {
    void run() throws E;
  }

  /**
   * Starts rows that have to be done in time.
   *
   * @param seconds 0 for any time
   */
  static <E extends Exception> void within(int seconds, Start<E> start) throws E {
    STARTING.set(seconds > 0 ? new Deadline(seconds) : NEVER);
    try {
      start.run();
    } finally {
      STARTING.remove();
    }
  }

  /** The deadline of the rows that this thread is starting. */
  static Deadline current() {
    Deadline starting = STARTING.get();
    return starting == null ? NEVER : starting;
  }

  /**
   * @throws java.sql.SQLException unchecked, if it has passed
   */
  void check() {
    if (seconds > 0 && System.nanoTime() - end > 0) {
      throw LanceFailure.timedOut(seconds);
    }
  }
}
