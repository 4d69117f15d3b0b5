package io.github.lancecalcite.examples;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.calcite.avatica.jdbc.JdbcMeta;

/**
 * The server's side of each client connection: a JDBC connection to the served URL.
 *
 * <p>Connection properties that a client sends are not passed on. Calcite would take some of them
 * (model, schema factory, type system) as names of files and classes to load, and a reader of data
 * must not be able to do that.
 */
final class ServedMeta extends JdbcMeta {
  private final String url;

  /** Ids of the open statements of each connection. */
  private final Map<String, Set<Integer>> statements = new ConcurrentHashMap<>();

  ServedMeta(String url, Properties properties) throws SQLException {
    super(url, properties);
    this.url = url;
  }

  /**
   * Connects once and lets go, so that a bad URL is told when the server starts, not to its first
   * client.
   */
  void checkUrl() throws SQLException {
    DriverManager.getConnection(url).close();
  }

  @Override
  public void openConnection(ConnectionHandle handle, Map<String, String> info) {
    super.openConnection(handle, Map.of());
  }

  @Override
  public StatementHandle createStatement(ConnectionHandle connection) {
    return remember(super.createStatement(connection));
  }

  @Override
  public StatementHandle prepare(ConnectionHandle connection, String sql, long maxRowCount) {
    return remember(super.prepare(connection, sql, maxRowCount));
  }

  private StatementHandle remember(StatementHandle statement) {
    statements
        .computeIfAbsent(statement.connectionId, id -> ConcurrentHashMap.newKeySet())
        .add(statement.id);
    return statement;
  }

  @Override
  public void closeStatement(StatementHandle statement) {
    super.closeStatement(statement);
    Set<Integer> ofConnection = statements.get(statement.connectionId);
    if (ofConnection != null) {
      ofConnection.remove(statement.id);
    }
  }

  /** Also forgets the connection's statements, which Avatica would keep for some minutes. */
  @Override
  public void closeConnection(ConnectionHandle connection) {
    try {
      super.closeConnection(connection);
    } finally {
      Set<Integer> left = statements.remove(connection.id);
      if (left != null) {
        getStatementCache().invalidateAll(left);
      }
    }
  }

  int openConnections() {
    return getConnectionCache().asMap().size();
  }

  int openStatements() {
    return getStatementCache().asMap().size();
  }

  /** Closes every connection, which closes its statements and their scans. */
  void closeAll() {
    for (Map.Entry<String, Connection> entry :
        List.copyOf(getConnectionCache().asMap().entrySet())) {
      closeConnection(new ConnectionHandle(entry.getKey()));
    }
  }
}
