package io.github.lancecalcite.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Struct;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TimeZone;
import java.util.stream.Collectors;
import org.apache.calcite.avatica.remote.Driver.Serialization;

/**
 * Looks at columns of every Arrow type that Lance stores, by each way there is to a driver's
 * values, and at how a stock client of our server sees the same ones.
 */
final class TypeMatrix {
  private static final String FAILS = "(fails)";

  /** How a value is reached. */
  enum Way {
    LOCAL,
    PROTOBUF,
    JSON
  }

  /** A table and columns of it: one for each Arrow type. */
  private record Source(String folder, String table, String... columns) {}

  private static final List<Source> SOURCES =
      List.of(
          new Source("fixtures/types_scalar_22", "data", "bool_c", "i8", "i16", "i32", "i32_nn"),
          new Source("fixtures/types_scalar_22", "data", "i64", "u8", "u16", "u32", "u64"),
          new Source("edges", "instants", "f16", "f32", "f64"),
          new Source("fixtures/types_scalar_22", "data", "dec10_2", "dec38_10"),
          new Source("fixtures/types_scalar_22", "data", "date32", "date64", "t32_s", "t32_ms"),
          new Source("edges", "instants", "t_us", "t_ns", "ts_second", "ts_millisecond"),
          new Source("edges", "instants", "ts_microsecond", "ts_nanosecond", "ts_second_utc"),
          new Source("edges", "instants", "ts_millisecond_utc", "ts_microsecond_utc"),
          new Source("edges", "instants", "ts_nanosecond_utc"),
          new Source("fixtures/types_scalar_22", "data", "dur_ms", "utf8", "large_utf8", "bin"),
          new Source("fixtures/types_scalar_22", "data", "large_bin", "fsb4"),
          new Source("fixtures/dict_22", "data", "d"),
          new Source("fixtures/odd_nul_22", "data", "nul"),
          new Source("fixtures/types_nested_21", "data", "list_i32", "list_utf8", "llist_f64"),
          new Source("fixtures/types_nested_21", "data", "list_list_i32", "fsl_f32_8"),
          new Source("fixtures/types_nested_21", "data", "struct_c", "list_struct"),
          new Source("fixtures/odd_map_c_22", "data", "map_c"));

  private static final List<Class<?>> CLASSES =
      List.of(
          String.class,
          Boolean.class,
          Byte.class,
          Short.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          BigDecimal.class,
          BigInteger.class,
          byte[].class,
          Date.class,
          Time.class,
          Timestamp.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class,
          Instant.class,
          OffsetDateTime.class,
          ZonedDateTime.class,
          Array.class,
          Struct.class,
          Map.class);

  /** A typed getter. */
  private interface Getter {
    Object get(ResultSet rows) throws SQLException;
  }

  private static final Map<String, Getter> GETTERS = new LinkedHashMap<>();

  static {
    GETTERS.put("getBoolean", rows -> rows.getBoolean(1));
    GETTERS.put("getByte", rows -> rows.getByte(1));
    GETTERS.put("getShort", rows -> rows.getShort(1));
    GETTERS.put("getInt", rows -> rows.getInt(1));
    GETTERS.put("getLong", rows -> rows.getLong(1));
    GETTERS.put("getFloat", rows -> rows.getFloat(1));
    GETTERS.put("getDouble", rows -> rows.getDouble(1));
    GETTERS.put("getBigDecimal", rows -> rows.getBigDecimal(1));
    GETTERS.put("getBytes", rows -> rows.getBytes(1));
    GETTERS.put("getDate", rows -> rows.getDate(1));
    GETTERS.put("getTime", rows -> rows.getTime(1));
    GETTERS.put("getTimestamp", rows -> rows.getTimestamp(1));
    GETTERS.put("getArray", rows -> rows.getArray(1));
  }

  /** What one way gives for one column. */
  record Seen(
      String type,
      String metaData,
      String metaDataClass,
      boolean nullable,
      String objectClass,
      List<String> getters,
      List<String> classes,
      List<String> texts,
      List<Object> values) {}

  /** One column. */
  record Row(String name, String arrow, Map<Way, Seen> ways) {}

  private int cells;

  /** Values and properties that were compared. */
  int cells() {
    return cells;
  }

  /** A folder, in-process and as stock clients of two servers see it. */
  private record Opened(List<AutoCloseable> resources, Map<Way, Connection> ways) {
    static Opened of(String folder) throws Exception {
      String url = "jdbc:lance:" + Clients.FIXTURES.getParent().resolve(folder);
      RunningServer protobuf =
          RunningServer.start(url, ServerSettings.local(Serialization.PROTOBUF));
      RunningServer json = RunningServer.start(url, ServerSettings.local(Serialization.JSON));
      Map<Way, Connection> ways = new LinkedHashMap<>();
      ways.put(Way.LOCAL, DriverManager.getConnection(url));
      ways.put(Way.PROTOBUF, DriverManager.getConnection(protobuf.clientUrl()));
      ways.put(Way.JSON, DriverManager.getConnection(json.clientUrl()));
      List<AutoCloseable> resources = new ArrayList<>(ways.values());
      resources.add(protobuf);
      resources.add(json);
      return new Opened(resources, ways);
    }
  }

  List<Row> rows() throws Exception {
    List<Row> rows = new ArrayList<>();
    Map<String, Opened> folders = new LinkedHashMap<>();
    try {
      for (Source source : SOURCES) {
        if (!folders.containsKey(source.folder)) {
          folders.put(source.folder, Opened.of(source.folder));
        }
        Map<Way, Connection> connections = folders.get(source.folder).ways;
        for (String column : source.columns) {
          Map<Way, Seen> ways = new LinkedHashMap<>();
          for (Way way : Way.values()) {
            ways.put(way, see(connections.get(way), source.table, column));
          }
          rows.add(new Row(column, arrow(connections.get(Way.LOCAL), source.table, column), ways));
        }
      }
    } finally {
      for (Opened folder : folders.values()) {
        for (AutoCloseable resource : folder.resources) {
          resource.close();
        }
      }
    }
    return rows;
  }

  private static String arrow(Connection local, String table, String column) throws SQLException {
    String sql = "select arrow_type from \"" + table + "$columns\" where path = ?";
    try (PreparedStatement statement = local.prepareStatement(sql)) {
      statement.setString(1, column);
      try (ResultSet rows = statement.executeQuery()) {
        assertThat(rows.next()).as(column).isTrue();
        return rows.getString(1);
      }
    }
  }

  private Seen see(Connection connection, String table, String column) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select " + column + " from " + table)) {
      ResultSetMetaData meta = rows.getMetaData();
      String objectClass = "";
      List<String> getters = new ArrayList<>();
      List<String> classes = new ArrayList<>();
      List<String> texts = new ArrayList<>();
      List<Object> values = new ArrayList<>();
      while (rows.next()) {
        Object value = value(rows);
        values.add(comparable(value));
        texts.add(text(rows));
        if (value != null && !value.equals(FAILS) && objectClass.isEmpty()) {
          objectClass = name(value);
          getters.addAll(getters(rows, value));
          classes.addAll(classes(rows, value));
        }
        cells += 2;
      }
      cells += 6 + GETTERS.size() + CLASSES.size();
      return new Seen(
          meta.getColumnTypeName(1),
          meta.getPrecision(1) + ", " + meta.getScale(1) + ", " + meta.getColumnDisplaySize(1),
          meta.getColumnClassName(1),
          meta.isNullable(1) == ResultSetMetaData.columnNullable,
          objectClass,
          getters,
          classes,
          texts,
          values);
    }
  }

  private static Object value(ResultSet rows) throws SQLException {
    try {
      Object value = rows.getObject(1);
      assertThat(rows.wasNull()).isEqualTo(value == null);
      return value instanceof Timestamp
          ? rows.getTimestamp(1, Calendar.getInstance(TimeZone.getTimeZone("UTC"), Locale.ROOT))
          : value;
    } catch (RuntimeException e) {
      return FAILS; // Avatica's client, for numbers that JSON lacks
    }
  }

  private static String text(ResultSet rows) throws SQLException {
    try {
      return rows.getString(1);
    } catch (RuntimeException e) {
      return FAILS; // Avatica's client, for some arrays
    }
  }

  private static List<String> getters(ResultSet rows, Object value) {
    List<String> work = new ArrayList<>();
    GETTERS.forEach(
        (name, getter) -> {
          try {
            Object got = getter.get(rows);
            boolean scalar = value instanceof Number || value instanceof Boolean;
            if (!scalar && (got instanceof Number || got instanceof Boolean)) {
              return; // the runtime's number of a date or time, or text that spells one
            }
            if (value instanceof Number number && got instanceof Number same) {
              if (new BigDecimal(plain(same)).compareTo(new BigDecimal(plain(number))) != 0) {
                return; // it does not fit
              }
            }
            work.add(name);
          } catch (SQLException | RuntimeException e) {
            // there is no such value
          }
        });
    return work;
  }

  private static String plain(Number number) {
    double real = number.doubleValue();
    return Double.isFinite(real) ? number.toString() : "0";
  }

  private static List<String> classes(ResultSet rows, Object value) {
    List<String> work = new ArrayList<>();
    for (Class<?> type : CLASSES) {
      try {
        Object got = rows.getObject(1, type);
        if (got != null && type.isInstance(got)) {
          work.add(type.getSimpleName());
        }
      } catch (SQLException | RuntimeException e) {
        // there is no such value
      }
    }
    return work;
  }

  private static String name(Object value) {
    return value instanceof Array
        ? "Array"
        : value instanceof Struct
            ? "Struct"
            : value instanceof Map ? "Map" : value.getClass().getSimpleName();
  }

  /** A value that another way's is equal to; numbers by value, milliseconds of a timestamp. */
  private static Object comparable(Object value) throws SQLException {
    if (value instanceof byte[] bytes) {
      return Arrays.toString(bytes);
    }
    if (value instanceof Timestamp timestamp) {
      return timestamp.getTime();
    }
    if (value instanceof Array array) {
      List<Object> elements = new ArrayList<>();
      try (ResultSet of = array.getResultSet()) {
        while (of.next()) {
          elements.add(comparable(of.getObject(2)));
        }
      }
      return elements;
    }
    if (value instanceof Float || value instanceof Double) {
      return ((Number) value).doubleValue();
    }
    return value instanceof Number number ? (Object) new BigDecimal(number.toString()) : value;
  }

  /** The page: a table of what the driver gives, and one of what differs at a stock client. */
  static List<String> page(List<Row> rows) {
    List<String> page = new ArrayList<>();
    page.add(
        "| Arrow | SQL type | precision, scale, display size | `getObject` | typed getters |"
            + " `getObject(i, class)` |");
    page.add("|---|---|---|---|---|---|");
    for (Row row : rows) {
      Seen seen = row.ways.get(Way.LOCAL);
      page.add(
          String.format(
              Locale.ROOT,
              "| %s%s | %s | %s | %s | %s | %s |",
              row.arrow.replace("|", "\\|"),
              seen.nullable ? "" : ", not null",
              seen.type,
              seen.metaData,
              seen.objectClass.isEmpty() ? "null" : seen.objectClass,
              shortened(seen.getters, "get"),
              shortened(seen.classes, "")));
    }
    page.add("");
    page.add("Where a stock client of a server gets something else:");
    page.add("");
    page.add("| Arrow | what differs |");
    page.add("|---|---|");
    for (Row row : rows) {
      Seen local = row.ways.get(Way.LOCAL);
      Map<String, List<Way>> different = new LinkedHashMap<>();
      for (Way way : List.of(Way.PROTOBUF, Way.JSON)) {
        different
            .computeIfAbsent(difference(local, row.ways.get(way)), d -> new ArrayList<>())
            .add(way);
      }
      different.remove("");
      different.forEach(
          (text, ways) ->
              page.add(
                  "| "
                      + row.arrow
                      + (local.nullable ? "" : ", not null")
                      + (ways.size() == 1 ? " (" + ways.get(0) + ")" : "")
                      + " | "
                      + text
                      + " |"));
    }
    return page;
  }

  private static String difference(Seen local, Seen remote) {
    List<String> different = new ArrayList<>();
    if (!local.type.equals(remote.type)) {
      different.add("type " + remote.type);
    }
    if (!local.metaData.equals(remote.metaData)) {
      different.add("metadata " + remote.metaData);
    }
    if (local.nullable != remote.nullable) {
      different.add(remote.nullable ? "nullable" : "not null");
    }
    if (!local.objectClass.equals(remote.objectClass)) {
      different.add("`getObject` " + remote.objectClass);
    }
    if (remote.values.contains(FAILS)) {
      different.add("`getObject` fails for some values");
    } else if (!local.values.equals(remote.values)) {
      different.add("values");
    }
    if (remote.texts.contains(FAILS)) {
      different.add("`getString` fails");
    } else if (!local.texts.equals(remote.texts)) {
      different.add("text");
    }
    List<String> missing = new ArrayList<>(local.getters);
    missing.removeAll(remote.getters);
    if (!missing.isEmpty()) {
      different.add("no " + String.join(", ", missing));
    }
    if (!remote.classes.isEmpty()) {
      different.add("`getObject(i, class)` works for " + shortened(remote.classes, ""));
    }
    return String.join("; ", different);
  }

  private static String shortened(List<String> names, String prefix) {
    return names.stream()
        .filter(Objects::nonNull)
        .map(name -> name.substring(prefix.length()))
        .collect(Collectors.joining(", "));
  }
}
