package io.github.lancecalcite.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.apache.calcite.avatica.remote.Driver.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Limits of the server and of its clients, over 48 rows. */
class LimitsTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final String ALL = "SELECT id FROM data";

  @ParameterizedTest
  @CsvSource({"PROTOBUF, 100", "PROTOBUF, 5", "JSON, 100", "JSON, 5"})
  void aResultAboveTheLimitIsAnErrorAndOneAtTheLimitIsNot(
      Serialization serialization, int fetchSize) throws Exception {
    Limits limits = new Limits(47, Integer.MAX_VALUE, HOUR, Duration.ZERO);
    try (RunningServer server = start(serialization, limits);
        Connection connection = DriverManager.getConnection(server.clientUrl());
        Statement statement = connection.createStatement()) {
      statement.setFetchSize(fetchSize);
      assertThat(count(statement.executeQuery(ALL + " LIMIT 47"))).isEqualTo(47);
      assertThatThrownBy(() -> count(statement.executeQuery(ALL)))
          .hasStackTraceContaining(
              "the result has more than 47 rows, which this server allows (--max-rows);"
                  + " add a LIMIT or a condition");
    }
  }

  @ParameterizedTest
  @EnumSource
  void statementsAboveTheLimitAreRefusedUntilOneIsClosed(Serialization serialization)
      throws Exception {
    try (RunningServer server =
            start(serialization, new Limits(Long.MAX_VALUE, 2, HOUR, Duration.ZERO));
        Connection connection = DriverManager.getConnection(server.clientUrl());
        Statement first = connection.createStatement();
        PreparedStatement second = connection.prepareStatement(ALL)) {
      assertThatThrownBy(connection::createStatement)
          .hasStackTraceContaining("2 statements are open, as many as this server allows");
      assertThatThrownBy(() -> connection.prepareStatement(ALL))
          .hasStackTraceContaining("2 statements are open, as many as this server allows");
      first.close();
      try (Statement third = connection.createStatement()) {
        assertThat(count(third.executeQuery(ALL))).isEqualTo(48);
      }
      assertThat(count(second.executeQuery())).isEqualTo(48);
    }
  }

  /**
   * The stock client sends the number with a statement's text: so a prepared statement, whose text
   * went before anybody could call setMaxRows, gives every row. The server cannot know better.
   */
  @ParameterizedTest
  @EnumSource
  void maxRowsOfAClientCutStatementsAndCannotCutPreparedOnes(Serialization serialization)
      throws Exception {
    try (RunningServer server = start(serialization, Limits.NONE);
        Connection connection = DriverManager.getConnection(server.clientUrl())) {
      for (int max : new int[] {0, 1, 7, 48, 100}) {
        int expected = max == 0 ? 48 : Math.min(max, 48);
        try (Statement statement = connection.createStatement();
            PreparedStatement prepared = connection.prepareStatement(ALL)) {
          statement.setMaxRows(max);
          statement.setFetchSize(5);
          assertThat(count(statement.executeQuery(ALL))).as("max %d", max).isEqualTo(expected);
          prepared.setMaxRows(max);
          prepared.setFetchSize(5);
          assertThat(count(prepared.executeQuery())).as("prepared %d", max).isEqualTo(48);
        }
      }
    }
  }

  @Test
  void limitsStartAtOne() {
    assertThatThrownBy(() -> new Limits(0, 1, HOUR, Duration.ZERO))
        .hasMessage("limits start at 1: rows 0, statements 1, connection expiry 3600 s");
  }

  private static RunningServer start(Serialization serialization, Limits limits) throws Exception {
    return Clients.start(ServerSettings.local(serialization).withLimits(limits));
  }

  private static int count(ResultSet rows) throws SQLException {
    int count = 0;
    while (rows.next()) {
      count++;
    }
    return count;
  }
}
