package io.github.lancecalcite.calcite;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What EXPLAIN says was pushed into the scan. */
class PushDownTest {
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
  void columnsAreProjected() throws SQLException {
    assertThat(sql.plan("select s, _rowid from data"))
        .isEqualTo(
            """
            LanceToEnumerable
              LanceScan(table=[[lance, data]], version=[7], columns=[[s, _rowid]])""");
  }

  @Test
  void expressionsStayAboveAScanOfTheirColumns() throws SQLException {
    assertThat(sql.plan("select id + 1 as x from data"))
        .isEqualTo(
            """
            EnumerableCalc(expr#0=[{inputs}], expr#1=[1], expr#2=[+($t0, $t1)], x=[$t2])
              LanceToEnumerable
                LanceScan(table=[[lance, data]], version=[7], columns=[[id]])""");
  }

  @Test
  void aFilterReadsItsColumnsAndThoseOfTheResult() throws SQLException {
    assertThat(sql.plan("select _rowid from data where id > 5"))
        .endsWith("LanceScan(table=[[lance, data]], version=[7], columns=[[id, _rowid]])");
  }

  @Test
  void aRepeatedColumnIsReadOnce() throws SQLException {
    assertThat(sql.plan("select id, id from data"))
        .endsWith("LanceScan(table=[[lance, data]], version=[7], columns=[[id]])");
  }

  @Test
  void aConstantReadsNoColumn() throws SQLException {
    assertThat(sql.plan("select 1 from data"))
        .endsWith("LanceScan(table=[[lance, data]], version=[7], columns=[[]])");
  }

  @Test
  void limitIsPushed() throws SQLException {
    assertThat(sql.plan("select id from data limit 5"))
        .isEqualTo(
            """
            LanceToEnumerable
              LanceScan(table=[[lance, data]], version=[7], columns=[[id]], limit=[5])""");
  }

  @Test
  void offsetIsReadAndSkippedAbove() throws SQLException {
    assertThat(sql.plan("select id from data offset 3 rows fetch next 5 rows only"))
        .isEqualTo(
            """
            EnumerableLimit(offset=[3], fetch=[5])
              LanceToEnumerable
                LanceScan(table=[[lance, data]], version=[7], columns=[[id]], limit=[8])""");
  }

  @Test
  void limitAboveAFilterIsNotPushed() throws SQLException {
    assertThat(sql.plan("select id from data where s = 'x' limit 5")).doesNotContain("limit=");
  }

  @Test
  void filterAboveALimitStaysAbove() throws SQLException {
    assertThat(sql.plan("select id from (select * from data limit 5) where id > 2"))
        .startsWith("EnumerableCalc(expr#0=[{inputs}], expr#1=[2")
        .endsWith("LanceScan(table=[[lance, data]], version=[7], columns=[[id]], limit=[5])");
  }

  @Test
  void orderByWithLimitKeepsOnlyThatManyRows() throws SQLException {
    assertThat(sql.plan("select id from data order by id desc limit 3"))
        .isEqualTo(
            """
            EnumerableLimitSort(sort0=[$0], dir0=[DESC], fetch=[3])
              LanceToEnumerable
                LanceScan(table=[[lance, data]], version=[7], columns=[[id]])""");
  }

  @Test
  void countComesFromMetadata() throws SQLException {
    assertThat(sql.plan("select count(*) from data"))
        .isEqualTo(
            """
            LanceToEnumerable
              LanceCount(table=[[lance, data]], version=[7], columns=[[]], counts=[1])""");
    assertThat(sql.rows("select count(*) from data")).containsExactly("48");
    assertThat(sql.rows("select count(*) + 1 from data")).containsExactly("49");
    assertThat(sql.rows("select count(*) from (select id from data limit 5)")).containsExactly("5");
    assertThat(sql.rows("select count(*) from (select id from data limit 500)"))
        .containsExactly("48");
  }

  @Test
  void filteredCountIsNotAnsweredFromMetadata() throws SQLException {
    assertThat(sql.plan("select count(*) from data where id > 5")).doesNotContain("LanceCount");
    assertThat(sql.plan("select count(*) from data group by s")).doesNotContain("LanceCount");
    assertThat(sql.plan("select count(distinct id) from data")).doesNotContain("LanceCount");
  }

  @Test
  void oneFragmentIsNamed() throws SQLException {
    assertThat(sql.plan("select id from \"data$fragment_3\""))
        .endsWith(
            "LanceScan(table=[[lance, data$fragment_3]], version=[7], columns=[[id]],"
                + " fragments=[[3]])");
  }

  @Test
  void everyJoinedTableReadsItsOwnColumnsOnly() throws SQLException {
    String plan =
        sql.plan(
            "select a.id from data a, data b, data c, data d"
                + " where a._rowid = b._rowid and b._rowid = c._rowid and c._rowid = d._rowid"
                + " and d.s = 'x'");
    assertThat(plan)
        .contains("columns=[[id, _rowid]]", "columns=[[s, _rowid]]")
        .containsOnlyOnce("columns=[[id, _rowid]]")
        .containsOnlyOnce("columns=[[s, _rowid]]");
    assertThat(plan.split("columns=\\[\\[_rowid]]", -1)).hasSize(3);
  }

  @Test
  void pastVersionsAreNamed() throws SQLException {
    assertThat(sql.plan("select id from \"data@3\""))
        .endsWith("LanceScan(table=[[lance, data@3]], version=[3], columns=[[id]])");
    assertThat(sql.rows("select count(*) from \"data@3\"")).containsExactly("42");
  }

  @Test
  void aSystemPredicateSaysWhatItLeavesToRead() throws SQLException {
    assertThat(sql.plan("select id from data where _row_last_updated_at_version > 5"))
        .isEqualTo(
            """
            LanceToEnumerable
              LanceScan(table=[[lance, data]], version=[7], columns=[[id]], predicate=[_row_last_updated_at_version in {6..}], reads=[1 of 8 fragments, 3 of 48 rows, 1 of 8 runs])""");
    assertThat(sql.plan("select id from data where _rowid = 47"))
        .endsWith("predicate=[_rowid in {47}], reads=[1 of 8 fragments, 1 of 48 rows])");
    assertThat(sql.plan("select id from data where _rowid = 4700"))
        .endsWith("predicate=[_rowid in {4700}], reads=[0 of 8 fragments, 0 of 48 rows])");
    assertThat(sql.plan("select s from \"data$fragment_3\" where _rowid = 47"))
        .endsWith(
            "fragments=[[3]], predicate=[_rowid in {47}], reads=[0 of 1 fragments, 0 of 9 rows])");
    assertThat(sql.plan("select count(*) from data where _row_created_at_version in (1, 5)"))
        .contains("LanceCount", "reads=[");
    for (String condition :
        new String[] {
          "_row_last_updated_at_version > 5",
          "_row_created_at_version in (1, 5) and _rowid < 30",
          "_rowaddr > 4294967296"
        }) {
      String query = " from data where " + condition;
      assertThat(sql.plan("select id" + query))
          .contains(
              String.format(
                  "reads=[%s of 8 fragments, %s of 48 rows",
                  sql.rows("select count(distinct _fragid)" + query).get(0),
                  sql.rows("select count(*) from data where abs(_rowid) >= 0 and " + condition)
                      .get(0)));
    }
  }

  private static String list(int count, String format) {
    return java.util.stream.IntStream.range(0, count)
        .mapToObj(i -> format.formatted(3 * i))
        .collect(java.util.stream.Collectors.joining(", ", "(", ")"));
  }

  @Test
  void aLongListOfRowIdsIsPushed() throws SQLException {
    String where = " from data where _rowid in " + list(499, "%d");

    assertThat(sql.plan("select id" + where)).contains("LanceScan").doesNotContain("Join");
    assertThat(sql.rows("select _rowid" + where + " order by 1"))
        .isNotEmpty()
        .isEqualTo(sql.rows("select _rowid from data where mod(_rowid, 3) = 0 order by 1"));
  }

  @Test
  void longListsOfStoredValuesRun() throws SQLException {
    for (int count : new int[] {499, 3000}) {
      assertThat(sql.rows("select id from data where id in " + list(count, "%d") + " order by 1"))
          .isNotEmpty()
          .isEqualTo(sql.rows("select id from data where mod(id, 3) = 0 order by 1"));
      assertThat(sql.rows("select s from data where s in " + list(count, "'a%d'") + " order by 1"))
          .isNotEmpty()
          .isEqualTo(
              sql.rows(
                  "select s from data where s like 'a%' and mod(cast(substring(s from 2) as"
                      + " integer), 3) = 0 order by 1"));
    }
  }
}
