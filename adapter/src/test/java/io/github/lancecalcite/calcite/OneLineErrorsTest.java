package io.github.lancecalcite.calcite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.apache.calcite.jdbc.CalciteConnection;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whole messages, as a caller sees them. */
class OneLineErrorsTest {
  private static Sql sql;

  @BeforeAll
  static void connect() throws SQLException {
    sql = Sql.on("versions_stable_21");
  }

  @AfterAll
  static void close() throws SQLException {
    sql.close();
  }

  private static SQLException failure(ThrowingCallable call) {
    SQLException failure = catchThrowableOfType(SQLException.class, call);
    assertThat((Throwable) failure).isNotNull();
    return failure;
  }

  @Test
  void sqlOfSeveralLinesIsRepeatedInOne() {
    assertThat((Throwable) failure(() -> sql.rows("select\n  nothing\n\tfrom data\n")))
        .hasMessage(
            "Error while executing SQL \"select nothing from data\":"
                + " From line 2, column 3 to line 2, column 9:"
                + " Column 'nothing' not found in any table");
  }

  @Test
  void longSqlIsShortened() {
    String many = "select nothing" + ",\n id".repeat(100) + " from data";
    assertThat((Throwable) failure(() -> sql.rows(many)))
        .hasMessage(
            "Error while executing SQL \"select nothing"
                + ", id".repeat(26)
                + ", …\": From line 1, column 8 to line 1, column 14:"
                + " Column 'nothing' not found in any table");
  }

  @Test
  void syntaxErrorsStayInOneLine() {
    // Calcite's own message goes on with some hundred lines of tokens it would have taken
    assertThat((Throwable) failure(() -> sql.rows("select id\nfrom\nwhere")))
        .hasMessage(
            "Error while executing SQL \"select id from where\":"
                + " parse failed: Encountered \"where\" at line 3, column 1.");
  }

  @Test
  void whatCannotBePreparedSaysWhy() {
    assertThat(
            (Throwable)
                failure(() -> sql.connection().prepareStatement("select nothing\nfrom data")))
        .hasMessage(
            "Error while preparing statement [select nothing from data]:"
                + " From line 1, column 8 to line 1, column 14:"
                + " Column 'nothing' not found in any table");
  }

  @Test
  void stateAndCauseAreKept() {
    SQLException failure = failure(() -> sql.rows("select *\nfrom \"data@99\""));
    assertThat((Throwable) failure)
        .hasMessage(
            "Error while executing SQL \"select * from \"data@99\"\": version 99 not found in "
                + Sql.fixture("versions_stable_21").resolve("data.lance")
                + " (versions 1 to 7)")
        .hasRootCauseInstanceOf(io.github.lancecalcite.NotFoundException.class);
    assertThat(failure.getSQLState()).isEqualTo("58030");
  }

  @Test
  void changesAreRefusedInOneLineAlsoWhenExplained() {
    for (String change :
        new String[] {
          "delete from data", "update data set s = 'x'", "insert into data (id) values (1)",
        }) {
      String kind = change.substring(0, 6).toUpperCase(java.util.Locale.ROOT);
      for (String statement : new String[] {change, "explain plan for " + change}) {
        SQLException failure = failure(() -> sql.rows(statement));
        assertThat((Throwable) failure)
            .hasMessage(
                "Error while executing SQL \""
                    + statement
                    + "\": datasets are only read: no "
                    + kind);
        assertThat(failure.getSQLState()).isEqualTo("0A000");
      }
    }
  }

  @Test
  void divisionByZeroIsToldByNext() throws SQLException {
    for (String query :
        new String[] {
          "select 1 / (id - 10)\nfrom data",
          "select s, 1 / (id - 10), _rowid from data",
          "select 1 from data where 1 / (id - 10) > -5"
        }) {
      try (Statement statement = sql.connection().createStatement();
          ResultSet result = statement.executeQuery(query)) {
        SQLException failure =
            failure(
                () -> {
                  while (result.next()) {
                    assertThat(result.getRow()).isPositive();
                  }
                });
        assertThat((Throwable) failure)
            .as(query)
            .hasMessage("division by zero")
            .hasCauseInstanceOf(ArithmeticException.class);
        assertThat(failure.getSQLState()).isEqualTo("22012");
      }
    }
  }

  @Test
  void anErrorInTheFirstRowIsToldByExecuteAndLeavesNothingOpen() throws SQLException {
    assertThat((Throwable) failure(() -> sql.rows("select cast(s as integer)\nfrom data")))
        .hasMessage(
            "Error while executing SQL \"select cast(s as integer) from data\":"
                + " For input string: \"a1\"");
    assertThat(sql.folder().openScans()).isZero();
  }

  @Test
  void cancelSaysSo() throws SQLException {
    try (Statement statement = sql.connection().createStatement();
        ResultSet result = statement.executeQuery("select id from data")) {
      assertThat(result.next()).isTrue();
      statement.cancel();
      assertThat((Throwable) failure(result::next)).hasMessage("Statement canceled");
    }
  }

  @Test
  void unboundParametersAreSqlExceptions() throws SQLException {
    try (PreparedStatement statement =
        sql.connection().prepareStatement("select id\nfrom data where _rowid = ?")) {
      assertThat((Throwable) failure(statement::executeQuery))
          .hasMessage(
              "exception while executing query: exception while executing query: unbound"
                  + " parameter");
    }
  }

  @Test
  void theConnectionIsStillCalcites() throws SQLException {
    assertThat(sql.connection()).isInstanceOf(CalciteConnection.class).isEqualTo(sql.connection());
    assertThat(sql.connection().unwrap(CalciteConnection.class).getRootSchema()).isNotNull();
    try (Statement statement = sql.connection().createStatement();
        PreparedStatement prepared = sql.connection().prepareStatement("select 1")) {
      assertThat(statement.getConnection()).isSameAs(sql.connection());
      assertThat(prepared.getConnection()).isSameAs(sql.connection());
    }
  }
}
