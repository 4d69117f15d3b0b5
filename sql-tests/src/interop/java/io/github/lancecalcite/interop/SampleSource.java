package io.github.lancecalcite.interop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** Reads the files of vega-datasets into rows for {@link SampleWriter}. */
final class SampleSource {
  private static final ArrowType TEXT = new ArrowType.Utf8();
  private static final ArrowType REAL = new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
  private static final ArrowType INT = new ArrowType.Int(32, true);
  private static final ArrowType INSTANT = new ArrowType.Timestamp(TimeUnit.MILLISECOND, "UTC");

  static final Schema AIRPORTS =
      new Schema(
          List.of(
              key("iata", TEXT),
              field("name", TEXT),
              field("city", TEXT),
              field("state", TEXT),
              field("country", TEXT),
              field("latitude", REAL),
              field("longitude", REAL)));

  static final Schema FLIGHTS =
      new Schema(List.of(key("origin", TEXT), key("destination", TEXT), field("flights", INT)));

  private SampleSource() {}

  static List<Object[]> airports(Path source) throws IOException {
    List<Object[]> rows = new ArrayList<>();
    for (List<String> cells : csv(source.resolve("airports.csv"))) {
      Object[] row = cells.toArray();
      row[2] = known(cells.get(2));
      row[3] = known(cells.get(3));
      row[5] = Double.valueOf(cells.get(5));
      row[6] = Double.valueOf(cells.get(6));
      rows.add(row);
    }
    return rows;
  }

  static List<Object[]> flights(Path source) throws IOException {
    List<Object[]> rows = new ArrayList<>();
    for (List<String> cells : csv(source.resolve("flights-airport.csv"))) {
      rows.add(new Object[] {cells.get(0), cells.get(1), Integer.valueOf(cells.get(2))});
    }
    return rows;
  }

  /** The days of seattle-weather.csv. */
  static final class Weather {
    static final Schema SCHEMA =
        new Schema(
            List.of(
                key("date", new ArrowType.Date(DateUnit.DAY)),
                field("precipitation", REAL),
                field("temp_max", REAL),
                field("temp_min", REAL),
                field("wind", REAL),
                field("weather", TEXT)));

    private final List<List<String>> days;

    Weather(Path source) throws IOException {
      days = csv(source.resolve("seattle-weather.csv"));
    }

    /** Days in [from, to); those from {@code unlabelledFrom} on without their weather word. */
    List<Object[]> between(String from, String to, String unlabelledFrom) {
      List<Object[]> rows = new ArrayList<>();
      for (List<String> day : days) {
        String date = day.get(0);
        if (date.compareTo(from) >= 0 && date.compareTo(to) < 0) {
          Object[] row = new Object[6];
          row[0] = LocalDate.parse(date).toEpochDay();
          for (int c = 1; c <= 4; c++) {
            row[c] = Double.valueOf(day.get(c));
          }
          row[5] = date.compareTo(unlabelledFrom) < 0 ? day.get(5) : null;
          rows.add(row);
        }
      }
      return rows;
    }
  }

  /** The events of earthquakes.json, by time. */
  static final class Quakes {
    static final Schema SCHEMA =
        new Schema(
            List.of(
                key("id", TEXT),
                field("occurred", INSTANT),
                field("updated", INSTANT),
                field("magnitude", REAL),
                field("magnitude_type", TEXT),
                field("place", TEXT),
                field("network", TEXT),
                field("kind", TEXT),
                field("status", TEXT),
                field("felt", INT),
                field("alert", TEXT),
                field("tsunami", ArrowType.Bool.INSTANCE),
                field("stations", INT),
                new Field(
                    "location",
                    FieldType.nullable(ArrowType.Struct.INSTANCE),
                    List.of(
                        field("longitude", REAL),
                        field("latitude", REAL),
                        field("depth_km", REAL))),
                new Field(
                    "products",
                    FieldType.nullable(ArrowType.List.INSTANCE),
                    List.of(field("item", TEXT)))));

    private static final int UPDATED = 2;
    private static final int STATUS = 8;
    private static final int FELT = 9;
    private static final int ALERT = 10;

    private final List<Object[]> events = new ArrayList<>();

    Quakes(Path source) throws IOException {
      JsonNode root = new ObjectMapper().readTree(source.resolve("earthquakes.json").toFile());
      for (JsonNode event : root.get("features")) {
        events.add(
            row(event.get("id").textValue(), event.get("properties"), event.get("geometry")));
      }
      events.sort(Comparator.comparingLong(row -> (Long) row[1]));
    }

    /** Events of the UTC days [from, to) as first reported: automatic, nobody has answered yet. */
    List<Object[]> reported(String from, String to) {
      List<Object[]> rows = new ArrayList<>();
      for (Object[] event : between(from, to)) {
        Object[] row = event.clone();
        row[UPDATED] = row[1];
        row[STATUS] = "automatic";
        row[FELT] = null;
        row[ALERT] = null;
        rows.add(row);
      }
      return rows;
    }

    /** The reviewed ones among the events of the UTC days [from, to), as in the file. */
    List<Object[]> reviewed(String from, String to) {
      return between(from, to).stream().filter(row -> "reviewed".equals(row[STATUS])).toList();
    }

    private List<Object[]> between(String from, String to) {
      long first = millis(from);
      long end = millis(to);
      return events.stream().filter(e -> (Long) e[1] >= first && (Long) e[1] < end).toList();
    }

    private static long millis(String day) {
      return LocalDate.parse(day).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    }

    private static Object[] row(String id, JsonNode p, JsonNode geometry) {
      JsonNode at = geometry.get("coordinates");
      List<String> products =
          Stream.of(p.get("types").textValue().split(",")).filter(s -> !s.isEmpty()).toList();
      return new Object[] {
        id,
        p.get("time").longValue(),
        p.get("updated").longValue(),
        p.get("mag").doubleValue(),
        p.get("magType").textValue(),
        p.get("place").textValue(),
        p.get("net").textValue(),
        p.get("type").textValue(),
        p.get("status").textValue(),
        p.get("felt").numberValue(),
        p.get("alert").textValue(),
        p.get("tsunami").intValue() != 0,
        p.get("nst").numberValue(),
        new Object[] {at.get(0).doubleValue(), at.get(1).doubleValue(), at.get(2).doubleValue()},
        products
      };
    }
  }

  private static Field field(String name, ArrowType type) {
    return Field.nullable(name, type);
  }

  private static Field key(String name, ArrowType type) {
    return Field.notNullable(name, type);
  }

  private static @Nullable String known(String cell) {
    return cell.isEmpty() || cell.equals("NA") ? null : cell;
  }

  /** The records of a CSV file after its header; quotes may enclose commas. */
  private static List<List<String>> csv(Path file) throws IOException {
    List<List<String>> records = new ArrayList<>();
    List<String> lines = Files.readAllLines(file);
    for (String line : lines.subList(1, lines.size())) {
      List<String> cells = new ArrayList<>();
      StringBuilder cell = new StringBuilder();
      boolean quoted = false;
      for (int i = 0; i < line.length(); i++) {
        char c = line.charAt(i);
        if (c == '"') {
          quoted = !quoted;
        } else if (c == ',' && !quoted) {
          cells.add(cell.toString());
          cell.setLength(0);
        } else {
          cell.append(c);
        }
      }
      cells.add(cell.toString());
      records.add(cells);
    }
    return records;
  }
}
