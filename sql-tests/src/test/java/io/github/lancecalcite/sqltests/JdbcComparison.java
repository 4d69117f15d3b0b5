package io.github.lancecalcite.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.lancecalcite.dataset.Dataset;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/** Compares every version of a fixture with what {@code jdbc:lance:} gives. */
final class JdbcComparison {
  private static final List<String> SYSTEM_COLUMNS =
      List.of("_rowid", "_rowaddr", "_row_created_at_version", "_row_last_updated_at_version");

  private final Fixture fixture;
  private final Connection connection;
  private final Tally.Work work = new Tally.Work();

  private JdbcComparison(Fixture fixture, Connection connection) {
    this.fixture = fixture;
    this.connection = connection;
  }

  /**
   * @throws AssertionError at the first difference
   * @throws SQLException caused by the refusal if the reader refuses the dataset
   */
  static Tally.Work run(Fixture fixture) throws IOException, SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:lance:" + fixture.folder());
        Dataset latest = Dataset.open(fixture.dataset())) {
      JdbcComparison comparison = new JdbcComparison(fixture, connection);
      comparison.table("data", latest, fixture.latestVersion());
      for (long version : fixture.versions()) {
        try (Dataset dataset = latest.version(version)) {
          comparison.table("data@" + version, dataset, version);
        }
      }
      return comparison.work;
    }
  }

  private void table(String table, Dataset dataset, long version) throws IOException, SQLException {
    List<JsonNode> expected = fixture.rows(version);
    List<Field> stored = dataset.schema().getFields();
    List<String> names = new ArrayList<>(stored.stream().map(Field::getName).toList());
    names.addAll(SYSTEM_COLUMNS);
    String list = names.stream().map(JdbcComparison::quoted).collect(Collectors.joining(", "));
    try (Statement statement = connection.createStatement()) {
      try (ResultSet rows = statement.executeQuery("select * from " + quoted(table))) {
        assertThat(rows.getMetaData().getColumnCount()).as("columns of *").isEqualTo(stored.size());
      }
      try (ResultSet rows = statement.executeQuery("select " + list + " from " + quoted(table))) {
        for (int c = 1; c <= stored.size(); c++) {
          assertThat(rows.getMetaData().getColumnTypeName(c))
              .as("SQL type of " + names.get(c - 1))
              .matches(SqlCells.typeName(stored.get(c - 1)));
        }
        rows(table, rows, stored, expected);
      }
      try (ResultSet count = statement.executeQuery("select count(*) from " + quoted(table))) {
        assertThat(count.next()).isTrue();
        assertThat(count.getLong(1)).as("count(*)").isEqualTo(expected.size());
      }
    }
  }

  private void rows(String table, ResultSet rows, List<Field> stored, List<JsonNode> expected)
      throws SQLException {
    int row = 0;
    while (rows.next()) {
      if (row == expected.size()) {
        throw new AssertionError(table + ": more than " + expected.size() + " rows");
      }
      JsonNode json = expected.get(row);
      for (int c = 0; c < stored.size(); c++) {
        Field field = stored.get(c);
        Object cell = ExpectedCells.of(json.get(field.getName()), field);
        equal(
            table,
            row,
            field.getName(),
            SqlCells.expected(cell, field),
            SqlCells.actual(rows, c + 1, field));
      }
      for (int s = 0; s < SYSTEM_COLUMNS.size(); s++) {
        String name = SYSTEM_COLUMNS.get(s);
        Object value = rows.getObject(stored.size() + s + 1);
        equal(table, row, name, json.get(name).longValue(), value);
      }
      row++;
    }
    if (row != expected.size()) {
      throw new AssertionError(table + ": " + row + " rows instead of " + expected.size());
    }
    work.add(row, (long) row * (stored.size() + SYSTEM_COLUMNS.size()));
  }

  private static void equal(
      String table, int row, String column, @Nullable Object expected, @Nullable Object actual) {
    if (!Objects.equals(expected, actual)) {
      throw new AssertionError(
          String.format(
              "%s, row %d, column %s: expected %s, got %s", table, row, column, expected, actual));
    }
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
