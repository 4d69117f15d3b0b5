package io.github.lancecalcite.calcite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.jdbc.CalciteSchema;

/** A connection to a fixture, and short ways to ask it. Closing it checks that nothing leaks. */
final class Sql implements AutoCloseable {
  private final Connection connection;

  private Sql(Connection connection) {
    this.connection = connection;
  }

  /** The folder of a fixture, which holds one dataset called {@code data}. */
  static Path fixture(String name) {
    String given = System.getProperty("fixtures", "");
    Path root =
        given.isEmpty()
            ? Path.of(
                System.getProperty("repo.root", ".."), "sql-tests/src/test/resources/fixtures")
            : Path.of(given);
    Path folder = root.resolve(name).toAbsolutePath().normalize();
    assertThat(folder).isDirectory();
    return folder;
  }

  /** Connects to a fixture. */
  static Sql on(String fixture) throws SQLException {
    return on(fixture(fixture));
  }

  /** Connects to a folder of datasets. */
  static Sql on(Path folder) throws SQLException {
    return new Sql(DriverManager.getConnection("jdbc:lance:" + folder));
  }

  /** Connects to a folder through {@code jdbc:calcite:} and a model. */
  static Sql model(Path folder) throws SQLException {
    String model =
        "inline:{version:'1.0',defaultSchema:'L',schemas:[{name:'L',type:'custom',factory:'"
            + LanceSchemaFactory.class.getName()
            + "',operand:{directory:'"
            + folder
            + "'}}]}";
    java.util.Properties info = new java.util.Properties();
    info.setProperty("model", model);
    info.setProperty("lex", "MYSQL_ANSI");
    info.setProperty("caseSensitive", "true");
    info.setProperty("typeSystem", LanceTypeSystem.class.getName() + "#INSTANCE");
    return new Sql(DriverManager.getConnection("jdbc:calcite:", info));
  }

  /** Copies a folder, to change it. */
  static Path copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
    return to;
  }

  Connection connection() {
    return connection;
  }

  /** Rows as text, values separated by {@code |}. */
  List<String> rows(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return rows(result);
    }
  }

  static List<String> rows(ResultSet result) throws SQLException {
    List<String> rows = new ArrayList<>();
    int columns = result.getMetaData().getColumnCount();
    while (result.next()) {
      StringBuilder row = new StringBuilder();
      for (int i = 1; i <= columns; i++) {
        row.append(i == 1 ? "" : "|").append(result.getString(i));
      }
      rows.add(row.toString());
    }
    return rows;
  }

  /** The plan, without its last line break. */
  String plan(String sql) throws SQLException {
    return rows("explain plan for " + sql).get(0).stripTrailing();
  }

  /** Labels of the result's columns. */
  List<String> labels(String sql) throws SQLException {
    try (java.sql.PreparedStatement statement = connection.prepareStatement(sql)) {
      ResultSetMetaData metaData = statement.getMetaData();
      List<String> labels = new ArrayList<>();
      for (int i = 1; i <= metaData.getColumnCount(); i++) {
        labels.add(metaData.getColumnLabel(i));
      }
      return labels;
    }
  }

  /** The folder beneath the connection's Lance schema. */
  LanceFolder folder() throws SQLException {
    CalciteSchema root =
        CalciteSchema.from(connection.unwrap(CalciteConnection.class).getRootSchema());
    for (CalciteSchema schema : root.getSubSchemaMap().values()) {
      if (schema.schema instanceof LanceSchema lance) {
        return lance.folder();
      }
    }
    throw new AssertionError("no Lance schema");
  }

  @Override
  public void close() throws SQLException {
    LanceFolder folder = folder();
    assertThat(folder.openScans()).as("open scans").isZero();
    assertThat(folder.allocatedBytes()).as("allocated bytes").isZero();
    connection.close();
    folder.close(); // jdbc:calcite: does not tell a schema that the connection is closed
  }
}
