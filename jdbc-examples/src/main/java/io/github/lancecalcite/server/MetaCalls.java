package io.github.lancecalcite.server;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.Meta.ConnectionHandle;
import org.apache.calcite.avatica.Meta.StatementHandle;
import org.apache.calcite.avatica.NoSuchStatementException;
import org.jspecify.annotations.Nullable;

/**
 * What happens around every call of a client: it is let through only to the caller's own
 * connections and statements, what it throws is told plainly, and its time is counted.
 */
final class MetaCalls implements InvocationHandler {
  private final ServedMeta meta;
  private final Sessions sessions;
  private final ServerMetrics metrics;

  private MetaCalls(ServedMeta meta, Sessions sessions, ServerMetrics metrics) {
    this.meta = meta;
    this.sessions = sessions;
    this.metrics = metrics;
  }

  static Meta around(ServedMeta meta, Sessions sessions, ServerMetrics metrics) {
    return (Meta)
        Proxy.newProxyInstance(
            Meta.class.getClassLoader(),
            new Class<?>[] {Meta.class},
            new MetaCalls(meta, sessions, metrics));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args)
      throws Throwable {
    Object handle = args == null || args.length == 0 ? null : args[0];
    String name = method.getName();
    long start = System.nanoTime();
    try {
      if (handle instanceof ConnectionHandle connection && !name.equals("openConnection")) {
        if (name.equals("closeConnection") && !sessions.has(connection)) {
          return null; // closed already, or not the caller's
        }
        sessions.session(connection.id);
      } else if (handle instanceof StatementHandle statement) {
        if (name.equals("closeStatement") && !sessions.has(statement)) {
          return null;
        }
        sessions.session(statement.connectionId);
      }
      Object result = method.invoke(meta, args);
      sessions.made(result);
      if (name.equals("closeStatement") && handle instanceof StatementHandle statement) {
        sessions.closed(statement);
      }
      return result;
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      // the client would make up for a lost statement on its own: by computing the result again
      throw cause instanceof NoSuchStatementException && name.equals("fetch")
          ? ServedMeta.lost()
          : PlainErrors.plain(cause);
    } finally {
      metrics.called(name, System.nanoTime() - start);
    }
  }
}
