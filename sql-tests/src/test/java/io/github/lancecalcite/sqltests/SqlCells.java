package io.github.lancecalcite.sqltests;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Struct;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/**
 * What JDBC should give for a stored value, and what it gives, both as plain values: numbers as
 * {@code Long}, {@code BigInteger}, {@code Float} or {@code Double}; dates as days, times as
 * milliseconds of the day, timestamps as milliseconds since 1970 (what Calcite's runtime carries),
 * wall clocks read as if in UTC, instants through a UTC calendar (without one, Avatica gives UTC's
 * wall clock in the JVM's zone); binary as hex; arrays, structs and map entries as lists.
 */
final class SqlCells {
  private static final TimeZone UTC = TimeZone.getTimeZone("UTC");

  private SqlCells() {}

  /** A pattern of the SQL type name that the documented mapping gives a column. */
  static String typeName(Field field) {
    ArrowType type = field.getType();
    switch (type.getTypeID()) {
      case Bool:
        return "BOOLEAN";
      case Int:
        ArrowType.Int integer = (ArrowType.Int) type;
        return switch (integer.getBitWidth() * (integer.getIsSigned() ? 1 : 2)) {
          case 8 -> "TINYINT";
          case 16 -> "SMALLINT";
          case 32 -> "INTEGER";
          case 64 -> "BIGINT";
          default -> "DECIMAL";
        };
      case FloatingPoint:
        return type.toString().contains("DOUBLE") ? "DOUBLE" : "REAL";
      case Decimal:
        return "DECIMAL";
      case Utf8:
      case LargeUtf8:
      case Null:
        return "VARCHAR";
      case Binary:
      case LargeBinary:
        return "VARBINARY";
      case FixedSizeBinary:
        return "BINARY";
      case Duration:
        return "BIGINT";
      case Timestamp:
        return ((ArrowType.Timestamp) type).getTimezone() == null
            ? "TIMESTAMP"
            : "TIMESTAMP_WITH_LOCAL_TIME_ZONE";
      case List:
      case LargeList:
      case FixedSizeList:
        return typeName(field.getChildren().get(0)) + " ARRAY";
      case Map:
        return ".* MAP";
      case Struct:
        return "(STRUCT|RecordType.*)";
      default:
        return type.getTypeID().name().toUpperCase(Locale.ROOT);
    }
  }

  /** The plain value of a cell of {@link ArrowCells} once it has gone through SQL. */
  static @Nullable Object expected(@Nullable Object cell, Field field) {
    if (cell == null) {
      return null;
    }
    ArrowType type = field.getType();
    switch (type.getTypeID()) {
      case Date:
        return type.equals(new ArrowType.Date(DateUnit.DAY))
            ? cell
            : (Object) Math.floorDiv((Long) cell, 86_400_000L);
      case Time:
        return millis((Long) cell, ((ArrowType.Time) type).getUnit());
      case Timestamp:
        return millis((Long) cell, ((ArrowType.Timestamp) type).getUnit());
      case List:
      case LargeList:
      case FixedSizeList:
      case Map:
        List<@Nullable Object> items = new ArrayList<>();
        ((List<?>) cell).forEach(item -> items.add(expected(item, field.getChildren().get(0))));
        return isArrayOfArrays(field) ? items.toString() : items;
      case Struct:
        List<@Nullable Object> values = new ArrayList<>();
        for (Field child : field.getChildren()) {
          values.add(expected(((Map<?, ?>) cell).get(child.getName()), child));
        }
        return values;
      default:
        return cell;
    }
  }

  private static long millis(long value, TimeUnit unit) {
    return switch (unit) {
      case SECOND -> Math.multiplyExact(value, 1000L);
      case MILLISECOND -> value;
      case MICROSECOND -> Math.floorDiv(value, 1000L);
      case NANOSECOND -> Math.floorDiv(value, 1_000_000L);
    };
  }

  /** The plain value of a column of the current row. */
  static @Nullable Object actual(ResultSet rows, int column, Field field) throws SQLException {
    return switch (field.getType().getTypeID()) {
      case Date -> {
        Date date = rows.getDate(column);
        yield date == null ? null : (Object) date.toLocalDate().toEpochDay();
      }
      case Time -> {
        Time time = rows.getTime(column, Calendar.getInstance(UTC, Locale.ROOT));
        yield time == null ? null : (Object) time.getTime();
      }
      case Timestamp -> {
        Timestamp timestamp = rows.getTimestamp(column);
        if (timestamp == null) {
          yield null;
        }
        yield ((ArrowType.Timestamp) field.getType()).getTimezone() == null
            ? timestamp.toLocalDateTime().toInstant(ZoneOffset.UTC).toEpochMilli()
            : rows.getTimestamp(column, Calendar.getInstance(UTC, Locale.ROOT)).getTime();
      }
      default -> plain(rows.getObject(column), field);
    };
  }

  private static @Nullable Object plain(@Nullable Object value, Field field) throws SQLException {
    if (value == null || value instanceof Boolean || value instanceof String) {
      return value;
    }
    if (value instanceof Byte || value instanceof Short || value instanceof Integer) {
      return ((Number) value).longValue();
    }
    if (value instanceof BigDecimal) {
      BigDecimal decimal = (BigDecimal) value;
      return field.getType().getTypeID() == ArrowType.ArrowTypeID.Int
          ? (Object) integer(decimal)
          : decimal.toPlainString();
    }
    if (value instanceof byte[]) {
      return ArrowCells.hex((byte[]) value);
    }
    if (value instanceof Array) {
      // Avatica's getArray fails on a null array in an array; its text is complete
      return isArrayOfArrays(field)
          ? value.toString()
          : items((Object[]) ((Array) value).getArray(), field);
    }
    if (value instanceof List) {
      return items(((List<?>) value).toArray(), field);
    }
    if (value instanceof Struct) {
      return attributes(((Struct) value).getAttributes(), field);
    }
    if (value instanceof Object[]) {
      return attributes((Object[]) value, field);
    }
    if (value instanceof Map) {
      List<@Nullable Object> entries = new ArrayList<>();
      Field entry = field.getChildren().get(0);
      for (Map.Entry<?, ?> e : ((Map<?, ?>) value).entrySet()) {
        entries.add(attributes(new Object[] {e.getKey(), e.getValue()}, entry));
      }
      return entries;
    }
    return value;
  }

  private static boolean isArrayOfArrays(Field list) {
    return typeName(list.getChildren().get(0)).endsWith("ARRAY");
  }

  private static BigInteger integer(BigDecimal decimal) {
    return decimal.toBigIntegerExact();
  }

  private static List<@Nullable Object> items(@Nullable Object[] items, Field list)
      throws SQLException {
    List<@Nullable Object> values = new ArrayList<>();
    for (Object item : items) {
      values.add(plain(item, list.getChildren().get(0)));
    }
    return values;
  }

  private static List<@Nullable Object> attributes(@Nullable Object[] attributes, Field struct)
      throws SQLException {
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < attributes.length; i++) {
      values.add(plain(attributes[i], struct.getChildren().get(i)));
    }
    return values;
  }
}
