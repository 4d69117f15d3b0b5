package io.github.lancecalcite.examples;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import org.apache.calcite.avatica.AvaticaSeverity;
import org.apache.calcite.avatica.Meta;
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

  /** The same service; what it throws because of a SQLException says what that says. */
  static Meta around(Meta meta) {
    return (Meta)
        Proxy.newProxyInstance(
            Meta.class.getClassLoader(),
            new Class<?>[] {Meta.class},
            (proxy, method, args) -> {
              try {
                return method.invoke(meta, args);
              } catch (InvocationTargetException e) {
                throw plain(e.getCause() == null ? e : e.getCause());
              }
            });
  }

  private static Throwable plain(Throwable thrown) {
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
