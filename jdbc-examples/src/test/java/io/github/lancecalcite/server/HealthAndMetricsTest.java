package io.github.lancecalcite.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.examples.ExamplePrograms;
import io.github.lancecalcite.server.Access.Scheme;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.calcite.avatica.remote.Driver.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What operators ask a server over HTTP. */
class HealthAndMetricsTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir Path folder;

  @Test
  void aServerIsHealthyWhileItCanListItsFolder() throws Exception {
    Path served = copy(ExamplePrograms.FIXTURE, folder.resolve("served"));
    Path away = folder.resolve("away");
    try (RunningServer server =
        RunningServer.start("jdbc:lance:" + served, ServerSettings.local(Serialization.PROTOBUF))) {
      assertAnswer(get(server, "/healthz", null), 200, "ok\n");
      Files.move(served, away);
      assertAnswer(get(server, "/healthz", null), 503, "cannot list the datasets\n");
      Files.move(away, served);
      assertAnswer(get(server, "/healthz", null), 200, "ok\n");
    }
  }

  @ParameterizedTest
  @EnumSource
  void metricsTellWhatIsOpenAndWhatWasDone(Serialization serialization) throws Exception {
    try (RunningServer server = Clients.start(serialization)) {
      assertThat(metrics(server))
          .containsEntry("lance_connections_open", 0.0)
          .containsEntry("lance_query_seconds_count", 0.0);
      try (Connection connection = DriverManager.getConnection(server.clientUrl());
          Statement statement = connection.createStatement();
          Statement other = connection.createStatement()) {
        statement.setFetchSize(5);
        ResultSet rows = statement.executeQuery("SELECT a.id FROM data AS a, data AS b");
        assertThat(metrics(server))
            .containsEntry("lance_connections_open", 1.0)
            .containsEntry("lance_statements_open", 2.0)
            .containsEntry("lance_results_open", 1.0)
            .containsEntry("lance_queries_running", 0.0)
            .containsEntry("lance_scans_open", (double) server.scanUse().scans())
            .containsEntry("lance_allocated_bytes", (double) server.scanUse().bytes());
        assertThat(server.scanUse().bytes()).isPositive();
        rows.close();
        // the stock client tells the server nothing when it closes a result; executing again does
        try (ResultSet all = statement.executeQuery("SELECT id FROM data")) {
          while (all.next()) {
            assertThat(all.getLong(1)).isPositive();
          }
        }
        assertThatThrownBy(() -> other.executeQuery("DELETE FROM data"))
            .hasStackTraceContaining("read-only");
        assertThatThrownBy(() -> connection.prepareStatement("SELECT nope FROM data"))
            .hasStackTraceContaining("nope");
      }
      Map<String, Double> metrics = metrics(server);
      assertThat(metrics)
          .containsEntry("lance_connections_open", 0.0)
          .containsEntry("lance_statements_open", 0.0)
          .containsEntry("lance_results_open", 0.0)
          .containsEntry("lance_scans_open", 0.0)
          .containsEntry("lance_allocated_bytes", 0.0)
          .containsEntry("lance_rows_sent_total", 148.0)
          .containsEntry("lance_queries_total{outcome=\"ok\"}", 1.0)
          .containsEntry("lance_queries_total{outcome=\"closed\"}", 1.0)
          .containsEntry("lance_queries_total{outcome=\"error\"}", 2.0)
          .containsEntry("lance_query_errors_total{sqlstate=\"25006\"}", 1.0)
          .containsEntry("lance_query_seconds_count", 4.0)
          .containsEntry("lance_query_seconds_bucket{le=\"+Inf\"}", 4.0)
          .containsEntry("lance_call_seconds_count{call=\"openConnection\"}", 1.0)
          .containsEntry("lance_call_seconds_count{call=\"prepareAndExecute\"}", 3.0);
      assertThat(metrics.get("lance_query_seconds_sum")).isPositive();
      assertThat(metrics.get("lance_response_bytes_total")).isGreaterThan(148 * 2);
    }
  }

  /** On a loopback address programs of the machine may read them; elsewhere whoever may query. */
  @Test
  void metricsNeedASecretWhereOthersReachThem() throws Exception {
    Path users = Files.write(folder.resolve("users.properties"), List.of("ann=right-one"));
    ServerSettings local =
        ServerSettings.local(Serialization.PROTOBUF).withAccess(new Access(Scheme.BASIC, users));
    try (RunningServer server = Clients.start(local)) {
      assertThat(get(server, "/healthz", null).statusCode()).isEqualTo(200);
      assertThat(get(server, "/metrics", null).statusCode()).isEqualTo(200);
      assertThat(get(server, "/", null).statusCode()).isEqualTo(401);
    }
    try (RunningServer server =
        Clients.start(local.withHost(InetAddress.getByName("0.0.0.0"), true))) {
      assertThat(get(server, "/healthz", null).statusCode()).isEqualTo(200);
      assertThat(get(server, "/metrics", null).statusCode()).isEqualTo(401);
      assertThat(get(server, "/metrics", "ann:wrong").statusCode()).isEqualTo(401);
      assertThat(get(server, "/metrics", "ann:right-one").statusCode()).isEqualTo(200);
      // not by another spelling either
      assertThat(get(server, "/healthz/../metrics", null).statusCode()).isEqualTo(401);
      assertThat(get(server, "/%6detrics", null).statusCode()).isEqualTo(401);
      assertThat(metrics(server, "ann:right-one"))
          .containsEntry("lance_http_responses_total{code=\"401\"}", 4.0);
    }
  }

  @Test
  @Timeout(60)
  void whatAnIdleConnectionHeldIsGoneWithIt() throws Exception {
    ServerSettings settings =
        ServerSettings.local(Serialization.PROTOBUF)
            .withLimits(
                new Limits(
                    Long.MAX_VALUE, Integer.MAX_VALUE, Duration.ofSeconds(1), Duration.ZERO));
    try (RunningServer server = Clients.start(settings)) {
      Connection connection = DriverManager.getConnection(server.clientUrl());
      Statement statement = connection.createStatement();
      statement.setFetchSize(5);
      statement.executeQuery("SELECT a.id FROM data AS a, data AS b");
      while (metrics(server).get("lance_results_open") > 0) {
        Thread.sleep(50);
      }
      assertThat(metrics(server))
          .containsEntry("lance_connections_open", 0.0)
          .containsEntry("lance_statements_open", 0.0)
          .containsEntry("lance_scans_open", 0.0)
          .containsEntry("lance_queries_total{outcome=\"closed\"}", 1.0);
    }
  }

  @Test
  void bucketsAddUp() {
    Histogram histogram = new Histogram();
    for (long micros : new long[] {1, 1_000, 1_001, 40_000, 2_000_000, 900_000_000}) {
      histogram.add(micros * 1_000);
    }
    StringBuilder text = new StringBuilder();
    histogram.write(text, "t", "a=\"b\"");
    assertThat(text.toString().lines())
        .contains(
            "t_bucket{a=\"b\",le=\"0.001\"} 2",
            "t_bucket{a=\"b\",le=\"0.0025\"} 3",
            "t_bucket{a=\"b\",le=\"0.025\"} 3",
            "t_bucket{a=\"b\",le=\"0.05\"} 4",
            "t_bucket{a=\"b\",le=\"2.5\"} 5",
            "t_bucket{a=\"b\",le=\"300.0\"} 5",
            "t_bucket{a=\"b\",le=\"+Inf\"} 6",
            "t_sum{a=\"b\"} 902.042002",
            "t_count{a=\"b\"} 6");
  }

  private static Map<String, Double> metrics(RunningServer server) throws Exception {
    return metrics(server, null);
  }

  /** Samples by name and labels, of a text whose every line is as Prometheus wants it. */
  private static Map<String, Double> metrics(RunningServer server, String login) throws Exception {
    HttpResponse<String> response = get(server, "/metrics", login);
    assertThat(response.headers().firstValue("Content-Type"))
        .hasValue("text/plain; version=0.0.4; charset=utf-8");
    Map<String, Double> samples = new LinkedHashMap<>();
    for (String line : response.body().lines().toList()) {
      assertThat(line)
          .matches(
              "# (HELP|TYPE) lance_[a-z_]+ .+"
                  + "|lance_[a-z_]+(\\{[a-z]+=\"[^\"]*\"(,le=\"[^\"]+\")?})? [0-9.E-]+");
      if (!line.startsWith("#")) {
        int space = line.lastIndexOf(' ');
        assertThat(samples.put(line.substring(0, space), Double.valueOf(line.substring(space))))
            .as(line)
            .isNull();
      }
    }
    return samples;
  }

  private static void assertAnswer(HttpResponse<String> response, int status, String body) {
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.body()).isEqualTo(body);
  }

  private static HttpResponse<String> get(RunningServer server, String path, String login)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    if (login != null) {
      request.header(
          "Authorization",
          "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.US_ASCII)));
    }
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static Path copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
    return to;
  }
}
