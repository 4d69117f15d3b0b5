package io.github.lancecalcite.calcite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.format.DataFile;
import io.github.lancecalcite.format.DataFragment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conditions on system columns whose values are parameters of a prepared statement. */
class ParametersTest {
  private static final String[] COLUMNS = {
    "_rowid", "_rowaddr", "_row_created_at_version", "_row_last_updated_at_version", "_fragid"
  };
  private static final String[] CONDITIONS = {
    "%s = ?",
    "? = %s",
    "%s <> ?",
    "%s < ?",
    "%s <= ?",
    "%s > ?",
    "? >= %s",
    "%s in (?, ?)",
    "%s in (?, 3, ?, 5)",
    "%s between ? and ?",
    "%s not between ? and ?",
    "%s > ? and %s < 40",
    "%s < ? or %s > 4294967296",
    "not (%s = ? or %s > ?)",
    "%s > cast(? as integer)"
  };

  @TempDir Path temp;

  private static List<String> rows(PreparedStatement statement, @Nullable Object... values)
      throws SQLException {
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null) {
        statement.setNull(i + 1, Types.BIGINT);
      } else {
        statement.setObject(i + 1, values[i]);
      }
    }
    try (ResultSet result = statement.executeQuery()) {
      return Sql.rows(result);
    }
  }

  private static String plan(Sql sql, String query) throws SQLException {
    try (PreparedStatement statement =
        sql.connection().prepareStatement("explain plan for " + query)) {
      for (int i = 0; i < statement.getParameterMetaData().getParameterCount(); i++) {
        statement.setNull(i + 1, Types.BIGINT);
      }
      try (ResultSet result = statement.executeQuery()) {
        return Sql.rows(result).get(0).stripTrailing();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"versions_stable_21", "seg_mixed_21", "manyupd_21"})
  void everyConditionEqualsTheSameAboveTheScan(String fixture) throws SQLException {
    try (Sql sql = Sql.on(fixture)) {
      for (String column : COLUMNS) {
        List<Number> values = values(sql, column);
        for (String condition : CONDITIONS) {
          String pushed = "select _rowid, _rowaddr from data where ";
          String above = pushed + condition.replace("%s", "abs(" + column + ")");
          pushed += condition.replace("%s", column);
          assertThat(plan(sql, pushed)).as(pushed).startsWith("LanceToEnumerable").contains("?0");
          assertThat(plan(sql, above)).as(above).doesNotStartWith("LanceToEnumerable");
          compare(
              sql,
              pushed,
              above,
              condition.contains("integer") // above a scan, Calcite cuts what does not fit
                  ? values.stream().filter(v -> v.longValue() == v.intValue()).toList()
                  : values);
        }
      }
    }
  }

  private static void compare(Sql sql, String pushed, String above, List<Number> values)
      throws SQLException {
    int parameters = (int) pushed.chars().filter(c -> c == '?').count();
    try (PreparedStatement inScan = sql.connection().prepareStatement(pushed);
        PreparedStatement onTop = sql.connection().prepareStatement(above);
        PreparedStatement count =
            sql.connection().prepareStatement("select count(*) from (" + pushed + ")")) {
      for (int i = 0; i < values.size(); i++) {
        Object[] given = new Object[parameters];
        for (int p = 0; p < parameters; p++) {
          given[p] = values.get((i + p) % values.size());
        }
        List<String> rows = rows(inScan, given);
        assertThat(rows).as("%s with %s", pushed, List.of(given)).isEqualTo(rows(onTop, given));
        assertThat(rows(count, given)).containsExactly(Integer.toString(rows.size()));
      }
    }
  }

  /** Values at both ends of the column's, in its middle, and outside. */
  private static List<Number> values(Sql sql, String column) throws SQLException {
    List<String> rows = sql.rows("select distinct " + column + " from data order by 1");
    List<Number> values = new ArrayList<>(List.of(-1, -5L, 0, (short) 3, Integer.MAX_VALUE));
    values.add(Long.MAX_VALUE);
    values.add(Long.MIN_VALUE);
    for (int place : new int[] {0, rows.size() / 2, rows.size() - 1}) {
      values.add(Long.parseLong(rows.get(place)));
    }
    return values;
  }

  @Test
  void explainShowsThem() throws SQLException {
    try (Sql sql = Sql.on("versions_stable_21")) {
      assertThat(
              plan(
                  sql,
                  "select id from data where _rowid in (?, 7, ?)"
                      + " and _row_last_updated_at_version > ? and _fragid < 6"))
          .isEqualTo(
              """
              LanceToEnumerable
                LanceScan(table=[[lance, data]], version=[7], columns=[[id]], predicate=[_fragid in {0..5} and (_rowid in {7} or _rowid = ?0 or _rowid = ?1) and _row_last_updated_at_version > ?2])""");
    }
  }

  @Test
  void nullAllowsNoRow() throws SQLException {
    try (Sql sql = Sql.on("versions_stable_21")) {
      for (String condition : CONDITIONS) {
        if (condition.contains(" 3") || condition.contains(" or %s > 4")) {
          continue; // the other part of these may hold
        }
        String query = "select id from data where " + condition.replace("%s", "_rowid");
        try (PreparedStatement statement = sql.connection().prepareStatement(query)) {
          Object[] nulls = new Object[(int) query.chars().filter(c -> c == '?').count()];
          assertThat(rows(statement, nulls)).as(query).isEmpty();
        }
      }
      try (PreparedStatement in =
          sql.connection().prepareStatement("select id from data where _rowid in (?, ?)")) {
        assertThat(rows(in, null, 10)).containsExactly("10");
        assertThat(rows(in, null, null)).isEmpty();
        assertThat(rows(in, 1, 10)).containsExactly("1", "10");
      }
    }
  }

  @Test
  void everySetterOfANumberIsUnderstood() throws SQLException {
    try (Sql sql = Sql.on("versions_stable_21");
        PreparedStatement equal =
            sql.connection().prepareStatement("select id from data where _rowid = ?");
        PreparedStatement below =
            sql.connection().prepareStatement("select count(*) from data where _rowid < ?")) {
      for (Object ten :
          new Object[] {
            (byte) 10, (short) 10, 10, 10L, 10f, 10d, "10", " 10 ", new BigDecimal("10.0")
          }) {
        assertThat(rows(equal, ten)).as(ten.getClass().getName()).containsExactly("10");
      }
      BigDecimal beyond = new BigDecimal(BigInteger.ONE.shiftLeft(63).add(BigInteger.TEN));
      BigDecimal wraps = new BigDecimal(BigInteger.ONE.shiftLeft(64).add(BigInteger.TEN));
      for (Object none :
          new Object[] {beyond, wraps, wraps.negate(), -10, "1e999999999", "1e-999999999", 10.5}) {
        assertThat(rows(equal, none)).as(none.toString()).isEmpty();
      }
      assertThat(rows(below, wraps)).containsExactly("48");
      assertThat(rows(below, "1e999999999")).containsExactly("48");
      assertThat(rows(below, "-1e999999999")).containsExactly("0");
      assertThat(rows(below, 10.5)).isEqualTo(rows(below, 11));
      assertThatThrownBy(() -> rows(equal, "ten"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("value ten does not fit BIGINT");
      assertThatThrownBy(() -> rows(equal, true))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("value true does not fit BIGINT");
    }
  }

  @Test
  void aConditionWithoutEffectCountsFromMetadata() throws SQLException {
    try (Sql sql = Sql.on("versions_stable_21");
        PreparedStatement count =
            sql.connection().prepareStatement("select count(*) from data where _rowid >= ?")) {
      assertThat(rows(count, -3)).containsExactly("48");
      assertThat(rows(count, 46)).containsExactly("6");
    }
  }

  @Test
  void parametersOfOtherConditionsStayAbove() throws SQLException {
    try (Sql sql = Sql.on("versions_stable_21");
        PreparedStatement both =
            sql.connection()
                .prepareStatement("select id from data where id < ? and _rowid > ? and s <> ?")) {
      assertThat(rows(both, 40, 10, "a"))
          .isEqualTo(sql.rows("select id from data where id < 40 and _rowid > 10 and s <> 'a'"))
          .isNotEmpty();
    }
  }

  @Test
  void filesOfRuledOutFragmentsAreNotOpened() throws Exception {
    for (String fixture : new String[] {"versions_stable_21", "seg_mixed_21", "manyupd_21"}) {
      Path folder = Sql.copy(Sql.fixture(fixture), temp.resolve(fixture));
      try (Stream<Path> files = Files.list(folder.resolve("data.lance/data"))) {
        for (Path file : (Iterable<Path>) files::iterator) {
          Files.delete(file);
        }
      }
      try (Sql sql = Sql.on(folder)) {
        for (String column : COLUMNS) {
          String query = "select id from data where " + column;
          try (PreparedStatement above = sql.connection().prepareStatement(query + " > ?");
              PreparedStatement equal = sql.connection().prepareStatement(query + " in (?, ?)")) {
            assertThat(rows(above, 1L << 50)).isEmpty();
            assertThat(rows(equal, -1, 1L << 50)).isEmpty();
            assertThatThrownBy(() -> rows(above, -1)).isInstanceOf(SQLException.class);
          }
        }
      }
    }
  }

  @Test
  void onlyTheFragmentThatHoldsTheRowIsRead() throws Exception {
    Path folder = Sql.copy(Sql.fixture("versions_stable_21"), temp.resolve("f"));
    try (Sql sql = Sql.on(folder);
        PreparedStatement statement =
            sql.connection().prepareStatement("select id, s from data where _rowid = ?")) {
      List<String> before = rows(statement, 47);
      assertThat(before).hasSize(1);
      try (Dataset dataset = Dataset.open(folder.resolve("data.lance"))) {
        for (DataFragment fragment : dataset.manifest().fragments()) {
          for (DataFile file : fragment.id() == 7 ? List.<DataFile>of() : fragment.files()) {
            Files.delete(folder.resolve("data.lance/data").resolve(file.path()));
          }
        }
      }
      assertThat(rows(statement, 47)).isEqualTo(before);
      assertThatThrownBy(() -> rows(statement, 1)).isInstanceOf(SQLException.class);
    }
  }
}
