package io.github.lancecalcite.server;

import io.github.lancecalcite.examples.ExamplePrograms;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.apache.calcite.avatica.remote.Driver.Serialization;

/** Servers and stock Avatica clients for tests. */
final class Clients {
  /** A folder with one small dataset, {@code data}, of 48 rows. */
  static final String URL = "jdbc:lance:" + ExamplePrograms.FIXTURE;

  /** All fixtures: a folder of datasets each. */
  static final Path FIXTURES = ExamplePrograms.FIXTURE.getParent();

  /** Real datasets. */
  static final Path SAMPLES = Path.of(System.getProperty("repo.root")).resolve("samples");

  private Clients() {}

  static RunningServer start(ServerSettings settings) throws Exception {
    return RunningServer.start(URL, settings);
  }

  static RunningServer start(Serialization serialization) throws Exception {
    return start(ServerSettings.local(serialization));
  }

  /** What a client adds to the server's URL to say who it is. */
  static String as(Access.Scheme scheme, String user, String secret) {
    return switch (scheme) {
      case NONE -> "";
      case BASIC, DIGEST ->
          String.format(
              Locale.ROOT,
              ";authentication=%s;avatica_user=%s;avatica_password=%s",
              scheme,
              user,
              secret);
      case BEARER ->
          String.format(
              Locale.ROOT, ";authentication=BEARER;avatica_user=%s;bearer_token=%s", user, secret);
    };
  }

  /** Counts the rows of {@code data} through a connection of its own. */
  static long countRows(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      return number(connection, "SELECT COUNT(*) FROM data");
    }
  }

  /** Waits until a query of a server reads data. */
  static void awaitScan(String clientUrl) throws Exception {
    URI metrics =
        URI.create(
            clientUrl.substring(clientUrl.indexOf("url=") + 4, clientUrl.indexOf(';'))
                + "/metrics");
    HttpRequest request = HttpRequest.newBuilder(metrics).build();
    while (HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.ofString())
        .body()
        .lines()
        .noneMatch(line -> line.matches("lance_scans_open [1-9].*"))) {
      Thread.sleep(20);
    }
  }

  /** The one number that a query answers. */
  static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      if (!rows.next()) {
        throw new AssertionError("no row: " + sql);
      }
      return rows.getLong(1);
    }
  }
}
