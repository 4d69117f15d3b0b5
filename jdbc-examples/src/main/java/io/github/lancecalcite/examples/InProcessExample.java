package io.github.lancecalcite.examples;

import java.io.PrintStream;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Queries a folder of Lance datasets in this JVM.
 *
 * <p>Arguments: the folder, and optionally a table; without a table, every table of the folder is
 * shown.
 */
public final class InProcessExample {
  private InProcessExample() {}

  /**
   * Prints the first rows of each table, with their row ids and versions, and where its rows come
   * from.
   */
  public static void main(String[] args) throws SQLException {
    if (args.length < 1 || args.length > 2) {
      System.err.println("usage: InProcessExample FOLDER [TABLE]");
      System.exit(2);
    }
    try (Connection connection = DriverManager.getConnection("jdbc:lance:" + args[0])) {
      List<String> tables = args.length == 2 ? List.of(args[1]) : tables(connection);
      for (String table : tables) {
        show(connection, table, System.out);
      }
    }
  }

  /** The datasets of the folder. */
  static List<String> tables(Connection connection) throws SQLException {
    DatabaseMetaData metadata = connection.getMetaData();
    List<String> names = new ArrayList<>();
    try (ResultSet tables = metadata.getTables(null, null, "%", new String[] {"TABLE"})) {
      while (tables.next()) {
        names.add(tables.getString("TABLE_NAME"));
      }
    }
    return names;
  }

  /**
   * Two queries on one table: its first rows with their lineage, and how many rows each version
   * wrote.
   */
  static void show(Connection connection, String table, PrintStream out) throws SQLException {
    String name = '"' + table.replace("\"", "\"\"") + '"';
    try (Statement statement = connection.createStatement()) {
      out.println("-- " + table);
      // System columns are not part of *, but can be named anywhere.
      String lineage = "_rowid, _row_created_at_version, _row_last_updated_at_version";
      try (ResultSet rows =
          statement.executeQuery("SELECT " + lineage + ", t.* FROM " + name + " AS t LIMIT 3")) {
        ResultPrinter.print(rows, out);
      }
      try (ResultSet rows =
          statement.executeQuery(
              "SELECT _row_last_updated_at_version AS version, COUNT(*) AS row_count FROM "
                  + name
                  + " GROUP BY _row_last_updated_at_version"
                  + " ORDER BY _row_last_updated_at_version")) {
        ResultPrinter.print(rows, out);
      }
    }
  }
}
