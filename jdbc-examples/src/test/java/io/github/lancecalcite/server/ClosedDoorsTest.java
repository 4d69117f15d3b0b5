package io.github.lancecalcite.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.examples.ExamplePrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.calcite.avatica.AvaticaClientRuntimeException;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.remote.Driver.Serialization;
import org.apache.calcite.avatica.remote.Service;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a remote client must not be able to do: load classes, read files, write. */
class ClosedDoorsTest {
  /** Every property of Calcite and Avatica that names a class. */
  private static final List<String> CLASS_PROPERTIES =
      List.of(
          "typeSystem",
          "parserFactory",
          "schemaFactory",
          "metaTableFactory",
          "metaColumnFactory",
          "factory",
          "httpclient_factory",
          "httpclient_impl",
          "lb_strategy",
          "bearer_token_provider_class");

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void noClassThatAClientNamesIsLoaded(Serialization serialization) throws Exception {
    try (RunningServer server = Clients.start(serialization)) {
      for (String property : CLASS_PROPERTIES) {
        assertThat(openAndCount(server, Map.of(property, CanaryForServer.class.getName())))
            .as(property)
            .isEqualTo(48);
        assertThat(openAndCount(server, Map.of(property, CanaryForServer.class.getName() + "#X")))
            .as(property)
            .isEqualTo(48);
      }
      Map<String, String> all = new HashMap<>();
      CLASS_PROPERTIES.forEach(name -> all.put(name, CanaryForServer.class.getName()));
      assertThat(openAndCount(server, all)).isEqualTo(48);
    }
    assertThat(Canaries.sang("server")).isFalse();
  }

  @Test
  void theSamePropertyLoadsAClassInProcessSoThatTheTestAboveWouldNotice() {
    assertThatThrownBy(
            () ->
                Clients.countRows(
                    Clients.URL + ";parserFactory=" + CanaryForProcess.class.getName()))
        .isInstanceOfAny(SQLException.class, RuntimeException.class);
    assertThat(Canaries.sang("process")).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void noModelThatAClientNamesIsRead(Serialization serialization) throws Exception {
    Path model = model(CanaryOfModel.class);
    try (RunningServer server = Clients.start(serialization)) {
      for (String given :
          new String[] {
            model.toString(), model.toUri().toString(), "inline:" + Files.readString(model)
          }) {
        assertThat(openAndCount(server, Map.of("model", given))).isEqualTo(48);
        assertThat(
                openAndCount(
                    server,
                    Map.of(
                        "url",
                        "jdbc:calcite:model=" + given,
                        "schemaFactory",
                        CanaryOfModel.class.getName(),
                        "schema.directory",
                        "/")))
            .isEqualTo(48);
      }
    }
    assertThat(Canaries.sang("model")).isFalse();
  }

  @Test
  void theSameModelIsReadInProcessSoThatTheTestAboveWouldNotice() throws Exception {
    Path model = model(CanaryOfLocalModel.class);
    assertThatThrownBy(() -> DriverManager.getConnection("jdbc:calcite:model=" + model).close())
        .isInstanceOfAny(SQLException.class, RuntimeException.class);
    assertThat(Canaries.sang("local model")).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void functionsThatAClientAsksForAreNotThere(Serialization serialization) throws Exception {
    String query = "SELECT NVL(CAST(NULL AS INTEGER), 7) FROM data LIMIT 1";
    try (Connection local = DriverManager.getConnection(Clients.URL + ";fun=oracle")) {
      assertThat(Clients.number(local, query)).isEqualTo(7);
    }
    try (RunningServer server = Clients.start(serialization);
        Connection remote = DriverManager.getConnection(server.clientUrl() + ";fun=oracle")) {
      assertThatThrownBy(() -> Clients.number(remote, query))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("No match found for function signature NVL");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../out/secret",
        "../out/secret.lance",
        "../in/data",
        "data/../../out/secret",
        "data.lance/../../out/secret",
        "./data",
        "..",
        ".",
        "",
        "..\\out\\secret",
        "%2e%2e/out/secret",
        "data@../../../out/secret",
        "data@../secret",
        "link/../secret",
        "ABSOLUTE"
      })
  void noTableNameLeavesTheFolder(String name) throws Exception {
    Path in = folder.resolve("in");
    Path out = folder.resolve("out");
    copy(ExamplePrograms.FIXTURE.resolve("data.lance"), in.resolve("data.lance"));
    copy(ExamplePrograms.FIXTURE.resolve("data.lance"), out.resolve("secret.lance"));
    String table =
        name.equals("ABSOLUTE") ? out.resolve("secret.lance").toAbsolutePath().toString() : name;
    try (RunningServer server =
            RunningServer.start("jdbc:lance:" + in, ServerSettings.local(Serialization.PROTOBUF));
        Connection connection = DriverManager.getConnection(server.clientUrl())) {
      assertThat(Clients.number(connection, "SELECT COUNT(*) FROM data")).isEqualTo(48);
      for (String from :
          new String[] {
            "\"" + table + "\"",
            "\"lance\".\"" + table + "\"",
            "\"" + table + "\".\"secret\"",
            "\"" + table + "$versions\"",
            "\"../out\".\"secret\"",
            "\"" + out + "\".\"secret\""
          }) {
        assertThatThrownBy(
                () -> Clients.number(connection, "SELECT COUNT(*) FROM " + from), "%s", from)
            .isInstanceOf(SQLException.class)
            .message()
            .containsAnyOf("not found", "there is no", "no such", "parse failed");
      }
      try (Connection other = DriverManager.getConnection(server.clientUrl())) {
        other.setSchema(table); // the stock client tells the server with the next call
        assertThatThrownBy(() -> Clients.number(other, "SELECT COUNT(*) FROM \"secret\""))
            .isInstanceOfAny(SQLException.class, AvaticaClientRuntimeException.class);
      }
      try (ResultSet tables =
          connection.getMetaData().getTables(null, null, table.isEmpty() ? "../%" : table, null)) {
        while (tables.next()) {
          assertThat(tables.getString("TABLE_NAME")).doesNotContain("secret");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO data (id) VALUES (1)",
        "DELETE FROM data",
        "UPDATE data SET id = 1",
        "MERGE INTO data AS t USING data AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET id = 1",
        "ALTER SESSION SET x = 1",
        "SET x = 1",
        "CREATE TABLE t (i INTEGER)",
        "DROP TABLE data",
        "CALL x()"
      })
  void nothingButQueriesIsRun(String sql) throws Exception {
    try (RunningServer server = Clients.start(Serialization.PROTOBUF);
        Connection connection = DriverManager.getConnection(server.clientUrl());
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.execute(sql)).isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> connection.prepareStatement(sql).execute())
          .isInstanceOfAny(SQLException.class, RuntimeException.class);
      statement.addBatch(sql);
      assertThatThrownBy(statement::executeBatch)
          .isInstanceOfAny(SQLException.class, RuntimeException.class)
          .hasMessageContaining("this server is read-only");
      assertThat(Clients.number(connection, "SELECT COUNT(*) FROM data")).isEqualTo(48);
    }
  }

  @Test
  void aWriteIsRefusedInPlainWordsAndWithItsState() throws Exception {
    try (RunningServer server = Clients.start(Serialization.PROTOBUF);
        Connection connection = DriverManager.getConnection(server.clientUrl());
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.execute("DELETE FROM data"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining(
              "this server is read-only and the statement is no query: it is DELETE")
          .extracting(e -> ((SQLException) e).getSQLState())
          .isEqualTo("25006");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "VALUES (1)",
        "WITH d AS (SELECT id FROM data) SELECT * FROM d ORDER BY id",
        "EXPLAIN PLAN FOR SELECT * FROM data",
        "SELECT id FROM data UNION SELECT 5 ORDER BY 1 LIMIT 3"
      })
  void queriesOfEveryKindAreRun(String sql) throws Exception {
    try (RunningServer server = Clients.start(Serialization.PROTOBUF);
        Connection connection = DriverManager.getConnection(server.clientUrl());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
    }
  }

  /** Opens a connection with just these properties, as the remote driver would, and counts rows. */
  private static long openAndCount(RunningServer server, Map<String, String> properties)
      throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.clientUrl())) {
      Service service = ((AvaticaConnection) connection).getService();
      String id = UUID.randomUUID().toString();
      service.apply(new Service.OpenConnectionRequest(id, properties));
      int statement = service.apply(new Service.CreateStatementRequest(id)).statementId;
      Service.ExecuteResponse response =
          service.apply(
              new Service.PrepareAndExecuteRequest(id, statement, "SELECT COUNT(*) FROM data", -1));
      List<?> row = (List<?>) response.results.get(0).firstFrame.rows.iterator().next();
      service.apply(new Service.CloseConnectionRequest(id));
      return ((Number) row.get(0)).longValue();
    }
  }

  private Path model(Class<?> factory) throws IOException {
    return Files.writeString(
        folder.resolve("model.json"),
        """
        {"version": "1.0", "defaultSchema": "s", "schemas": [
          {"name": "s", "type": "custom", "factory": "%s", "operand": {}}]}
        """
            .formatted(factory.getName()));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path target = to.resolve(from.relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
      }
    }
  }
}
