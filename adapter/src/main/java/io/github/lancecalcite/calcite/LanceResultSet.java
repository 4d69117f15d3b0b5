package io.github.lancecalcite.calcite;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.TimeZone;
import org.apache.calcite.avatica.AvaticaResultSet;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.ColumnMetaData.AvaticaType;
import org.apache.calcite.avatica.ColumnMetaData.Rep;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.QueryState;
import org.apache.calcite.avatica.util.Cursor;
import org.jspecify.annotations.Nullable;

/**
 * Avatica's result set, with what it lacks: {@code getObject(column, class)}, java.time included,
 * digits of the second beneath the millisecond, and instants that do not depend on the zone. The
 * result set of an array has two columns, as JDBC says; Calcite's own has one.
 */
final class LanceResultSet extends AvaticaResultSet {
  private static final AvaticaType RAW =
      ColumnMetaData.scalar(java.sql.Types.JAVA_OBJECT, "ANY", Rep.OBJECT);

  /** By column, from 0; null where Avatica knows best. */
  private List<@Nullable TemporalColumn> temporals = List.of();

  /** Greatest number of rows, 0 for all. */
  private final long maxRows;

  private long given;

  LanceResultSet(
      AvaticaStatement statement,
      QueryState state,
      Meta.Signature signature,
      ResultSetMetaData metaData,
      TimeZone timeZone,
      Meta.@Nullable Frame firstFrame)
      throws SQLException {
    super(statement, state, signature, metaData, timeZone, firstFrame);
    this.maxRows = statement.getLargeMaxRows();
  }

  @Override
  protected AvaticaResultSet execute() throws SQLException {
    Deadline.within(statement.getQueryTimeout(), super::execute);
    readTemporals(cursor, columnMetaDataList);
    return this;
  }

  private void readTemporals(Cursor of, List<ColumnMetaData> columns) {
    if (columns.stream().noneMatch(TemporalColumn::isTemporal)) {
      return;
    }
    List<ColumnMetaData> untyped = new ArrayList<>();
    for (ColumnMetaData column : columns) {
      untyped.add(TemporalColumn.isTemporal(column) ? ColumnMetaData.dummy(RAW, true) : column);
    }
    List<Cursor.Accessor> raw = of.createAccessors(untyped, localCalendar, this);
    temporals = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      temporals.add(TemporalColumn.of(columns.get(i), raw.get(i)));
    }
  }

  /** Ends after {@code setMaxRows}, which Calcite forgets for prepared statements. */
  @Override
  public boolean next() throws SQLException {
    if (maxRows > 0 && given >= maxRows) {
      checkOpen();
      if (cursor != null) {
        cursor.close(); // nobody gets more: the scan can go
      }
      return false;
    }
    given++;
    return super.next();
  }

  private @Nullable TemporalColumn temporal(int column) throws SQLException {
    checkOpen();
    return column < 1 || column > temporals.size() ? null : temporals.get(column - 1);
  }

  @Override
  public @Nullable String getString(int column) throws SQLException {
    TemporalColumn temporal = temporal(column);
    return temporal != null && temporal.hasText() ? temporal.text() : super.getString(column);
  }

  @Override
  public @Nullable String getString(String column) throws SQLException {
    return getString(findColumn(column));
  }

  @Override
  public @Nullable Timestamp getTimestamp(int column) throws SQLException {
    return getTimestamp(column, localCalendar);
  }

  @Override
  public @Nullable Timestamp getTimestamp(String column) throws SQLException {
    return getTimestamp(findColumn(column));
  }

  @Override
  public @Nullable Timestamp getTimestamp(int column, @Nullable Calendar calendar)
      throws SQLException {
    TemporalColumn temporal = temporal(column);
    Calendar in = calendar == null ? localCalendar : calendar;
    return temporal != null && temporal.hasTimestamp()
        ? temporal.timestamp(in)
        : super.getTimestamp(column, in);
  }

  @Override
  public @Nullable Timestamp getTimestamp(String column, @Nullable Calendar calendar)
      throws SQLException {
    return getTimestamp(findColumn(column), calendar);
  }

  @Override
  public @Nullable Object getObject(int column) throws SQLException {
    TemporalColumn temporal = temporal(column);
    return temporal != null && temporal.hasTimestamp()
        ? temporal.timestamp(localCalendar)
        : super.getObject(column);
  }

  @Override
  public @Nullable Object getObject(String column) throws SQLException {
    return getObject(findColumn(column));
  }

  /**
   * The value as a class of its own SQL type, of a number, of text, of {@code java.sql} or {@code
   * java.time}. An instant has a {@code ZonedDateTime} in the connection's zone, and the other
   * local classes in UTC, as its text.
   *
   * @throws SQLException if the column's type has no value of that class, or the value does not fit
   */
  @Override
  public <T> @Nullable T getObject(int column, Class<T> type) throws SQLException {
    TemporalColumn temporal = temporal(column);
    Object value =
        temporal != null && temporal.isJavaTime(type)
            ? temporal.javaTime(type, localCalendar.getTimeZone().toZoneId())
            : converted(column, type);
    return type.cast(value);
  }

  @Override
  public <T> @Nullable T getObject(String column, Class<T> type) throws SQLException {
    return getObject(findColumn(column), type);
  }

  private @Nullable Object converted(int column, Class<?> type) throws SQLException {
    Object value = getObject(column);
    if (value == null || type.isInstance(value)) {
      return value;
    }
    if (type == String.class) {
      return getString(column);
    }
    if (type == Timestamp.class && temporal(column) != null) {
      return getTimestamp(column);
    }
    if (type == Date.class && temporal(column) != null) {
      return getDate(column);
    }
    if (type == Time.class && temporal(column) != null) {
      return getTime(column);
    }
    if (value instanceof Number number) {
      Object converted = number(number, type);
      if (converted != null) {
        return converted;
      }
    }
    String name = getMetaData().getColumnTypeName(column);
    throw new SQLException(
        "column " + column + " of type " + name + " has no value of " + type.getName(), "22005");
  }

  /** The number in another class, or null if that is none of a number. */
  private static @Nullable Object number(Number value, Class<?> type) throws SQLException {
    boolean real = value instanceof Double || value instanceof Float;
    if (type == Double.class) {
      return value.doubleValue();
    }
    if (type == Float.class) {
      return value.floatValue();
    }
    try {
      if (type == BigDecimal.class) {
        return new BigDecimal(value.toString());
      }
      if (type == Long.class) {
        return whole(value, real).longValueExact();
      }
      if (type == Integer.class) {
        return whole(value, real).intValueExact();
      }
      if (type == Short.class) {
        return whole(value, real).shortValueExact();
      }
      if (type == Byte.class) {
        return whole(value, real).byteValueExact();
      }
      return type == BigInteger.class ? whole(value, real) : null;
    } catch (ArithmeticException | NumberFormatException e) {
      throw new SQLException("value " + value + " does not fit " + type.getName(), "22003", e);
    }
  }

  private static BigInteger whole(Number value, boolean real) {
    return (real ? new BigDecimal(value.doubleValue()) : new BigDecimal(value.toString()))
        .toBigIntegerExact();
  }
}
