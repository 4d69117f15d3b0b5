package io.github.lancecalcite.calcite;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.schema.lookup.LikePattern;
import org.jspecify.annotations.Nullable;

/**
 * What a connection says of transactions and of its schema: it reads, each statement one version of
 * each table, and there is nothing to commit. Tools that ask for another isolation are not refused,
 * but told how it is when they look.
 */
final class ReadingConnection {
  /** Methods of {@link Connection} that are answered here. */
  static final Set<String> ANSWERS =
      Set.of(
          "isReadOnly",
          "setReadOnly",
          "getTransactionIsolation",
          "setTransactionIsolation",
          "getAutoCommit",
          "setAutoCommit",
          "commit",
          "rollback",
          "setSchema");

  private ReadingConnection() {}

  static @Nullable Object answer(
      CalciteConnection connection, String method, Object @Nullable [] args) throws SQLException {
    if (connection.isClosed()) {
      throw new SQLException("the connection is closed", "08003");
    }
    switch (method) {
      case "isReadOnly":
      case "getAutoCommit":
        return true;
      case "getTransactionIsolation":
        return Connection.TRANSACTION_NONE;
      case "setSchema":
        String name = args == null ? null : (String) args[0];
        setSchema(connection, name);
        return null;
      default:
        return null;
    }
  }

  private static void setSchema(CalciteConnection connection, @Nullable String name)
      throws SQLException {
    Set<String> schemas =
        new TreeSet<>(connection.getRootSchema().subSchemas().getNames(LikePattern.any()));
    if (name != null && !schemas.contains(name)) {
      throw new SQLException("no schema " + name + "; there are " + schemas, "3F000");
    }
    connection.setSchema(name);
  }
}
