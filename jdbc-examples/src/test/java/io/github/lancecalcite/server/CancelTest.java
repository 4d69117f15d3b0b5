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
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.calcite.avatica.AvaticaClientRuntimeException;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.remote.Driver.Serialization;
import org.apache.calcite.avatica.remote.Service;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Statements that are ended from outside: by the server's time limit, or by their client. The query
 * would run for hours, so a test that does not end has failed.
 */
@Timeout(120)
class CancelTest {
  private static final String TABLES =
      " FROM data AS a, data AS b, data AS c, data AS d, data AS e, data AS f"
          + " WHERE a.id + b.id + c.id + d.id + e.id + f.id < 0";

  /** One request that works and works. */
  static final String ENDLESS = "SELECT COUNT(*)" + TABLES;

  /** Some frames at once, then a fetch that works and works. */
  private static final String ENDLESS_LATER =
      "SELECT x.id FROM data AS x, data AS y WHERE x.id < 20 UNION ALL SELECT a.id" + TABLES;

  private static final String ALL = "SELECT id FROM data";
  private static final String TWICE = ALL + " UNION ALL " + ALL;

  /** Time enough for every other query here. */
  private static final Duration LIMIT = Duration.ofMillis(1_200);

  @ParameterizedTest
  @EnumSource
  void theServerEndsAStatementAfterItsTime(Serialization serialization) throws Exception {
    try (RunningServer server = start(serialization, LIMIT);
        Connection connection = DriverManager.getConnection(server.clientUrl());
        Statement statement = connection.createStatement();
        PreparedStatement prepared = connection.prepareStatement(ENDLESS)) {
      assertThat(count(statement.executeQuery(ALL))).isEqualTo(48);
      assertThatThrownBy(() -> statement.executeQuery(ENDLESS))
          .isInstanceOf(SQLException.class)
          .hasStackTraceContaining(
              "the statement took more than 1.2 s of this server's time, which is the limit"
                  + " (--statement-timeout, or statement_timeout of the connection)")
          .satisfies(e -> assertThat(((SQLException) e).getSQLState()).isEqualTo("57014"));
      assertThatThrownBy(prepared::executeQuery)
          .isInstanceOf(SQLException.class)
          .hasStackTraceContaining("the statement took more than 1.2 s");
      assertThat(server.scanUse()).isEqualTo(ScanUse.NONE);
      // the statement is as good as new
      assertThat(count(statement.executeQuery(ALL))).isEqualTo(48);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theTimeOfFetchesCounts(Serialization serialization) throws Exception {
    try (RunningServer server = start(serialization, LIMIT);
        Connection connection = DriverManager.getConnection(server.clientUrl());
        Statement statement = connection.createStatement()) {
      ResultSet rows = statement.executeQuery(ENDLESS_LATER);
      // Avatica's client throws an unchecked exception of its own in next()
      assertThatThrownBy(() -> count(rows))
          .isInstanceOf(AvaticaClientRuntimeException.class)
          .hasMessageContaining("the statement took more than 1.2 s")
          .satisfies(
              e ->
                  assertThat(((AvaticaClientRuntimeException) e).getSqlState()).isEqualTo("57014"));
      assertThat(server.scanUse()).isEqualTo(ScanUse.NONE);
    }
  }

  @Test
  void aClientsPausesDoNotCount() throws Exception {
    try (RunningServer server = start(Serialization.PROTOBUF, LIMIT);
        Connection connection = DriverManager.getConnection(server.clientUrl());
        Statement statement = connection.createStatement()) {
      statement.setFetchSize(20);
      ResultSet rows = statement.executeQuery(ALL + " UNION ALL " + TWICE);
      assertThat(rows.next()).isTrue();
      Thread.sleep(LIMIT.toMillis() + 100);
      assertThat(1 + count(rows)).isEqualTo(3 * 48);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClientMayAskForLessTime(Serialization serialization) throws Exception {
    Properties properties = new Properties();
    properties.setProperty("statement_timeout", "1");
    try (RunningServer server = start(serialization, Duration.ofHours(1));
        Connection connection = DriverManager.getConnection(server.clientUrl(), properties);
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.executeQuery(ENDLESS))
          .hasStackTraceContaining("the statement took more than 1 s of this server's time");
    }
  }

  @ParameterizedTest
  @CsvSource({"0, , 0", "0, 5, 5", "10, 5, 5", "10, 50, 10", "10, 0, 10", "10, , 10"})
  void theShorterTimeHolds(int ofServer, String ofClient, int expected) {
    Limits limits = Limits.NONE.withStatementTimeout(Duration.ofSeconds(ofServer));
    assertThat(limits.statementTimeout(ofClient)).isEqualTo(Duration.ofSeconds(expected));
  }

  @Test
  void aTimeThatIsNoneIsRefused() throws Exception {
    Properties properties = new Properties();
    properties.setProperty("statement_timeout", "-1");
    try (RunningServer server = start(Serialization.PROTOBUF, Duration.ZERO)) {
      assertThatThrownBy(() -> DriverManager.getConnection(server.clientUrl(), properties).close())
          .hasStackTraceContaining("statement_timeout is no number of seconds: -1");
      assertThat(server.openConnections()).isZero();
    }
    assertThatThrownBy(() -> Limits.NONE.withStatementTimeout(Duration.ofSeconds(-1)))
        .hasMessage("the statement timeout is negative: -1 s");
  }

  /**
   * The stock client keeps the number to itself and does nothing with it; so with what its URL
   * says.
   */
  @ParameterizedTest
  @EnumSource
  void theStockClientSendsNeitherItsQueryTimeoutNorPropertiesOfItsUrl(Serialization serialization)
      throws Exception {
    try (RunningServer server = start(serialization, Duration.ofMillis(1_500));
        Connection connection =
            DriverManager.getConnection(server.clientUrl() + ";statement_timeout=1");
        Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(1);
      assertThat(statement.getQueryTimeout()).isEqualTo(1);
      // it is the server's limit that ends the statement, after more than the client's
      assertThatThrownBy(() -> statement.executeQuery(ENDLESS))
          .hasStackTraceContaining("the statement took more than 1.5 s");
    }
  }

  /**
   * The stock client itself lets nobody close or cancel a statement while an execution waits for
   * its answer: both calls wait, too. So the request comes past it.
   */
  @ParameterizedTest
  @EnumSource
  void closingAStatementEndsItsExecution(Serialization serialization) throws Exception {
    try (RunningServer server = start(serialization, Duration.ZERO);
        Connection connection = DriverManager.getConnection(server.clientUrl())) {
      Statement statement = connection.createStatement();
      CompletableFuture<ResultSet> running = execute(statement);
      awaitScans(server, 3);

      AvaticaConnection client = connection.unwrap(AvaticaConnection.class);
      client
          .getService()
          .apply(
              new Service.CloseStatementRequest(
                  client.id, statement.unwrap(AvaticaStatement.class).getId()));

      assertEnded(running);
      assertThat(server.scanUse()).isEqualTo(ScanUse.NONE);
      assertThat(server.openStatements()).isZero();
      assertThat(Clients.number(connection, "SELECT COUNT(*) FROM data")).isEqualTo(48);
    }
  }

  @ParameterizedTest
  @EnumSource
  void closingAStatementEndsItsFetch(Serialization serialization) throws Exception {
    try (RunningServer server = start(serialization, Duration.ZERO);
        Connection connection = DriverManager.getConnection(server.clientUrl())) {
      Statement statement = connection.createStatement();
      ResultSet rows = statement.executeQuery(ENDLESS_LATER);
      CompletableFuture<Integer> running = new CompletableFuture<>();
      new Thread(
              () -> {
                try {
                  running.complete(count(rows));
                } catch (Throwable e) {
                  running.completeExceptionally(e);
                }
              })
          .start();
      awaitScans(server, 3);

      statement.close();

      assertThatThrownBy(running::get).isInstanceOf(ExecutionException.class);
      assertThat(server.scanUse()).isEqualTo(ScanUse.NONE);
      assertThat(server.openStatements()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void closingAConnectionEndsWhatRunsOnIt(Serialization serialization) throws Exception {
    try (RunningServer server = start(serialization, Duration.ZERO)) {
      Connection connection = DriverManager.getConnection(server.clientUrl());
      CompletableFuture<ResultSet> first = execute(connection.createStatement());
      CompletableFuture<ResultSet> second = execute(connection.prepareStatement(ENDLESS));
      awaitScans(server, 8); // one has six tables

      connection.close(); // fails if a byte of the connection's scans is still held

      assertEnded(first);
      assertEnded(second);
      assertThat(server.openConnections()).isZero();
      assertThat(server.openStatements()).isZero();
    }
  }

  /**
   * As closing the statement, cancel() is the way of another thread; the stock client sends
   * nothing.
   */
  @ParameterizedTest
  @EnumSource
  void cancelEndsTheClientsReadingAndCloseTheServersWork(Serialization serialization)
      throws Exception {
    try (RunningServer server = start(serialization, Duration.ZERO);
        Connection connection = DriverManager.getConnection(server.clientUrl())) {
      try (Statement statement = connection.createStatement()) {
        statement.setFetchSize(20);
        ResultSet rows = statement.executeQuery("SELECT a.id FROM data AS a, data AS b");
        assertThat(rows.next()).isTrue();
        statement.cancel();
        assertThatThrownBy(rows::next)
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("Statement canceled");
        assertThat(server.scanUse().scans()).isPositive();
      }
      assertThat(server.scanUse()).isEqualTo(ScanUse.NONE);
    }
  }

  private static RunningServer start(Serialization serialization, Duration timeout)
      throws Exception {
    return Clients.start(
        ServerSettings.local(serialization).withLimits(Limits.NONE.withStatementTimeout(timeout)));
  }

  private static CompletableFuture<ResultSet> execute(Statement statement) {
    CompletableFuture<ResultSet> running = new CompletableFuture<>();
    new Thread(
            () -> {
              try {
                running.complete(
                    statement instanceof PreparedStatement prepared
                        ? prepared.executeQuery()
                        : statement.executeQuery(ENDLESS));
              } catch (Throwable e) {
                running.completeExceptionally(e);
              }
            })
        .start();
    return running;
  }

  private static void awaitScans(RunningServer server, int scans) throws InterruptedException {
    while (server.scanUse().scans() < scans) {
      Thread.sleep(5);
    }
  }

  private static void assertEnded(CompletableFuture<ResultSet> running) {
    assertThatThrownBy(running::get)
        .hasCauseInstanceOf(SQLException.class)
        .hasStackTraceContaining("the statement was closed while it was running");
  }

  private static int count(ResultSet rows) throws SQLException {
    int count = 0;
    while (rows.next()) {
      count++;
    }
    return count;
  }
}
