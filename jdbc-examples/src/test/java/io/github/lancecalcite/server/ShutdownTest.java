package io.github.lancecalcite.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ConnectException;
import java.net.Socket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import org.apache.calcite.avatica.remote.Driver.Serialization;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** SIGTERM to a real process. */
@Timeout(120)
class ShutdownTest {
  @ParameterizedTest
  @EnumSource
  void resultsAreFetchedToTheirEndAndNothingNewBegins(Serialization serialization)
      throws Exception {
    try (ServerProcess server = ServerProcess.start(serialization, 0, "--shutdown-grace", "600")) {
      // not closed here: afterwards there is nobody left to tell
      Connection connection = DriverManager.getConnection(server.url());
      Statement statement = connection.createStatement();
      Statement other = connection.createStatement();
      statement.setFetchSize(200);
      ResultSet rows = statement.executeQuery("SELECT a.id FROM data AS a, data AS b");

      server.terminate();

      assertThat(server.line())
          .isEqualTo("stopping: 1 results are open, waiting for them up to 600 s");
      awaitRefusal(server.port());
      // this JVM's pool of HTTP connections still has one: it is answered, and the answer is no
      assertThatThrownBy(() -> DriverManager.getConnection(server.url()))
          .hasStackTraceContaining("this server is stopping; try again later");
      assertThatThrownBy(() -> other.executeQuery("SELECT id FROM data"))
          .isInstanceOf(SQLException.class)
          .hasStackTraceContaining("this server is stopping; try again later")
          .satisfies(e -> assertThat(((SQLException) e).getSQLState()).isEqualTo("57P01"));
      int count = 0;
      while (rows.next()) {
        count++;
      }
      assertThat(count).isEqualTo(48 * 48);
      assertThat(server.exitCode()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatRunsLongerIsEndedWithAnError(Serialization serialization) throws Exception {
    try (ServerProcess server = ServerProcess.start(serialization, 0, "--shutdown-grace", "0")) {
      Connection connection = DriverManager.getConnection(server.url());
      CompletableFuture<Object> running = new CompletableFuture<>();
      Statement statement = connection.createStatement();
      new Thread(
              () -> {
                try {
                  running.complete(statement.executeQuery(CancelTest.ENDLESS));
                } catch (SQLException e) {
                  running.completeExceptionally(e);
                }
              })
          .start();
      Clients.awaitScan(server.url());

      server.terminate();

      assertThatThrownBy(running::get)
          .hasCauseInstanceOf(SQLException.class)
          .hasStackTraceContaining("this server is stopping; try again later");
      assertThat(server.exitCode()).isZero();
    }
  }

  private static void awaitRefusal(int port) throws Exception {
    while (true) {
      try (Socket socket = new Socket("127.0.0.1", port)) {
        Thread.sleep(5);
      } catch (ConnectException e) {
        return;
      }
    }
  }
}
