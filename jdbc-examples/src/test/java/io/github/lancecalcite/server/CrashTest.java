package io.github.lancecalcite.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.calcite.avatica.AvaticaClientRuntimeException;
import org.apache.calcite.avatica.remote.Driver.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What clients see of a server that dies, comes back, or does not answer. */
@Timeout(120)
class CrashTest {
  private static final String PAIRS =
      "SELECT a.id * 1000 + b.id FROM data AS a, data AS b ORDER BY 1";

  @ParameterizedTest
  @EnumSource
  void afterAKillClientsGetErrorsAndNeverFewerRows(Serialization serialization) throws Exception {
    int port;
    Connection connection;
    List<Long> expected = new ArrayList<>();
    List<Long> seen = new ArrayList<>();
    ResultSet rows;
    Connection reconnecting;
    ResultSet lost;
    CompletableFuture<ResultSet> running = new CompletableFuture<>();
    try (ServerProcess server = ServerProcess.start(serialization, 0)) {
      port = server.port();
      connection = DriverManager.getConnection(server.url());
      read(connection.createStatement().executeQuery(PAIRS), expected);
      assertThat(expected).hasSize(48 * 48);
      Statement half = connection.createStatement();
      half.setFetchSize(200);
      rows = half.executeQuery(PAIRS);
      for (int i = 0; i < 250; i++) {
        assertThat(rows.next()).isTrue();
        seen.add(rows.getLong(1));
      }
      reconnecting = DriverManager.getConnection(server.url() + ";transparent_reconnection=true");
      Statement again = reconnecting.createStatement();
      again.setFetchSize(200);
      lost = again.executeQuery(PAIRS);
      Statement endless = connection.createStatement();
      new Thread(
              () -> {
                try {
                  running.complete(endless.executeQuery(CancelTest.ENDLESS));
                } catch (Exception e) {
                  running.completeExceptionally(e);
                }
              })
          .start();
      Clients.awaitScan(server.url());

      server.kill();
    }
    // the answer that will never come: asked again, and nobody is there
    assertThatThrownBy(running::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(SQLException.class);

    try (ServerProcess again = ServerProcess.start(serialization, port)) {
      // a fetch of the earlier server's result; the stock client does not make it an SQLException
      assertThatThrownBy(() -> read(rows, seen))
          .hasStackTraceContaining(
              "there is no such connection: it was closed, has expired, or was lost with the"
                  + " server");
      assertThat(seen).isEqualTo(expected.subList(0, seen.size()));
      assertThatThrownBy(connection::createStatement)
          .isInstanceOf(AvaticaClientRuntimeException.class)
          .hasStackTraceContaining("there is no such connection");
      assertThatThrownBy(() -> connection.prepareStatement(PAIRS))
          .isInstanceOf(SQLException.class)
          .hasStackTraceContaining("there is no such connection");

      assertThatThrownBy(() -> read(lost, new ArrayList<>()))
          .hasStackTraceContaining("the result of this statement is gone");
      List<Long> anew = new ArrayList<>();
      read(reconnecting.createStatement().executeQuery(PAIRS), anew);
      assertThat(anew).isEqualTo(expected);

      try (Connection fresh = DriverManager.getConnection(again.url());
          Statement statement = fresh.createStatement()) {
        List<Long> all = new ArrayList<>();
        read(statement.executeQuery(PAIRS), all);
        assertThat(all).isEqualTo(expected);
      }
    }
  }

  /** A server that is silent: bounded by the client's property, three minutes without it. */
  @ParameterizedTest
  @EnumSource
  void responseTimeoutBoundsTheWaitForASilentServer(Serialization serialization) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(
              () ->
                  DriverManager.getConnection(
                      url(silent, serialization) + ";http_response_timeout=300"))
          .hasRootCauseInstanceOf(SocketTimeoutException.class);
    }
  }

  /**
   * A server, or something before it, that takes requests and hangs up: the stock client asks again
   * at once and for ever, and has no property that bounds it. It ends when nobody listens any more.
   */
  @Test
  void theStockClientAsksAgainForAsLongAsSomebodyHangsUp() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    try (ServerSocket rude = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread hangingUp =
          new Thread(
              () -> {
                while (asked.get() < 20) {
                  try (Socket client = rude.accept()) {
                    client.getInputStream().read(new byte[1 << 16]);
                    asked.incrementAndGet();
                  } catch (IOException e) {
                    return;
                  }
                }
                try {
                  rude.close();
                } catch (IOException e) {
                  // closed is closed
                }
              });
      hangingUp.start();
      assertThatThrownBy(
              () ->
                  DriverManager.getConnection(
                      url(rude, Serialization.PROTOBUF) + ";http_response_timeout=2000"))
          .isInstanceOf(RuntimeException.class);
      hangingUp.join();
    }
    assertThat(asked.get()).isEqualTo(20);
  }

  private static String url(ServerSocket socket, Serialization serialization) {
    return String.format(
        Locale.ROOT,
        "jdbc:avatica:remote:url=http://127.0.0.1:%d;serialization=%s",
        socket.getLocalPort(),
        serialization.name().toLowerCase(Locale.ROOT));
  }

  private static void read(ResultSet rows, List<Long> into) throws SQLException {
    while (rows.next()) {
      into.add(rows.getLong(1));
    }
  }
}
