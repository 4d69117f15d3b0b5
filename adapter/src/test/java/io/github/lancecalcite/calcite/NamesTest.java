package io.github.lancecalcite.calcite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Columns with names that SQL would rather not see, in a dataset that lance-core wrote: column
 * {@code c} of row {@code r} holds {@code c:(r mod 7)}, {@code id} holds r and the stored {@code
 * _rowid} 100 − r.
 */
class NamesTest {
  private static final Path EDGES =
      Path.of(System.getProperty("repo.root", "..")).resolve("sql-tests/src/test/resources/edges");

  /** Names, and what the values begin with. */
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("MixedCase", "MixedCase"),
          Map.entry("mixedcase", "mixedcase"),
          Map.entry("with space", "with space"),
          Map.entry("quo\"te", "quo\"te"),
          Map.entry("it's", "it's"),
          Map.entry("select", "select"),
          Map.entry("dollar$1", "dollar$1"),
          Map.entry("data$versions", "data$versions"),
          Map.entry("emoji\uD83D\uDE80", "emoji\uD83D\uDE80"),
          Map.entry("a@2", "a@2"),
          Map.entry("back\\slash", "back\\slash"),
          Map.entry("a.b", "a#b")); // renamed after its values were written

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  private static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  @Test
  void everyNameIsProjectedFilteredJoinedAndSorted() throws SQLException {
    try (Sql sql = Sql.on(EDGES)) {
      for (Map.Entry<String, String> entry : NAMES.entrySet()) {
        String name = quoted(entry.getKey());
        String value = entry.getValue();
        List<String> all = new ArrayList<>();
        for (int row = 0; row < 20; row++) {
          all.add(value + ":" + row % 7);
        }
        assertThat(sql.rows("select " + name + " from names")).isEqualTo(all);
        assertThat(sql.labels("select " + name + " from names")).containsExactly(entry.getKey());
        assertThat(sql.rows("select id from names where " + name + " = " + literal(value + ":3")))
            .containsExactly("3", "10", "17");
        assertThat(
                sql.rows(
                    "select a.id from names a join names b on a."
                        + name
                        + " = b."
                        + name
                        + " where b.id = 5"))
            .containsExactlyInAnyOrder("5", "12", "19");
        assertThat(sql.rows("select id from names order by " + name + " desc, id limit 2"))
            .containsExactly("6", "13");
        assertThat(
                sql.rows(
                    "select count(*) from (select " + name + " from names group by " + name + ")"))
            .containsExactly("7");
        assertThat(sql.plan("select " + name + " from names limit 3"))
            .contains("columns=[[" + entry.getKey() + "]]")
            .startsWith("LanceToEnumerable");
      }
    }
  }

  @Test
  void aStoredRowIdIsAColumnLikeAnyOther() throws SQLException {
    try (Sql sql = Sql.on(EDGES)) {
      assertThat(sql.rows("select _rowid, _rowaddr from names where id = 9"))
          .containsExactly("91|" + ((1L << 32) + 1));
      assertThat(sql.rows("select id from names where _rowid in (100, 81, 3)"))
          .containsExactly("0", "19");
      assertThat(sql.plan("select id from names where _rowid = 91")).doesNotContain("predicate=");
      assertThat(sql.plan("select id from names where _rowaddr = 3")).contains("predicate=");
      assertThat(sql.labels("select * from names")).contains("_rowid").doesNotContain("_rowaddr");
      assertThat(
              sql.rows(
                  "select a.id from names a join names b on a._rowid = b._rowid + 1"
                      + " where b.id = 7"))
          .containsExactly("6");
    }
  }

  @Test
  void namesThatDifferInCaseAreTwoColumns() throws SQLException {
    try (Sql sql = Sql.on(EDGES)) {
      assertThat(sql.rows("select MixedCase, mixedcase from names where id = 2"))
          .containsExactly("MixedCase:2|mixedcase:2");
    }
  }
}
