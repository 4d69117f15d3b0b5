package io.github.lancecalcite.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lancecalcite.server.Access.Scheme;
import io.github.lancecalcite.server.QueryLog.Format;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.remote.Driver.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the server writes about its clients, and what it must not write. */
@Timeout(120)
class QueryLogTest {
  private static final String PASSWORD = "pass-word-of-ann";
  private static final String LITERAL = "4111-secret-in-sql";

  @TempDir Path folder;

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @ParameterizedTest
  @EnumSource
  void oneLineOfJsonPerStatement(Serialization serialization) throws Exception {
    String connectionId;
    try (RunningServer server = start(serialization, Format.JSON, false)) {
      String url = server.clientUrl() + Clients.as(Scheme.BASIC, "ann", PASSWORD);
      connectionId = runStatements(url);
      assertThatThrownBy(
              () ->
                  Clients.countRows(
                      server.clientUrl() + Clients.as(Scheme.BASIC, "ann", "wrong-" + PASSWORD)))
          .hasStackTraceContaining("401");
      awaitLines(6);
    }
    List<JsonNode> lines = new ArrayList<>();
    for (String line : lines()) {
      lines.add(new ObjectMapper().readTree(line));
    }
    assertThat(lines)
        .extracting(line -> line.get("event").asText())
        .containsExactly("ok", "error", "error", "ok", "closed", "refused");
    assertThat(lines.get(0).fieldNames())
        .toIterable()
        .containsExactly(
            "time", "event", "user", "connection", "statement", "duration_ms", "worked_ms", "rows");
    assertThat(lines)
        .extracting(line -> line.path("rows").asInt(-1))
        .containsExactly(48, 0, 0, 1, 100, -1);
    for (JsonNode line : lines.subList(0, 5)) {
      assertThat(line.get("time").asText()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d.*Z");
      assertThat(line.get("user").asText()).isEqualTo("ann");
      assertThat(line.get("connection").asInt()).isEqualTo(1);
      assertThat(line.get("duration_ms").asLong())
          .isGreaterThanOrEqualTo(line.get("worked_ms").asLong());
    }
    assertThat(lines.get(1).get("sqlstate").asText()).isEqualTo("25006");
    assertThat(lines.get(2).has("sqlstate")).isTrue(); // not prepared: without a statement
    assertThat(lines.get(2).has("statement")).isFalse();
    assertThat(lines.get(5).get("address").asText()).isEqualTo("127.0.0.1");
    assertThat(text())
        .doesNotContain(PASSWORD)
        .doesNotContain(LITERAL)
        .doesNotContain(connectionId);
  }

  @Test
  void textOfStatementsIsWrittenOnlyWhereItIsAskedFor() throws Exception {
    try (RunningServer server = start(Serialization.PROTOBUF, Format.JSON, true)) {
      runStatements(server.clientUrl() + Clients.as(Scheme.BASIC, "ann", PASSWORD));
    }
    JsonNode failed = new ObjectMapper().readTree(lines().get(1));
    assertThat(failed.get("sql").asText()).contains(LITERAL);
    assertThat(failed.get("error").asText()).contains("read-only");
    JsonNode prepared = new ObjectMapper().readTree(lines().get(3));
    assertThat(prepared.get("sql").asText()).isEqualTo("SELECT COUNT(*) FROM data WHERE id > ?");
    assertThat(text()).doesNotContain(PASSWORD);
  }

  @Test
  void textIsForPeople() throws Exception {
    try (RunningServer server = start(Serialization.PROTOBUF, Format.TEXT, true)) {
      runStatements(server.clientUrl() + Clients.as(Scheme.BASIC, "ann", PASSWORD));
    }
    assertThat(lines()).hasSize(5);
    assertThat(lines().get(0))
        .matches(
            "[-0-9T:.]+Z ok user=\"ann\" connection=1 statement=\\d+ duration_ms=\\d+"
                + " worked_ms=\\d+ rows=48 sql=\"SELECT id FROM data\"");
    // the statement of two lines is in one
    assertThat(lines().get(1)).contains(" sqlstate=\"25006\" error=\"").contains("data\\nWHERE");
  }

  @Test
  void nothingIsNothing() throws Exception {
    try (RunningServer server = start(Serialization.PROTOBUF, Format.NONE, true)) {
      runStatements(server.clientUrl() + Clients.as(Scheme.BASIC, "ann", PASSWORD));
    }
    assertThat(text()).isEmpty();
  }

  /** Returns the id of the connection. */
  private static String runStatements(String url) throws Exception {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      try (ResultSet rows = statement.executeQuery("SELECT id FROM data")) {
        while (rows.next()) {
          rows.getLong(1);
        }
      }
      assertThatThrownBy(
              () -> statement.executeQuery("DELETE FROM data\nWHERE s <> '" + LITERAL + "'"))
          .hasStackTraceContaining("read-only");
      assertThatThrownBy(() -> connection.prepareStatement("SELECT '" + LITERAL + "' FROM gone"))
          .hasStackTraceContaining("gone");
      try (PreparedStatement prepared =
          connection.prepareStatement("SELECT COUNT(*) FROM data WHERE id > ?")) {
        prepared.setLong(1, 0);
        try (ResultSet rows = prepared.executeQuery()) {
          assertThat(rows.next()).isTrue();
        }
      }
      statement.executeQuery("SELECT a.id FROM data AS a, data AS b"); // and no more of it
      return connection.unwrap(AvaticaConnection.class).id;
    }
  }

  private RunningServer start(Serialization serialization, Format format, boolean sql)
      throws Exception {
    Path users = Files.write(folder.resolve("users.properties"), List.of("ann=" + PASSWORD));
    return Clients.start(
        ServerSettings.local(serialization)
            .withAccess(new Access(Scheme.BASIC, users))
            .withLog(
                new QueryLog(format, sql, new PrintStream(written, true, StandardCharsets.UTF_8))));
  }

  private String text() {
    return written.toString(StandardCharsets.UTF_8);
  }

  private List<String> lines() {
    return text().lines().toList();
  }

  private void awaitLines(int count) throws InterruptedException {
    while (lines().size() < count) {
      Thread.sleep(5);
    }
  }
}
