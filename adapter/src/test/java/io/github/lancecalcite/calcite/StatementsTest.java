package io.github.lancecalcite.calcite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What statements and connections promise in JDBC. */
class StatementsTest {
  private static final Path SAMPLES =
      Path.of(System.getProperty("repo.root", "..")).resolve("samples");
  private static final String ALL = "select id, s from data";

  private static int count(ResultSet rows) throws SQLException {
    int count = 0;
    while (rows.next()) {
      count++;
    }
    return count;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 47, 48, 49})
  void maxRowsLimitsBothKindsOfStatement(int most) throws SQLException {
    int expected = most == 0 ? 48 : Math.min(most, 48);
    try (Sql sql = Sql.on("versions_stable_21");
        Statement statement = sql.connection().createStatement();
        PreparedStatement prepared =
            sql.connection().prepareStatement(ALL + " where id >= ? order by s")) {
      statement.setMaxRows(most);
      assertThat(count(statement.executeQuery(ALL))).isEqualTo(expected);
      prepared.setMaxRows(most);
      prepared.setLong(1, 0);
      assertThat(count(prepared.executeQuery())).isEqualTo(expected);
      assertThat(count(prepared.executeQuery())).isEqualTo(expected);
      assertThat(sql.folder().openScans()).isZero();
      prepared.setMaxRows(0);
      assertThat(count(prepared.executeQuery())).isEqualTo(48);
      assertThatThrownBy(() -> statement.setMaxRows(-1)).isInstanceOf(SQLException.class);
    }
  }

  @Test
  void fetchSizeChangesNoResult() throws SQLException {
    try (Sql sql = Sql.on("versions_stable_21");
        Statement statement = sql.connection().createStatement()) {
      for (int size : new int[] {0, 1, 7, 100_000}) {
        statement.setFetchSize(size);
        assertThat(statement.getFetchSize()).isEqualTo(size);
        assertThat(count(statement.executeQuery(ALL))).isEqualTo(48);
      }
    }
  }

  /** A join that would take minutes, with and without rows on the way. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count(*) from flights a join flights b on a.origin < b.destination",
        "select a.origin from flights a join flights b on a.origin < b.destination"
      })
  void aTimeoutEndsAStatement(String query) throws SQLException {
    try (Sql sql = Sql.on(SAMPLES)) {
      try (Statement statement = sql.connection().createStatement();
          PreparedStatement prepared = sql.connection().prepareStatement(query)) {
        statement.setQueryTimeout(1);
        prepared.setQueryTimeout(1);
        assertThatThrownBy(() -> count(statement.executeQuery(query)))
            .isInstanceOf(SQLException.class)
            .hasMessageEndingWith("the statement took longer than its 1 s")
            .hasFieldOrPropertyWithValue("SQLState", "57014");
        assertThatThrownBy(() -> count(prepared.executeQuery()))
            .isInstanceOf(SQLException.class)
            .hasMessageEndingWith("the statement took longer than its 1 s");
        statement.setQueryTimeout(0);
        assertThat(count(statement.executeQuery("select * from flights limit 5"))).isEqualTo(5);
      }
    }
  }

  @Test
  void parametersOfEveryTypeFindTheRowThatHoldsTheValue() throws SQLException {
    String[] columns = {
      "bool_c",
      "i8",
      "i16",
      "i32",
      "i64",
      "u8",
      "u16",
      "u32",
      "u64",
      "f64",
      "dec10_2",
      "dec38_10",
      "date32",
      "t32_s",
      "t32_ms",
      "ts_second",
      "ts_millisecond",
      "ts_millisecond_utc",
      "dur_ms",
      "utf8",
      "large_utf8",
      "bin",
      "large_bin",
      "fsb4"
    };
    try (Sql sql = Sql.on("types_scalar_22")) {
      for (String column : columns) {
        List<Object> values = new ArrayList<>();
        try (Statement statement = sql.connection().createStatement();
            ResultSet rows =
                statement.executeQuery(
                    "select distinct " + column + " from data where " + column + " is not null")) {
          while (rows.next() && values.size() < 3) {
            values.add(rows.getObject(1));
          }
        }
        assertThat(values).as(column).isNotEmpty();
        String query = "select " + column + " from data where " + column;
        try (PreparedStatement equal = sql.connection().prepareStatement(query + " = ?");
            PreparedStatement in = sql.connection().prepareStatement(query + " in (?, ?, ?)")) {
          for (Object value : values) { // executed again with another value
            equal.setObject(1, value);
            try (ResultSet rows = equal.executeQuery()) {
              assertThat(rows.next()).as("%s = %s", column, value).isTrue();
              assertThat(rows.getObject(1)).isEqualTo(value);
            }
          }
          equal.setNull(1, Types.NULL);
          assertThat(count(equal.executeQuery())).as(column).isZero();
          in.setObject(1, values.get(0));
          in.setObject(2, values.get(values.size() - 1));
          in.setNull(3, Types.NULL);
          assertThat(count(in.executeQuery())).as(column).isPositive();
        }
      }
    }
  }

  @Test
  void setterOfEachTypeIsTakenByItsColumn() throws SQLException {
    try (Sql sql = Sql.on("types_scalar_22");
        PreparedStatement statement =
            sql.connection()
                .prepareStatement(
                    "select count(*) from data where date32 = ? and t32_s > ? and ts_second > ?"
                        + " and dec10_2 <> ? and utf8 <> ? and i64 <> ? and f64 <> ?")) {
      for (boolean java : new boolean[] {false, true}) {
        statement.clearParameters();
        if (java) {
          statement.setObject(1, LocalDate.of(2022, 1, 10));
          statement.setObject(2, LocalTime.of(0, 0, 1));
          statement.setObject(3, Timestamp.valueOf("2000-01-01 00:00:00").toLocalDateTime());
        } else {
          statement.setDate(1, Date.valueOf("2022-01-10"));
          statement.setTime(2, Time.valueOf("00:00:01"));
          statement.setTimestamp(3, Timestamp.valueOf("2000-01-01 00:00:00"));
        }
        statement.setBigDecimal(4, new BigDecimal("0.01"));
        statement.setString(5, "nothing");
        statement.setLong(6, -77);
        statement.setDouble(7, -77.5);
        try (ResultSet rows = statement.executeQuery()) {
          assertThat(Sql.rows(rows))
              .isEqualTo(
                  sql.rows(
                      "select count(*) from data where date32 = date '2022-01-10' and t32_s >"
                          + " time '00:00:01' and ts_second > timestamp '2000-01-01 00:00:00' and"
                          + " dec10_2 <> 0.01 and utf8 <> 'nothing' and i64 <> -77 and"
                          + " f64 <> -77.5"));
        }
      }
    }
  }

  @Test
  void tableShowsWhatSelectStarShows() throws SQLException {
    try (Sql sql = Sql.on("versions_stable_21")) {
      assertThat(sql.labels("table data")).isEqualTo(sql.labels("select * from data"));
      assertThat(sql.rows("table data")).isEqualTo(sql.rows("select * from data"));
      assertThat(sql.rows("table data order by id desc limit 2"))
          .isEqualTo(sql.rows("select * from data order by id desc limit 2"));
      assertThat(sql.plan("table data")).isEqualTo(sql.plan("select * from data"));
    }
  }

  @Test
  void transactionsAreWhatTheyAre() throws SQLException {
    try (Sql sql = Sql.on("versions_stable_21")) {
      Connection connection = sql.connection();
      connection.setReadOnly(false);
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      connection.commit();
      connection.rollback();
      assertThat(connection.isReadOnly()).isTrue();
      assertThat(connection.getAutoCommit()).isTrue();
      assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_NONE);
      assertThat(connection.getMetaData().supportsTransactions()).isFalse();
      assertThat(connection.getMetaData().isReadOnly()).isTrue();
    }
  }

  @Test
  void setSchemaChoosesTheDefaultSchema() throws SQLException {
    String url =
        "jdbc:lance:schema.a=" + SAMPLES + ";schema.b=" + Sql.fixture("versions_stable_21");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      connection.setSchema("a");
      assertThat(count(statement.executeQuery("select * from weather limit 3"))).isEqualTo(3);
      connection.setSchema("b");
      assertThat(connection.getSchema()).isEqualTo("b");
      assertThat(count(statement.executeQuery(ALL))).isEqualTo(48);
      assertThatThrownBy(() -> connection.setSchema("c"))
          .isInstanceOf(SQLException.class)
          .hasMessage("no schema c; there are [a, b]");
      assertThat(connection.getSchema()).isEqualTo("b");
    }
  }

  @Test
  void anErrorInAConstantIsASqlException() throws SQLException {
    try (Sql sql = Sql.on("versions_stable_21");
        Statement statement = sql.connection().createStatement()) {
      assertThatThrownBy(
              () ->
                  count(
                      statement.executeQuery(
                          "select cast('x' as timestamp with local time zone) from data")))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("TIMESTAMP WITH LOCAL TIME ZONE literal 'x'");
    }
  }
}
