package io.github.lancecalcite.server;

import java.sql.SQLException;
import org.apache.calcite.avatica.AvaticaSeverity;
import org.apache.calcite.avatica.remote.AvaticaRuntimeException;

/**
 * Lets clients see the message, SQL state and code of a SQLException as the driver gave them.
 *
 * <p>Avatica's server would send the chain of all exceptions around it, joined by arrows, and no
 * SQL state.
 */
final class PlainErrors {
  private static final String UNKNOWN_STATE = "HY000";

  private PlainErrors() {}

  /** An error of the server's own. */
  static AvaticaRuntimeException error(String message, String sqlState) {
    return new AvaticaRuntimeException(message, -1, sqlState, AvaticaSeverity.ERROR);
  }

  /** SQL state of an error as a client sees it. */
  static String sqlState(Throwable plain) {
    return plain instanceof AvaticaRuntimeException known ? known.getSqlState() : UNKNOWN_STATE;
  }

  /** What a call threw, in the driver's words if there is a SQLException beneath. */
  static Throwable plain(Throwable thrown) {
    SQLException first = null;
    String state = null;
    for (Throwable e = thrown; e != null; e = e.getCause()) {
      if (e instanceof SQLException sql) {
        first = first == null ? sql : first;
        state = state == null ? sql.getSQLState() : state;
      }
    }
    if (first == null) {
      return thrown;
    }
    AvaticaRuntimeException plain =
        new AvaticaRuntimeException(
            String.valueOf(first.getMessage()),
            first.getErrorCode(),
            state == null ? UNKNOWN_STATE : state,
            AvaticaSeverity.ERROR);
    plain.initCause(thrown);
    return plain;
  }
}
