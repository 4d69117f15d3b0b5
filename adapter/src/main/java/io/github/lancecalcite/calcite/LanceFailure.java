package io.github.lancecalcite.calcite;

import java.io.IOException;
import java.sql.SQLException;

/**
 * Turns what went wrong beneath into the one-line {@link SQLException} a JDBC caller expects.
 *
 * <p>The way up leads through Calcite's generated code and Avatica's cursors, which declare no
 * checked exceptions and do not translate unchecked ones, so that an unchecked exception would
 * leave {@code ResultSet.next()} as it is. The SQLException is therefore thrown past the compiler's
 * check: it arrives unchanged, and the cause keeps path, offset, expected and actual.
 */
final class LanceFailure {
  private static final String BAD_DATA = "58030"; // I/O error
  private static final String CANCELLED = "57014";
  private static final String CONNECTION_CLOSED = "08003";
  private static final String NUMERIC_RANGE = "22003";

  private LanceFailure() {}

  /** Throws the SQLException of an I/O error; declared to return so that callers can throw it. */
  static RuntimeException of(IOException cause) {
    return raise(sqlException(cause));
  }

  static SQLException sqlException(IOException cause) {
    String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    return new SQLException(message.replace('\n', ' '), BAD_DATA, cause);
  }

  static RuntimeException cancelled() {
    return raise(new SQLException("statement cancelled", CANCELLED));
  }

  static RuntimeException closed() {
    return raise(new SQLException("the connection is closed", CONNECTION_CLOSED));
  }

  static RuntimeException doesNotFit(Object value, String type) {
    return raise(new SQLException("value " + value + " does not fit " + type, NUMERIC_RANGE));
  }

  @SuppressWarnings("unchecked")
  private static <E extends Exception> RuntimeException raise(Exception exception) throws E {
    throw (E) exception;
  }
}
