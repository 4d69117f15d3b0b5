package io.github.lancecalcite.server;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;
import org.apache.calcite.config.CalciteConnectionConfig;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;

/** Lets only queries pass: SELECT and what can stand in its place, EXPLAIN and DESCRIBE. */
final class ReadOnly {
  private static final String READ_ONLY_STATE = "25006";
  private static final Set<SqlKind> ALSO =
      EnumSet.of(SqlKind.EXPLAIN, SqlKind.DESCRIBE_TABLE, SqlKind.DESCRIBE_SCHEMA);

  private ReadOnly() {}

  /**
   * @throws SQLException if the statement is anything else, or cannot be parsed
   */
  static void check(Connection connection, String sql) throws SQLException {
    SqlKind kind;
    try {
      kind = SqlParser.create(sql, parser(connection)).parseStmt().getKind();
    } catch (SqlParseException e) {
      // the driver says what is wrong; should it find nothing, it is still not known to be a query
      try (PreparedStatement prepared = connection.prepareStatement(sql)) {
        throw refused("it is not understood", e);
      }
    }
    if (!kind.belongsTo(SqlKind.QUERY) && !ALSO.contains(kind)) {
      throw refused("it is " + kind.sql, null);
    }
  }

  private static SQLException refused(
      String why, @org.jspecify.annotations.Nullable Throwable cause) {
    return new SQLException(
        "this server is read-only and the statement is no query: " + why, READ_ONLY_STATE, cause);
  }

  /** As the connection itself parses. */
  private static SqlParser.Config parser(Connection connection) throws SQLException {
    CalciteConnectionConfig config = connection.unwrap(CalciteConnection.class).config();
    return SqlParser.config()
        .withQuotedCasing(config.quotedCasing())
        .withUnquotedCasing(config.unquotedCasing())
        .withQuoting(config.quoting())
        .withConformance(config.conformance())
        .withCaseSensitive(config.caseSensitive())
        .withCharLiteralStyles(config.lex().charLiteralStyles);
  }
}
