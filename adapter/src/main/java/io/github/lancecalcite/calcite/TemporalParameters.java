package io.github.lancecalcite.calcite;

import java.lang.reflect.Method;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Locale;
import java.util.TimeZone;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Dates and times as parameters, where Avatica's setters do not do: classes of java.time, and
 * instants, which do not depend on a zone. A parameter carries milliseconds; finer digits are
 * refused, not cut off.
 */
final class TemporalParameters {
  private static final int NANOS_PER_MILLI = 1_000_000;
  private static final TimeZone UTC = TimeZone.getTimeZone("UTC");

  private TemporalParameters() {}

  /**
   * Sets a parameter if that is what the call is and it needs this.
   *
   * @return whether the parameter is set
   */
  static boolean set(PreparedStatement statement, Method method, Object @Nullable [] args)
      throws SQLException {
    if (args == null
        || args.length < 2
        || !(args[0] instanceof Integer parameter)
        || !(method.getName().equals("setObject") || method.getName().equals("setTimestamp"))) {
      return false;
    }
    Object value = args[1];
    if (value instanceof Timestamp timestamp) {
      checkMillis(timestamp.getNanos(), timestamp);
      if (args.length > 2 && args[2] instanceof Calendar || !isInstant(statement, parameter)) {
        return false;
      }
      statement.setTimestamp(parameter, timestamp, utc());
      return true;
    }
    if (value instanceof LocalDate date) {
      statement.setDate(parameter, Date.valueOf(date));
      return true;
    }
    if (value instanceof LocalTime time) {
      int nanos = checkMillis(time.getNano(), time);
      long millis = Time.valueOf(time).getTime() + nanos / NANOS_PER_MILLI;
      statement.setTime(parameter, new Time(millis));
      return true;
    }
    if (value instanceof LocalDateTime clock) {
      checkMillis(clock.getNano(), clock);
      statement.setTimestamp(parameter, Timestamp.valueOf(clock));
      return true;
    }
    Instant instant = instant(value);
    if (instant == null) {
      return false;
    }
    checkMillis(instant.getNano(), value);
    if (!isInstant(statement, parameter)) {
      throw new SQLException(
          "parameter " + parameter + " has no time zone: give it a LocalDateTime", "22005");
    }
    statement.setTimestamp(parameter, Timestamp.from(instant), utc());
    return true;
  }

  private static @Nullable Instant instant(@Nullable Object value) {
    if (value instanceof OffsetDateTime offset) {
      return offset.toInstant();
    }
    if (value instanceof ZonedDateTime zoned) {
      return zoned.toInstant();
    }
    return value instanceof Instant instant ? instant : null;
  }

  private static boolean isInstant(PreparedStatement statement, int parameter) throws SQLException {
    int count = statement.getParameterMetaData().getParameterCount();
    return parameter >= 1
        && parameter <= count
        && statement
            .getParameterMetaData()
            .getParameterTypeName(parameter)
            .startsWith(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE.name());
  }

  private static int checkMillis(int nanos, Object value) throws SQLException {
    if (nanos % NANOS_PER_MILLI != 0) {
      throw new SQLException(
          "a parameter holds milliseconds, not " + value + ": write it as a literal", "22008");
    }
    return nanos;
  }

  private static Calendar utc() {
    return Calendar.getInstance(UTC, Locale.ROOT);
  }
}
