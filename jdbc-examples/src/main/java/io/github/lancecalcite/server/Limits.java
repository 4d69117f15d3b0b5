package io.github.lancecalcite.server;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What clients may take of the server.
 *
 * @param maxRows rows of one result; a longer one is an error, never cut off
 * @param maxStatements statements that are open at the same time, of all clients together
 * @param connectionExpiry how long a connection may stay idle before it is closed
 * @param statementTimeout how long the server may work on one statement, its fetches included and
 *     the client's pauses not; zero for ever
 */
public record Limits(
    long maxRows, int maxStatements, Duration connectionExpiry, Duration statementTimeout) {
  /** No limits but an hour of idleness. */
  public static final Limits NONE =
      new Limits(Long.MAX_VALUE, Integer.MAX_VALUE, Duration.ofHours(1), Duration.ZERO);

  /**
   * Connection property: seconds, as whole number, after which a client wants its statements ended.
   */
  static final String TIMEOUT_PROPERTY = "statement_timeout";

  private static final String BAD_VALUE_STATE = "22023"; // invalid parameter value

  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

  static final String EXCEEDED_STATE = "54000"; // program limit exceeded
  static final String TOO_MANY_STATE = "53400"; // configuration limit exceeded

  /** Checks that each limit lets something through. */
  public Limits {
    if (maxRows < 1 || maxStatements < 1 || connectionExpiry.toSeconds() < 1) {
      throw new IllegalArgumentException(
          "limits start at 1: rows "
              + maxRows
              + ", statements "
              + maxStatements
              + ", connection expiry "
              + connectionExpiry.toSeconds()
              + " s");
    }
    if (statementTimeout.isNegative()) {
      throw new IllegalArgumentException(
          "the statement timeout is negative: " + statementTimeout.toSeconds() + " s");
    }
  }

  /** The same, but with this time for a statement. */
  public Limits withStatementTimeout(Duration newTimeout) {
    return new Limits(maxRows, maxStatements, connectionExpiry, newTimeout);
  }

  /**
   * Time for the statements of a connection: the server's, or less if its client asks for less.
   *
   * @param asked value of {@link #TIMEOUT_PROPERTY}; null if there is none
   */
  Duration statementTimeout(@Nullable String asked) {
    if (asked == null) {
      return statementTimeout;
    }
    if (!SECONDS.matcher(asked).matches()) {
      throw PlainErrors.error(
          TIMEOUT_PROPERTY + " is no number of seconds: " + asked, BAD_VALUE_STATE);
    }
    Duration wanted = Duration.ofSeconds(Integer.parseInt(asked));
    if (wanted.isZero()) {
      return statementTimeout;
    }
    return statementTimeout.isZero() || wanted.compareTo(statementTimeout) < 0
        ? wanted
        : statementTimeout;
  }

  /** How many rows may go into a frame, so that one too many is noticed and no more are read. */
  int frameRows(long sent, int asked) {
    long left = maxRows - sent;
    return left >= asked ? asked : (int) Math.max(1, left + 1);
  }

  /**
   * @param sent rows of a result so far
   */
  void checkRows(long sent) {
    if (sent > maxRows) {
      throw PlainErrors.error(
          "the result has more than "
              + maxRows
              + " rows, which this server allows (--max-rows); add a LIMIT or a condition",
          EXCEEDED_STATE);
    }
  }

  /**
   * @param open statements that are open, the new one included
   */
  void checkStatements(int open) {
    if (open > maxStatements) {
      throw PlainErrors.error(
          maxStatements
              + " statements are open, as many as this server allows (--max-statements);"
              + " close some, or try again later",
          TOO_MANY_STATE);
    }
  }
}
