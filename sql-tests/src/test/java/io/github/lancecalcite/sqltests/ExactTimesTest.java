package io.github.lancecalcite.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import org.junit.jupiter.api.Test;

/** Digits of the second beneath the millisecond; other zones are in {@link TimeZonesTest}. */
class ExactTimesTest {
  @Test
  void nothingBeneathTheMillisecondIsLost() throws SQLException {
    assertThat(ExactTimes.check(8)).isGreaterThan(1000);
  }

  @Test
  void aParameterWithFinerDigitsIsRefused() throws SQLException {
    try (Connection connection = connect();
        PreparedStatement statement =
            connection.prepareStatement("select id from instants where ts_nanosecond = ?")) {
      Timestamp fine = Timestamp.valueOf("2024-03-10 10:00:00.123456789");
      assertThatThrownBy(() -> statement.setTimestamp(1, fine))
          .isInstanceOf(SQLException.class)
          .hasMessage(
              "a parameter holds milliseconds, not 2024-03-10 10:00:00.123456789:"
                  + " write it as a literal");
      for (Object value : new Object[] {fine, fine.toLocalDateTime(), LocalTime.of(1, 2, 3, 4)}) {
        assertThatThrownBy(() -> statement.setObject(1, value))
            .isInstanceOf(SQLException.class)
            .hasMessageStartingWith("a parameter holds milliseconds, not ");
      }
      assertThatThrownBy(() -> statement.setObject(1, Instant.EPOCH))
          .isInstanceOf(SQLException.class)
          .hasMessage("parameter 1 has no time zone: give it a LocalDateTime");
    }
  }

  @Test
  void aTypeWithoutSuchAValueIsAnError() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "select ts_nanosecond, t_ns, f64, id, cast(id as varchar),"
                    + " cast(ts_nanosecond as date) from instants where id = 12")) {
      assertThat(rows.next()).isTrue();
      assertThatThrownBy(() -> rows.getObject(1, Instant.class))
          .isInstanceOf(SQLException.class)
          .hasMessage("column 1 of type TIMESTAMP has no value of java.time.Instant");
      assertThatThrownBy(() -> rows.getObject(2, LocalDate.class))
          .isInstanceOf(SQLException.class)
          .hasMessage("column 2 of type TIME has no value of java.time.LocalDate");
      assertThatThrownBy(() -> rows.getObject(4, LocalDateTime.class))
          .isInstanceOf(SQLException.class);
      assertThat(rows.getObject(4, Integer.class)).isEqualTo(12);
      assertThat(rows.getObject(5, String.class)).isEqualTo("12");
      assertThat(rows.getObject("EXPR$5", LocalDate.class)).isEqualTo("2024-03-10");
      assertThat(rows.getObject(1, LocalDate.class)).isEqualTo("2024-03-10");
    }
  }

  @Test
  void explainShowsTheSecondColumn() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "explain plan for select ts_microsecond from instants where _rowid < 3")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString(1))
          .contains("columns=[[ts_microsecond, ts_microsecond (after the millisecond)]]");
    }
  }

  @Test
  void theSessionIsInUtcUnlessTheConnectionNamesAZone() throws SQLException {
    String query = "select cast(ts_second_utc as timestamp) from instants where id = 0";
    for (String zone : new String[] {"", ";timeZone=Asia/Kathmandu"}) {
      try (Connection connection =
              DriverManager.getConnection("jdbc:lance:dir=" + ExactTimes.edges() + zone);
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(query)) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getObject(1, LocalDateTime.class))
            .isEqualTo(zone.isEmpty() ? "1970-01-01T00:00" : "1970-01-01T05:30");
      }
    }
  }

  private static Connection connect() throws SQLException {
    return DriverManager.getConnection("jdbc:lance:" + ExactTimes.edges());
  }
}
