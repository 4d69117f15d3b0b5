package io.github.lancecalcite.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.apache.calcite.avatica.remote.Driver.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Nested values through a real server and the stock remote driver, against lance-core's dumps. */
class WireTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @CsvSource({
    "types_nested_20, PROTOBUF",
    "types_nested_20, JSON",
    "types_nested_21, PROTOBUF",
    "types_nested_21, JSON",
    "struct_null_21, PROTOBUF",
    "struct_null_21, JSON",
    "odd_map_c_22, PROTOBUF",
    "odd_map_c_22, JSON"
  })
  void everyNestedValueArrives(String fixture, Serialization serialization) throws Exception {
    Path folder = Clients.FIXTURES.resolve(fixture);
    List<JsonNode> expected = dump(folder);
    List<String> columns = new ArrayList<>();
    expected.get(0).fieldNames().forEachRemaining(columns::add);
    String sql = "SELECT \"" + String.join("\", \"", columns) + "\" FROM data";
    try (RunningServer server =
            RunningServer.start("jdbc:lance:" + folder, ServerSettings.local(serialization));
        Connection connection = DriverManager.getConnection(server.clientUrl())) {
      try (Statement statement = connection.createStatement()) {
        statement.setFetchSize(7); // several frames
        compare(expected, columns, statement.executeQuery(sql));
      }
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        compare(expected, columns, statement.executeQuery());
      }
    }
  }

  private static void compare(List<JsonNode> expected, List<String> columns, ResultSet rows)
      throws Exception {
    int row = 0;
    while (rows.next()) {
      for (int i = 0; i < columns.size(); i++) {
        JsonNode dumped = expected.get(row).get(columns.get(i));
        boolean map = columns.get(i).startsWith("map") && dumped.isArray();
        assertThat(plain(rows.getObject(i + 1)))
            .as("row %d of %s", row, columns.get(i))
            .isEqualTo(map ? entries(dumped) : plain(dumped));
      }
      row++;
    }
    assertThat(row).isEqualTo(expected.size());
  }

  @ParameterizedTest
  @EnumSource
  void typesAreWhatTheValuesAre(Serialization serialization) throws Exception {
    try (RunningServer server = start("types_nested_21", serialization);
        Connection connection = DriverManager.getConnection(server.clientUrl());
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT fsl_f32_8, list_list_i32, struct_c, list_struct FROM data WHERE id = 0")) {
      assertThat(rows.getMetaData().getColumnTypeName(1)).isEqualTo("DOUBLE ARRAY");
      assertThat(rows.getMetaData().getColumnTypeName(2)).isEqualTo("INTEGER ARRAY ARRAY");
      assertThat(rows.getMetaData().getColumnType(3)).isEqualTo(Types.VARCHAR);
      assertThat(rows.next()).isTrue();
      assertThat(rows.getArray(1).getBaseType()).isEqualTo(Types.DOUBLE);
      assertThat((Object[]) rows.getArray(1).getArray()).hasSize(8).contains(0.0625);
      assertThat(rows.getString(3)).isEqualTo("{\"a\":0,\"b\":\"b0\"}");
      assertThat((Object[]) rows.getArray(4).getArray())
          .containsExactly("{\"p\":0,\"q\":\"q0\"}", "{\"p\":1,\"q\":null}");
    }
  }

  /** A fault of the client: {@code getResultSet} is the way around it. */
  @Test
  void theClientCannotGiveAnArrayWithANullArrayInside() throws Exception {
    try (RunningServer server = start("types_nested_21", Serialization.PROTOBUF);
        Connection connection = DriverManager.getConnection(server.clientUrl());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT list_list_i32 FROM data WHERE id = 0")) {
      assertThat(rows.next()).isTrue();
      Array array = rows.getArray(1);
      assertThatThrownBy(array::getArray).isInstanceOf(RuntimeException.class);
      assertThat(plain(array)).isEqualTo(plain(JSON.readTree("[[0],null,[],[1,null]]")));
    }
  }

  private static RunningServer start(String fixture, Serialization serialization) throws Exception {
    return RunningServer.start(
        "jdbc:lance:" + Clients.FIXTURES.resolve(fixture), ServerSettings.local(serialization));
  }

  private static List<JsonNode> dump(Path folder) throws IOException {
    Path plain = folder.resolve("expected.jsonl");
    List<JsonNode> rows = new ArrayList<>();
    try (InputStream in =
            Files.exists(plain)
                ? Files.newInputStream(plain)
                : new GZIPInputStream(Files.newInputStream(folder.resolve("expected.jsonl.gz")));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        rows.add(JSON.readTree(line));
      }
    }
    assertThat(rows).isNotEmpty();
    return rows;
  }

  /** Both sides in one shape: numbers as doubles, maps by key, JSON text parsed. */
  private static Object plain(Object value) throws Exception {
    if (value instanceof Array array) {
      List<Object> elements = new ArrayList<>();
      try (ResultSet of = array.getResultSet()) {
        while (of.next()) {
          elements.add(plain(of.getObject(2)));
        }
      }
      return elements;
    }
    if (value instanceof String text) {
      return text.startsWith("{") ? plain(JSON.readTree(text)) : text;
    }
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    return value instanceof JsonNode node ? plainNode(node) : value;
  }

  private static Object plainNode(JsonNode node) throws Exception {
    if (node.isObject()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> field : fieldsOf(node)) {
        fields.put(field.getKey(), plainNode(field.getValue()));
      }
      return fields;
    }
    if (node.isArray()) {
      List<Object> elements = new ArrayList<>();
      for (JsonNode element : node) {
        elements.add(plainNode(element));
      }
      return elements;
    }
    return node.isNumber()
        ? (Object) node.doubleValue()
        : node.isBoolean() ? (Object) node.booleanValue() : node.isNull() ? null : node.asText();
  }

  private static List<Map.Entry<String, JsonNode>> fieldsOf(JsonNode node) {
    List<Map.Entry<String, JsonNode>> fields = new ArrayList<>();
    node.fields().forEachRemaining(fields::add);
    return fields;
  }

  /** Dumps hold a map as a list of its entries. */
  private static Map<String, Object> entries(JsonNode list) throws Exception {
    Map<String, Object> map = new LinkedHashMap<>();
    for (JsonNode entry : list) {
      map.put(entry.get("key").asText(), plainNode(entry.get("value")));
    }
    return map;
  }
}
