package io.github.lancecalcite.calcite;

import java.io.IOException;
import java.sql.SQLException;
import org.apache.calcite.avatica.AvaticaResultSet;

/**
 * Turns what went wrong beneath into the one-line {@link SQLException} a JDBC caller expects.
 *
 * <p>While a statement is prepared or started, Calcite and Avatica wrap unchecked exceptions into
 * SQLExceptions that keep the cause, but lose the cause of checked ones. {@code ResultSet.next()}
 * translates nothing; beneath it, and only there, the SQLException itself is thrown past the
 * compiler's check.
 */
final class LanceFailure {
  private static final String DIVISION_BY_ZERO = "22012";
  private static final String BAD_DATA = "58030"; // I/O error
  private static final String UNSUPPORTED = "0A000";
  private static final String CANCELLED = "57014";
  private static final String CONNECTION_CLOSED = "08003";
  private static final String NUMERIC_RANGE = "22003";

  private LanceFailure() {}

  /** Throws the failure that an I/O error amounts to; declared so that callers can throw it. */
  static RuntimeException of(IOException cause) {
    return raise(new LanceException(message(cause), BAD_DATA, cause));
  }

  static SQLException sqlException(IOException cause) {
    return new SQLException(message(cause), BAD_DATA, cause);
  }

  /** SQL that is well formed and asks for what there is not. */
  static RuntimeException unsupportedSql(String message) {
    return raise(new LanceException(message, UNSUPPORTED));
  }

  static RuntimeException cancelled() {
    return raise(new LanceException("Statement canceled", CANCELLED));
  }

  static RuntimeException timedOut(long seconds) {
    return raise(
        new LanceException("the statement took longer than its " + seconds + " s", CANCELLED));
  }

  static RuntimeException closed() {
    return raise(new LanceException("the connection is closed", CONNECTION_CLOSED));
  }

  /**
   * @param statement what it is, such as DELETE
   */
  static RuntimeException onlyReads(String statement) {
    return raise(new LanceException("datasets are only read: no " + statement, UNSUPPORTED));
  }

  static RuntimeException doesNotFit(Object value, String type) {
    return raise(new LanceException("value " + value + " does not fit " + type, NUMERIC_RANGE));
  }

  /** Throws, beneath {@code ResultSet.next()}, what an error in computing a row amounts to. */
  static RuntimeException computing(RuntimeException cause) {
    if (cause instanceof LanceException || !isBeneathNext()) {
      throw cause;
    }
    String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    boolean zero = cause instanceof ArithmeticException && message.endsWith("by zero");
    SQLException failure =
        OneLineErrors.oneLine(
            new SQLException(
                zero ? "division by zero" : "Error while computing a row: " + message,
                zero ? DIVISION_BY_ZERO : null,
                cause),
            null);
    throw LanceFailure.<RuntimeException>unchecked(failure);
  }

  private static String message(IOException cause) {
    String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    return message.replace('\n', ' ');
  }

  private static RuntimeException raise(LanceException failure) {
    if (isBeneathNext()) {
      Throwable cause = failure.getCause() == null ? failure : failure.getCause();
      throw LanceFailure.<RuntimeException>unchecked(
          new SQLException(failure.getMessage(), failure.sqlState(), cause));
    }
    throw failure;
  }

  private static boolean isBeneathNext() {
    String resultSet = AvaticaResultSet.class.getName();
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(
                    f -> f.getMethodName().equals("next") && f.getClassName().equals(resultSet)));
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E unchecked(Throwable exception) throws E {
    throw (E) exception;
  }
}
