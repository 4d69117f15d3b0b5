package io.github.lancecalcite.calcite;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.schema.impl.ViewTable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which columns {@code *} means. */
class HiddenColumnsTest {
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
  void starLeavesThemOut() throws SQLException {
    assertThat(sql.labels("select * from data")).containsExactly("id", "s");
    assertThat(sql.labels("select t.* from data t")).containsExactly("id", "s");
    assertThat(sql.labels("select lance.data.* from lance.data")).containsExactly("id", "s");
    assertThat(sql.labels("select * from \"data$fragment_3\"")).containsExactly("id", "s");
  }

  @Test
  void starBesideASystemColumnKeepsItsName() throws SQLException {
    assertThat(sql.labels("select *, _rowid from data")).containsExactly("id", "s", "_rowid");
    assertThat(sql.labels("select _rowid, t.*, _fragid from data t"))
        .containsExactly("_rowid", "id", "s", "_fragid");
  }

  @Test
  void selectedOnceTheyAreOrdinaryColumns() throws SQLException {
    assertThat(sql.labels("select * from (select _rowid, s from data)"))
        .containsExactly("_rowid", "s");
    assertThat(sql.labels("with w as (select _rowaddr, * from data) select w.* from w"))
        .containsExactly("_rowaddr", "id", "s");
    assertThat(sql.labels("select * from (select * from data)")).containsExactly("id", "s");
  }

  @Test
  void joinsLeaveThemOut() throws SQLException {
    assertThat(sql.labels("select * from data a join \"data@3\" b on a._rowid = b._rowid"))
        .containsExactly("id", "s", "id0", "s0");
    assertThat(sql.labels("select b.*, a._rowid from data a, \"data@3\" b"))
        .containsExactly("id", "s", "_rowid");
    assertThat(sql.labels("select * from data a left join \"data@3\" b using (id)"))
        .containsExactly("id", "s", "s0");
  }

  @Test
  void usingASystemColumnShowsItOnce() throws SQLException {
    assertThat(sql.labels("select * from data a join \"data@3\" b using (_rowid)"))
        .containsExactly("_rowid", "id", "s", "id0", "s0");
  }

  @Test
  void naturalJoinDoesNotJoinOnThem() throws SQLException {
    assertThat(sql.labels("select * from data natural join \"data@3\"")).containsExactly("id", "s");
    assertThat(sql.plan("select 1 from data natural join \"data@3\"")).doesNotContain("_row");
    assertThat(
            sql.labels(
                "select * from (select s as x from data) natural join (select id from data)"))
        .containsExactly("x", "id");
    // nothing in common but what is hidden: a cross join
    assertThat(
            sql.plan(
                "select 1 from data natural join"
                    + " (select id as a, _rowid as b from \"data@3\")"))
        .contains("EnumerableNestedLoopJoin(condition=[true]");
  }

  @Test
  void namedInAViewTheyBelongToTheView() throws SQLException {
    SchemaPlus schema =
        sql.connection().unwrap(CalciteConnection.class).getRootSchema().subSchemas().get("lance");
    assertThat(schema).isNotNull();
    schema.add(
        "lineage",
        ViewTable.viewMacro(
            schema,
            "select \"id\", \"_rowid\" as \"r\", \"_row_created_at_version\" from \"data\"",
            List.of("lance"),
            List.of("lance", "lineage"),
            false));
    assertThat(sql.labels("select * from lineage"))
        .containsExactly("id", "r", "_row_created_at_version");
    assertThat(sql.plan("select r from lineage"))
        .endsWith("LanceScan(table=[[lance, data]], version=[7], columns=[[_rowid]])");
  }

  @Test
  void aViewThatSaysStarShowsThem() throws SQLException {
    SchemaPlus schema =
        sql.connection().unwrap(CalciteConnection.class).getRootSchema().subSchemas().get("lance");
    assertThat(schema).isNotNull();
    schema.add(
        "everything",
        ViewTable.viewMacro(
            schema,
            "select * from \"data\"",
            List.of("lance"),
            List.of("lance", "everything"),
            false));
    assertThat(sql.labels("select * from everything")).startsWith("id", "s", "_rowid").hasSize(8);
    assertThat(sql.plan("select s from everything where _rowid = 3"))
        .contains("columns=[[s]]", "predicate=[_rowid in {3}]");
  }

  @Test
  void throughACalciteModelTheyComeLast() throws SQLException {
    try (Sql model = Sql.model(Sql.fixture("versions_stable_21"))) {
      assertThat(model.labels("select * from data"))
          .containsExactly(
              "id",
              "s",
              "_rowid",
              "_rowaddr",
              "_row_created_at_version",
              "_row_last_updated_at_version",
              "_rowoffset",
              "_fragid");
      assertThat(model.rows("select count(*) from \"data@3\"")).containsExactly("42");
      assertThat(model.rows("select count(*) from \"data$versions\"")).containsExactly("7");
      assertThat(model.plan("select id from \"data$fragment_3\"")).contains("fragments=[[3]]");
    }
  }

  @Test
  void metadataListsThemLast() throws SQLException {
    List<String> names = new ArrayList<>();
    try (ResultSet columns =
        sql.connection().getMetaData().getColumns(null, "lance", "data", null)) {
      while (columns.next()) {
        names.add(columns.getString("COLUMN_NAME"));
      }
    }
    assertThat(names).startsWith("id", "s", "_rowid").hasSize(8);
  }

  @Test
  void metadataNamesTablesAndTheirKinds() throws SQLException {
    List<String> tables = new ArrayList<>();
    try (ResultSet result = sql.connection().getMetaData().getTables(null, "lance", "%", null)) {
      while (result.next()) {
        tables.add(result.getString("TABLE_NAME") + "|" + result.getString("TABLE_TYPE"));
      }
    }
    assertThat(tables)
        .contains(
            "data|TABLE",
            "data$versions|SYSTEM TABLE",
            "data$transactions|SYSTEM TABLE",
            "data$tags|SYSTEM TABLE",
            "data$branches|SYSTEM TABLE",
            "data$fragments|SYSTEM TABLE",
            "data$files|SYSTEM TABLE",
            "data$columns|SYSTEM TABLE",
            "data$indices|SYSTEM TABLE",
            "data$rowid_segments|SYSTEM TABLE");
  }
}
