package io.github.lancecalcite.server;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of one execution of a statement, or of the attempt to prepare one.
 *
 * @param start when the server began with it
 * @param user whose connection it was; empty without authentication
 * @param connection number of the connection, counted from 1 when the server started. Its id is
 *     kept from logs: where there is no authentication, whoever knows it may use the connection
 * @param statement id of the statement; −1 if it could not be prepared
 * @param sql text of the statement; null if it is not known
 * @param elapsed from the start to the last row, the failure or the end from outside
 * @param worked the part of it in which the server worked, and did not wait for its client
 * @param rows that were sent
 * @param outcome how it ended
 * @param sqlState of the failure; null without one
 * @param error message of the failure; null without one
 */
record EndedQuery(
    Instant start,
    String user,
    long connection,
    int statement,
    @Nullable String sql,
    Duration elapsed,
    Duration worked,
    long rows,
    Outcome outcome,
    @Nullable String sqlState,
    @Nullable String error) {

  /** How an execution ended. */
  enum Outcome {
    /** Its last row was sent. */
    OK,
    /** Its client closed it, ran the statement anew or went away, before the last row. */
    CLOSED,
    /** With an error. */
    ERROR
  }
}
