package io.github.lancecalcite.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.SQLException;
import java.sql.Struct;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.ColumnMetaData.ArrayType;
import org.apache.calcite.avatica.ColumnMetaData.AvaticaType;
import org.apache.calcite.avatica.ColumnMetaData.StructType;
import org.apache.calcite.avatica.util.ArrayImpl;
import org.apache.calcite.avatica.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Nested values as the stock client understands them: lists of scalars, of lists and of JSON text.
 *
 * <p>In JSON, binary is Base64, dates and times are ISO 8601, numbers that JSON lacks are {@code
 * "NaN"}, {@code "Infinity"} and {@code "-Infinity"}. The types inside a MAP are not known here: a
 * date there is a number of days, a time of milliseconds, a timestamp of milliseconds since 1970.
 */
final class WireValues {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final AvaticaType UNKNOWN =
      ColumnMetaData.scalar(Types.JAVA_OBJECT, "ANY", ColumnMetaData.Rep.OBJECT);

  private WireValues() {}

  /** A value of an array, struct or map column, or of a scalar inside an array. */
  static @Nullable Object of(AvaticaType type, @Nullable Object value) throws SQLException {
    if (value == null) {
      return null;
    }
    if (type instanceof ArrayType array) {
      List<@Nullable Object> wire = new ArrayList<>();
      for (Object element : list(value)) {
        wire.add(of(array.getComponent(), element));
      }
      return wire;
    }
    if (WireTypes.isJson(type)) {
      try {
        return JSON.writeValueAsString(plain(type, value));
      } catch (JsonProcessingException e) {
        throw new SQLException("a value cannot be written as JSON: " + e.getOriginalMessage(), e);
      }
    }
    if (value instanceof Float real) {
      return real.doubleValue(); // see WireTypes
    }
    return value instanceof ByteString bytes ? bytes.getBytes() : value;
  }

  private static List<?> list(Object value) throws SQLException {
    if (value instanceof ArrayImpl array) {
      return AvaticaInside.elements(array);
    }
    if (value instanceof Struct struct) {
      return Arrays.asList(struct.getAttributes());
    }
    return value instanceof Object[] values ? Arrays.asList(values) : (List<?>) value;
  }

  /** What Jackson writes as is. */
  private static @Nullable Object plain(AvaticaType type, @Nullable Object value)
      throws SQLException {
    if (value == null) {
      return null;
    }
    if (type instanceof StructType struct) {
      Map<String, @Nullable Object> fields = new LinkedHashMap<>();
      List<?> values = list(value);
      for (int i = 0; i < values.size(); i++) {
        ColumnMetaData field = struct.columns.get(i);
        fields.put(field.columnName, plain(field.type, values.get(i)));
      }
      return fields;
    }
    if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> entries = new LinkedHashMap<>();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        entries.put(
            String.valueOf(plain(UNKNOWN, entry.getKey())), plain(UNKNOWN, entry.getValue()));
      }
      return entries;
    }
    if (value instanceof ArrayImpl
        || value instanceof List
        || value instanceof Struct
        || value instanceof Object[]) {
      AvaticaType component = type instanceof ArrayType array ? array.getComponent() : UNKNOWN;
      List<@Nullable Object> plain = new ArrayList<>();
      for (Object element : list(value)) {
        plain.add(plain(component, element));
      }
      return plain;
    }
    return value instanceof ByteString bytes ? bytes.getBytes() : temporal(type, value);
  }

  private static Object temporal(AvaticaType type, Object value) {
    if (value instanceof Timestamp timestamp) {
      return timestamp.toLocalDateTime().toString();
    }
    if (value instanceof java.sql.Date || value instanceof Time) {
      return value.toString();
    }
    if (!(value instanceof Number number)) {
      return value;
    }
    return switch (type.id) {
      case Types.DATE -> LocalDate.ofEpochDay(number.longValue()).toString();
      case Types.TIME ->
          LocalTime.ofNanoOfDay(TimeUnit.MILLISECONDS.toNanos(number.longValue())).toString();
      case Types.TIMESTAMP ->
          LocalDateTime.ofEpochSecond(
                  Math.floorDiv(number.longValue(), 1000L),
                  (int) TimeUnit.MILLISECONDS.toNanos(Math.floorMod(number.longValue(), 1000L)),
                  ZoneOffset.UTC)
              .toString();
      default -> value;
    };
  }
}
