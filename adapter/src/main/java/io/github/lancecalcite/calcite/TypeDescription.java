package io.github.lancecalcite.calcite;

import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * A type as {@link java.sql.DatabaseMetaData} tells it.
 *
 * @param name the SQL type, without precision, nullability and character set; of an element or
 *     field inside, with its precision
 * @param jdbcType of {@link java.sql.Types}
 * @param size decimal digits of a number, characters of text and of a date or time as text, bytes
 *     of binary; {@link Integer#MAX_VALUE} for text and binary without a limit; null for nested
 *     types
 * @param digits digits after the point, of a number or of seconds; null where there is no point
 * @param radix 10 for numbers, otherwise null
 */
record TypeDescription(
    String name,
    int jdbcType,
    @Nullable Integer size,
    @Nullable Integer digits,
    @Nullable Integer radix) {
  private static final int UNLIMITED = Integer.MAX_VALUE;

  /** What there is to tell of a type. */
  static TypeDescription of(RelDataType type) {
    SqlTypeName sql = type.getSqlTypeName();
    boolean number = SqlTypeName.NUMERIC_TYPES.contains(sql);
    boolean approximate = SqlTypeName.APPROX_TYPES.contains(sql);
    return new TypeDescription(
        name(type, false),
        sql.getJdbcOrdinal(),
        size(type),
        number && !approximate ? (Integer) scale(type) : secondDigits(type),
        number ? 10 : null);
  }

  /** Bytes of text or binary at most, null for other types. */
  @Nullable Integer octets() {
    switch (jdbcType) {
      case java.sql.Types.CHAR:
      case java.sql.Types.VARCHAR:
        return UNLIMITED;
      case java.sql.Types.BINARY:
      case java.sql.Types.VARBINARY:
        return size;
      default:
        return null;
    }
  }

  private static int scale(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.DECIMAL ? type.getScale() : 0;
  }

  private static @Nullable Integer secondDigits(RelDataType type) {
    switch (type.getSqlTypeName()) {
      case TIME:
      case TIMESTAMP:
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
        return Math.max(type.getPrecision(), 0);
      default:
        return null;
    }
  }

  private static @Nullable Integer size(RelDataType type) {
    Integer seconds = secondDigits(type);
    int fraction = seconds == null || seconds == 0 ? 0 : seconds + 1;
    switch (type.getSqlTypeName()) {
      case BOOLEAN:
        return 1;
      case TINYINT:
        return 3;
      case SMALLINT:
        return 5;
      case INTEGER:
        return 10;
      case BIGINT:
        return 19;
      case REAL:
        return 7;
      case FLOAT:
      case DOUBLE:
        return 15;
      case DECIMAL:
        return type.getPrecision();
      case CHAR:
      case VARCHAR:
      case BINARY:
      case VARBINARY:
        return type.getPrecision() < 0 ? UNLIMITED : type.getPrecision();
      case DATE:
        return "2026-12-31".length();
      case TIME:
        return "23:59:59".length() + fraction;
      case TIMESTAMP:
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
        return "2026-12-31 23:59:59".length() + fraction;
      default:
        return null;
    }
  }

  private static String name(RelDataType type, boolean inside) {
    SqlTypeName sql = type.getSqlTypeName();
    switch (sql) {
      case ARRAY:
      case MULTISET:
        return name(component(type.getComponentType()), true) + " " + sql;
      case MAP:
        return "MAP<"
            + name(component(type.getKeyType()), true)
            + ", "
            + name(component(type.getValueType()), true)
            + ">";
      case ROW:
        return type.getFieldList().stream()
            .map(field -> field.getName() + " " + name(field.getType(), true))
            .collect(Collectors.joining(", ", "ROW(", ")"));
      case DECIMAL:
        return inside ? "DECIMAL(" + type.getPrecision() + ", " + type.getScale() + ")" : "DECIMAL";
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
        return "TIMESTAMP" + precision(type, inside) + " WITH LOCAL TIME ZONE";
      case TIME:
      case TIMESTAMP:
      case CHAR:
      case BINARY:
        return sql + precision(type, inside);
      default:
        return sql.getName();
    }
  }

  private static RelDataType component(@Nullable RelDataType type) {
    if (type == null) {
      throw new IllegalArgumentException("a nested type without the type of its elements");
    }
    return type;
  }

  private static String precision(RelDataType type, boolean shown) {
    return shown && type.getPrecision() >= 0 ? "(" + type.getPrecision() + ")" : "";
  }
}
