package io.github.lancecalcite.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.examples.ExamplePrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.apache.calcite.avatica.remote.Driver.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real server, real HTTP, real remote driver. */
class RunningServerTest {
  private static final String URL = "jdbc:lance:" + ExamplePrograms.FIXTURE;

  @ParameterizedTest
  @EnumSource
  void theRemoteDriverSeesEveryRowWithItsSystemColumns(Serialization serialization)
      throws Exception {
    try (RunningServer server = start(serialization);
        Connection connection = DriverManager.getConnection(server.clientUrl());
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT id, s, _rowid, _rowaddr, _row_created_at_version,"
                    + " _row_last_updated_at_version FROM data")) {
      List<String> lines = new ArrayList<>();
      while (rows.next()) {
        lines.add(
            String.format(
                Locale.ROOT,
                "{\"id\":%d,\"s\":\"%s\",\"_rowid\":%d,\"_rowaddr\":%d,"
                    + "\"_row_created_at_version\":%d,\"_row_last_updated_at_version\":%d}",
                rows.getLong(1),
                rows.getString(2),
                rows.getLong(3),
                rows.getLong(4),
                rows.getLong(5),
                rows.getLong(6)));
      }
      assertThat(lines)
          .isEqualTo(Files.readAllLines(ExamplePrograms.FIXTURE.resolve("expected.jsonl")));
    }
  }

  @Test
  void aPreparedStatementTakesParameters() throws Exception {
    try (RunningServer server = start(Serialization.PROTOBUF);
        Connection connection = DriverManager.getConnection(server.clientUrl());
        PreparedStatement statement =
            connection.prepareStatement("SELECT s FROM data WHERE _rowid = ?")) {
      statement.setLong(1, 2);
      try (ResultSet rows = statement.executeQuery()) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getString(1)).isEqualTo("a2");
        assertThat(rows.next()).isFalse();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void anErrorArrivesAsOneLine(Serialization serialization) throws Exception {
    try (RunningServer server = start(serialization);
        Connection connection = DriverManager.getConnection(server.clientUrl());
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.executeQuery("SELECT nope FROM data"))
          .isInstanceOf(SQLException.class)
          .message()
          .endsWith(
              "Remote driver error: Error while executing SQL \"SELECT nope FROM data\": From line 1, column 8"
                  + " to line 1, column 11: Column 'nope' not found in any table");
    }
  }

  @Test
  void closingAConnectionReleasesItsScansOnTheServer() throws Exception {
    try (RunningServer server = start(Serialization.PROTOBUF)) {
      try (Connection connection = DriverManager.getConnection(server.clientUrl())) {
        // neither the result set nor the statement is closed
        ResultSet rows = connection.createStatement().executeQuery("SELECT * FROM data");
        assertThat(rows.next()).isTrue();
        assertThat(server.openConnections()).isEqualTo(1);
        assertThat(server.openStatements()).isEqualTo(1);
      }
      assertThat(server.openConnections()).isZero();
      assertThat(server.openStatements()).isZero();
    }
  }

  @Test
  void closingTheServerClosesWhatClientsLeftOpen() throws Exception {
    RunningServer server = start(Serialization.PROTOBUF);
    Connection connection = DriverManager.getConnection(server.clientUrl());
    connection.createStatement().executeQuery("SELECT * FROM data").next();

    server.close();

    assertThat(server.openConnections()).isZero();
    assertThatThrownBy(() -> connection.createStatement().executeQuery("SELECT * FROM data"))
        .isInstanceOfAny(SQLException.class, RuntimeException.class);
  }

  @Test
  void propertiesOfAClientAreNotPassedOn() throws Exception {
    try (RunningServer server = start(Serialization.PROTOBUF)) {
      Properties properties = new Properties();
      properties.setProperty("dir", "/");
      properties.setProperty("typeSystem", "no.such.Class");
      try (Connection connection = DriverManager.getConnection(server.clientUrl(), properties);
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM data")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getLong(1)).isEqualTo(48);
      }
    }
  }

  @Test
  void aTakenPortIsToldInPlainWords() throws Exception {
    try (RunningServer server = start(Serialization.JSON)) {
      int port = server.port();
      assertThatThrownBy(
              () ->
                  RunningServer.start(URL, ServerSettings.local(Serialization.JSON).withPort(port)))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("cannot listen on 127.0.0.1:" + port + ": ");
    }
  }

  @Test
  void aBadUrlIsToldWhenTheServerStarts() {
    assertThatThrownBy(
            () ->
                RunningServer.start(
                    "jdbc:lance:/no/such/folder", ServerSettings.local(Serialization.JSON)))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("/no/such/folder");
  }

  private static RunningServer start(Serialization serialization) throws Exception {
    return RunningServer.start(URL, ServerSettings.local(serialization));
  }
}
