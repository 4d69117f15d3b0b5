package io.github.lancecalcite.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Changes replayed onto the rows that lance-core read of one version give the rows that it read of
 * a later one, cell by cell; every change is one that can be made.
 */
class ReplayTest {
  @ParameterizedTest
  @ValueSource(strings = {"versions_stable_20", "versions_stable_21", "seg_mixed_21", "manyupd_21"})
  void changesLeadFromEachDumpToEachLaterOne(String name) throws Exception {
    Fixture fixture = new Fixture(name, Fixture.root().resolve(name));
    try (Connection connection = DriverManager.getConnection("jdbc:lance:" + fixture.folder())) {
      List<Long> versions = fixture.versions();
      for (int i = 0; i < versions.size(); i++) {
        for (int j = i; j < versions.size(); j++) {
          compare(connection, fixture, versions.get(i), versions.get(j));
        }
      }
      assertThat(versions).hasSizeGreaterThan(2);
      for (long version : versions) {
        compare(connection, fixture, 0, version);
      }
    }
  }

  private static void compare(Connection connection, Fixture fixture, long from, long to)
      throws Exception {
    List<String> columns = new ArrayList<>();
    fixture.rows(to).get(0).fieldNames().forEachRemaining(columns::add);
    columns.removeIf(column -> column.startsWith("_row"));
    Map<Long, List<@Nullable String>> rows =
        from == 0 ? new TreeMap<>() : dump(fixture, from, columns);
    replay(connection, columns, from, to, rows);
    assertThat(rows)
        .as("%s from %d to %d", fixture.name(), from, to)
        .isEqualTo(dump(fixture, to, columns));
  }

  private static Map<Long, List<@Nullable String>> dump(
      Fixture fixture, long version, List<String> columns) throws Exception {
    Map<Long, List<@Nullable String>> rows = new TreeMap<>();
    for (JsonNode row : fixture.rows(version)) {
      List<@Nullable String> cells = new ArrayList<>();
      columns.forEach(c -> cells.add(row.get(c).isNull() ? null : row.get(c).asText()));
      rows.put(row.get("_rowid").longValue(), cells);
    }
    return rows;
  }

  private static void replay(
      Connection connection,
      List<String> columns,
      long from,
      long to,
      Map<Long, List<@Nullable String>> rows)
      throws SQLException {
    String sql = "select * from table(lance_changes('data', " + from + ", " + to + "))";
    long last = from;
    try (Statement statement = connection.createStatement();
        ResultSet changes = statement.executeQuery(sql)) {
      while (changes.next()) {
        long version = changes.getLong("_commit_version");
        assertThat(version).isBetween(Math.max(last, from + 1), to);
        last = version;
        long id = changes.getLong("_rowid");
        List<@Nullable String> cells = new ArrayList<>();
        for (String column : columns) {
          cells.add(changes.getString(column));
        }
        switch (changes.getString("_change_type")) {
          case "insert", "update_postimage" ->
              assertThat(rows.put(id, cells)).as("row %d before version %d", id, version).isNull();
          case "delete", "update_preimage" ->
              assertThat(rows.remove(id)).as("row %d before %d", id, version).isEqualTo(cells);
          default -> throw new AssertionError(changes.getString("_change_type"));
        }
      }
    }
  }

  @Test
  void updatedRowsAreOnlyThoseThatChanged() throws Exception {
    try (Connection connection =
            DriverManager.getConnection(
                "jdbc:lance:" + Fixture.root().resolve("versions_stable_21"));
        Statement statement = connection.createStatement();
        ResultSet counts =
            statement.executeQuery(
                "select _commit_version, _change_type, count(*) from table(lance_changes('data', 0, 7))"
                    + " group by _commit_version, _change_type order by 1, 2")) {
      List<String> found = new ArrayList<>();
      while (counts.next()) {
        found.add(counts.getLong(1) + " " + counts.getString(2) + " " + counts.getLong(3));
      }
      // what the fixture's note says: create, append, delete, upsert, append, upsert, delete
      assertThat(found)
          .contains("1 insert 30", "2 insert 15", "3 delete 3", "4 insert 2")
          .contains("4 update_postimage 4", "4 update_preimage 4", "5 insert 5", "7 delete 1");
    }
  }
}
