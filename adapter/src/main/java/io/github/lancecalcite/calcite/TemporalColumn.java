package io.github.lancecalcite.calcite;

import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Locale;
import java.util.TimeZone;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.util.Cursor;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * The current row's value of a column of dates, times, timestamps or instants, exact to the
 * nanosecond as far as the row has those digits. A TIMESTAMP WITH LOCAL TIME ZONE is an instant:
 * the same one whatever calendar it is asked with, and as text the wall clock of UTC.
 */
final class TemporalColumn {
  private static final int NANOS_PER_MILLI = 1_000_000;
  private static final int MAX_DIGITS = 9;

  private enum Kind {
    DATE,
    TIME,
    TIMESTAMP,
    INSTANT
  }

  private final Kind kind;

  /** Digits of the second that text shows. */
  private final int digits;

  private final Cursor.Accessor raw;

  private TemporalColumn(Kind kind, int digits, Cursor.Accessor raw) {
    this.kind = kind;
    this.digits = digits;
    this.raw = raw;
  }

  static boolean isTemporal(ColumnMetaData column) {
    return kind(column) != null;
  }

  /**
   * @param raw gives the runtime's number
   */
  static @Nullable TemporalColumn of(ColumnMetaData column, Cursor.Accessor raw) {
    Kind kind = kind(column);
    int digits = Math.min(Math.max(column.precision, 0), MAX_DIGITS);
    return kind == null ? null : new TemporalColumn(kind, digits, raw);
  }

  private static @Nullable Kind kind(ColumnMetaData column) {
    switch (column.type.id) {
      case java.sql.Types.DATE:
        return Kind.DATE;
      case java.sql.Types.TIME:
        return Kind.TIME;
      case java.sql.Types.TIMESTAMP:
      case java.sql.Types.TIMESTAMP_WITH_TIMEZONE:
        String name = column.type.getName();
        boolean instant =
            name.startsWith(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE.name())
                || name.startsWith(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE.getName());
        return instant ? Kind.INSTANT : Kind.TIMESTAMP;
      default:
        return null;
    }
  }

  private @Nullable Number number() throws SQLException {
    Object value = raw.getObject();
    if (value == null || value instanceof Number) {
      return (Number) value;
    }
    // a constant row of metadata may hold objects of java.sql
    return value instanceof java.util.Date date
        ? kind == Kind.DATE ? Math.floorDiv(date.getTime(), 86_400_000L) : date.getTime()
        : null;
  }

  private static int nanosOfMilli(Number value) {
    return value instanceof FineMillis fine ? fine.nanos() : 0;
  }

  private static LocalDateTime wallClock(Number value) {
    long millis = value.longValue();
    int nanos = Math.floorMod(millis, 1000) * NANOS_PER_MILLI + nanosOfMilli(value);
    return LocalDateTime.ofEpochSecond(Math.floorDiv(millis, 1000L), nanos, ZoneOffset.UTC);
  }

  private static LocalTime timeOfDay(Number value) {
    return LocalTime.ofNanoOfDay(
        Math.floorMod(value.longValue(), 86_400_000L) * NANOS_PER_MILLI + nanosOfMilli(value));
  }

  /** Whether {@link #timestamp} answers for this column. */
  boolean hasTimestamp() {
    return kind == Kind.TIMESTAMP || kind == Kind.INSTANT;
  }

  /** Whether {@link #text} answers for this column. */
  boolean hasText() {
    return kind != Kind.DATE;
  }

  /**
   * @param calendar whose zone a wall clock is in; an instant is in none
   */
  @Nullable Timestamp timestamp(Calendar calendar) throws SQLException {
    Number value = number();
    if (value == null) {
      return null;
    }
    LocalDateTime clock = wallClock(value);
    if (kind == Kind.INSTANT) {
      return Timestamp.from(clock.toInstant(ZoneOffset.UTC));
    }
    TimeZone zone = calendar.getTimeZone();
    return zone.equals(TimeZone.getDefault()) && clock.getYear() > 0
        ? Timestamp.valueOf(clock) // keeps the digits of dates before 1582 too
        : Timestamp.from(clock.atZone(zone.toZoneId()).toInstant());
  }

  /** As SQL writes it, with all digits of the second that the type declares. */
  @Nullable String text() throws SQLException {
    Number value = number();
    if (value == null) {
      return null;
    }
    LocalDateTime clock =
        kind == Kind.TIME ? LocalDate.EPOCH.atTime(timeOfDay(value)) : wallClock(value);
    StringBuilder text = new StringBuilder();
    if (kind != Kind.TIME) {
      text.append(
          String.format(
              Locale.ROOT,
              "%04d-%02d-%02d ",
              clock.getYear(),
              clock.getMonthValue(),
              clock.getDayOfMonth()));
    }
    text.append(
        String.format(
            Locale.ROOT, "%02d:%02d:%02d", clock.getHour(), clock.getMinute(), clock.getSecond()));
    if (digits > 0) {
      String nanos = String.format(Locale.ROOT, "%09d", clock.getNano());
      text.append('.').append(nanos, 0, digits);
    }
    return text.toString();
  }

  /**
   * The value as a class of java.time, of those that {@link #isJavaTime} admits.
   *
   * @param local zone of the connection, in which an instant has a zone when one is asked for
   */
  @Nullable Object javaTime(Class<?> type, ZoneId local) throws SQLException {
    Number value = number();
    if (value == null) {
      return null;
    }
    switch (kind) {
      case DATE:
        LocalDate date = LocalDate.ofEpochDay(value.longValue());
        if (type == LocalDate.class) {
          return date;
        }
        return type == LocalDateTime.class ? date.atStartOfDay() : null;
      case TIME:
        return type == LocalTime.class ? timeOfDay(value) : null;
      case TIMESTAMP:
        return local(wallClock(value), type);
      case INSTANT:
        Instant instant = wallClock(value).toInstant(ZoneOffset.UTC);
        if (type == Instant.class) {
          return instant;
        }
        if (type == OffsetDateTime.class) {
          return instant.atOffset(ZoneOffset.UTC);
        }
        return type == ZonedDateTime.class ? instant.atZone(local) : local(wallClock(value), type);
    }
    throw new IllegalStateException(kind.toString());
  }

  private static @Nullable Object local(LocalDateTime clock, Class<?> type) {
    if (type == LocalDateTime.class) {
      return clock;
    }
    if (type == LocalDate.class) {
      return clock.toLocalDate();
    }
    return type == LocalTime.class ? clock.toLocalTime() : null;
  }

  /** Whether {@link #javaTime} has an answer. */
  boolean isJavaTime(Class<?> type) {
    switch (kind) {
      case DATE:
        return type == LocalDate.class || type == LocalDateTime.class;
      case TIME:
        return type == LocalTime.class;
      case TIMESTAMP:
        return isLocal(type);
      case INSTANT:
        return isLocal(type)
            || type == Instant.class
            || type == OffsetDateTime.class
            || type == ZonedDateTime.class;
    }
    throw new IllegalStateException(kind.toString());
  }

  private static boolean isLocal(Class<?> type) {
    return type == LocalDateTime.class || type == LocalDate.class || type == LocalTime.class;
  }
}
