package io.github.lancecalcite.server;

import java.time.Duration;

/**
 * Why the server ends the work on a statement.
 *
 * @param message what the client is told
 * @param sqlState what its programs are told
 */
record Stop(String message, String sqlState) {
  static final String CANCELLED_STATE = "57014"; // query cancelled
  private static final String STOPPING_STATE = "57P01"; // admin shutdown

  /** Its client has closed the statement, or the connection, from another thread. */
  static final Stop CLOSED =
      new Stop("the statement was closed while it was running", CANCELLED_STATE);

  static final Stop SERVER_STOPS =
      new Stop("this server is stopping; try again later", STOPPING_STATE);

  static Stop timeout(Duration limit) {
    return new Stop(
        "the statement took more than "
            + seconds(limit)
            + " s of this server's time, which is the limit (--statement-timeout, or"
            + " statement_timeout of the connection)",
        CANCELLED_STATE);
  }

  private static String seconds(Duration limit) {
    return limit.toMillis() % 1_000 == 0
        ? Long.toString(limit.toSeconds())
        : Double.toString(limit.toMillis() / 1e3);
  }

  RuntimeException error() {
    return PlainErrors.error(message, sqlState);
  }
}
