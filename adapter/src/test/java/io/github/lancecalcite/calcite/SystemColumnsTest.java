package io.github.lancecalcite.calcite;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** System columns wherever SQL has a place for a column. */
class SystemColumnsTest {
  private static Sql sql;

  @BeforeAll
  static void connect() throws SQLException {
    sql = Sql.on("versions_stable_21");
  }

  @AfterAll
  static void close() throws SQLException {
    sql.close();
  }

  @Test
  void selected() throws SQLException {
    assertThat(
            sql.rows(
                "select id, _rowid, _rowaddr, _row_created_at_version,"
                    + " _row_last_updated_at_version, _rowoffset, _fragid from data"
                    + " where id in (1, 10, 200)"))
        .containsExactly(
            "1|1|1|1|1|0|0", "10|10|4294967296|1|1|4|1", "200|47|30064771073|5|6|46|7");
  }

  @Test
  void inWhereWithAndWithoutPushDown() throws SQLException {
    assertThat(sql.rows("select _rowid from data where _rowid > 45 order by _rowid"))
        .containsExactly("46", "47", "48", "49", "50", "51")
        .isEqualTo(sql.rows("select _rowid from data where abs(_rowid) > 45 order by _rowid"));
    for (String condition :
        new String[] {
          "%s = 5",
          "%s <> 5",
          "%s in (2, 5, 47, 4294967300)",
          "%s between 3 and 9 and s <> 'a4'",
          "%s < 3 or %s > 40",
          "not (%s < 3 or %s > 40)",
          "%s > 1 and %s <= 6",
          "%s >= -1",
          "%s < 0",
          "3 < %s"
        }) {
      for (String column :
          new String[] {
            "_rowid",
            "_rowaddr",
            "_row_created_at_version",
            "_row_last_updated_at_version",
            "_rowoffset",
            "_fragid"
          }) {
        String pushed = "select id, s from data where " + condition.replace("%s", column);
        String above =
            "select id, s from data where " + condition.replace("%s", "abs(" + column + ")");
        assertThat(sql.plan(above)).as(above).contains("ABS").doesNotContain("predicate=");
        assertThat(sql.rows(pushed)).as(pushed).isEqualTo(sql.rows(above));
        assertThat(sql.rows("select count(*) from (" + pushed + ")"))
            .as("count of " + pushed)
            .isEqualTo(sql.rows("select count(*) from (" + above + ")"));
      }
    }
  }

  @Test
  void inGroupByAndOrderBy() throws SQLException {
    assertThat(
            sql.rows(
                "select _row_created_at_version, count(*) from data"
                    + " group by _row_created_at_version order by _row_created_at_version desc"))
        .containsExactly("5|5", "4|2", "2|14", "1|27");
  }

  @Test
  void inJoinsOfTwoVersions() throws SQLException {
    assertThat(
            sql.rows(
                "select a.id from data a join \"data@3\" b on a._rowid = b._rowid"
                    + " where a.s <> b.s order by 1"))
        .containsExactly("5", "6", "7", "44")
        .isEqualTo(
            sql.rows(
                "select a.id from data a join \"data@3\" b using (_rowid)"
                    + " where a.s <> b.s order by 1"));
  }

  @Test
  void inSubqueries() throws SQLException {
    assertThat(
            sql.rows("select count(*) from data where _rowid in (select _rowid from \"data@2\")"))
        .containsExactly("41");
    assertThat(
            sql.rows(
                "select count(*) from data a where exists"
                    + " (select 1 from \"data@2\" b where b._rowid = a._rowid)"))
        .containsExactly("41");
  }

  @Test
  void limitAndOffsetReadExactlyThoseRows() throws SQLException {
    assertThat(sql.rows("select id from data offset 45 rows fetch next 10 rows only"))
        .containsExactly("6", "200", "203");
    assertThat(sql.rows("select id from data limit 0")).isEmpty();
    assertThat(sql.rows("select 1 from data limit 2")).containsExactly("1", "1");
  }

  @Test
  void oneFragmentIsATable() throws SQLException {
    assertThat(sql.rows("select count(*), min(_fragid), max(_fragid) from \"data$fragment_3\""))
        .containsExactly("9|3|3");
    assertThat(sql.rows("select count(*) from \"data@3$fragment_0\"")).containsExactly("8");
  }

  @Test
  void throughACalciteModel() throws SQLException {
    try (Sql model = Sql.model(Sql.fixture("versions_stable_21"))) {
      assertThat(model.rows("select id, s, _rowid from data where _rowid > 45"))
          .isEqualTo(sql.rows("select id, s, _rowid from data where _rowid > 45"));
    }
  }
}
