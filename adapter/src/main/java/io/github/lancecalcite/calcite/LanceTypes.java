package io.github.lancecalcite.calcite;

import java.util.List;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * SQL types of Arrow fields; {@link ValueReaders} delivers the values to match.
 *
 * <ul>
 *   <li>unsigned 8, 16, 32, 64 bits → SMALLINT, INTEGER, BIGINT, DECIMAL(20, 0)
 *   <li>float16 and float32 → REAL, float64 → DOUBLE
 *   <li>decimal → DECIMAL to 38 digits; of a wider one, values that do not fit are refused
 *   <li>time and timestamp → TIME(p) and TIMESTAMP(p), p being 0, 3, 6 or 9; with a zone TIMESTAMP
 *       WITH LOCAL TIME ZONE(p); the runtime carries milliseconds, {@link FineDigits} the rest
 *   <li>duration → BIGINT, in the field's own unit, because Calcite's intervals hold milliseconds
 *   <li>list, large list, fixed-size list → ARRAY; struct → ROW; map → MAP
 *   <li>null → VARCHAR, since a column of type NULL can hardly be used
 * </ul>
 */
final class LanceTypes {
  /** Set on fields whose stored type the decoder does not know; reading one is refused. */
  private static final String UNKNOWN_TYPE = "lance:logical-type";

  static final int MILLI_DIGITS = 3;

  private LanceTypes() {}

  /** The SQL type of values of a field, with the field's nullability. */
  static RelDataType of(Field field, RelDataTypeFactory factory) {
    return factory.createTypeWithNullability(withoutNull(field, factory), nullable(field));
  }

  /** The SQL type of every system column. */
  static RelDataType system(RelDataTypeFactory factory) {
    return factory.createSqlType(SqlTypeName.BIGINT);
  }

  /** Whether values are times or timestamps with more digits than milliseconds. */
  static boolean isFine(Field field) {
    switch (field.getType().getTypeID()) {
      case Time:
        return digits(((ArrowType.Time) field.getType()).getUnit()) > MILLI_DIGITS;
      case Timestamp:
        return digits(((ArrowType.Timestamp) field.getType()).getUnit()) > MILLI_DIGITS;
      default:
        return false;
    }
  }

  /** The type of the nanoseconds after the millisecond. */
  static RelDataType fraction(Field field, RelDataTypeFactory factory) {
    return factory.createTypeWithNullability(
        factory.createSqlType(SqlTypeName.INTEGER), nullable(field));
  }

  private static RelDataType unknown(RelDataTypeFactory factory) {
    return factory.createTypeWithNullability(factory.createSqlType(SqlTypeName.ANY), true);
  }

  private static boolean nullable(Field field) {
    return field.isNullable() || field.getType().getTypeID() == ArrowType.ArrowTypeID.Null;
  }

  private static RelDataType withoutNull(Field field, RelDataTypeFactory factory) {
    ArrowType type = field.getType();
    switch (type.getTypeID()) {
      case Bool:
        return factory.createSqlType(SqlTypeName.BOOLEAN);
      case Int:
        return integer((ArrowType.Int) type, factory);
      case FloatingPoint:
        return floating((ArrowType.FloatingPoint) type, factory);
      case Decimal:
        return decimal((ArrowType.Decimal) type, factory);
      case Null:
        return field.getMetadata().containsKey(UNKNOWN_TYPE)
            ? unknown(factory)
            : factory.createSqlType(SqlTypeName.VARCHAR);
      case Utf8:
      case LargeUtf8:
      case Utf8View:
        return factory.createSqlType(SqlTypeName.VARCHAR);
      case Binary:
      case LargeBinary:
      case BinaryView:
        return factory.createSqlType(SqlTypeName.VARBINARY);
      case FixedSizeBinary:
        int width = ((ArrowType.FixedSizeBinary) type).getByteWidth();
        return width == 0
            ? factory.createSqlType(SqlTypeName.VARBINARY)
            : factory.createSqlType(SqlTypeName.BINARY, width);
      case Date:
        return factory.createSqlType(SqlTypeName.DATE);
      case Time:
        return factory.createSqlType(SqlTypeName.TIME, digits(((ArrowType.Time) type).getUnit()));
      case Timestamp:
        ArrowType.Timestamp timestamp = (ArrowType.Timestamp) type;
        return factory.createSqlType(
            timestamp.getTimezone() == null
                ? SqlTypeName.TIMESTAMP
                : SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE,
            digits(timestamp.getUnit()));
      case Duration:
        return factory.createSqlType(SqlTypeName.BIGINT);
      case List:
      case LargeList:
      case FixedSizeList:
        return factory.createArrayType(of(field.getChildren().get(0), factory), -1);
      case Map:
        List<Field> entry = field.getChildren().get(0).getChildren();
        return factory.createMapType(of(entry.get(0), factory), of(entry.get(1), factory));
      case Struct:
        return struct(field.getChildren(), factory);
      default:
        return unknown(factory);
    }
  }

  private static RelDataType integer(ArrowType.Int type, RelDataTypeFactory factory) {
    int bits = type.getIsSigned() ? type.getBitWidth() : type.getBitWidth() * 2;
    switch (bits) {
      case 8:
        return factory.createSqlType(SqlTypeName.TINYINT);
      case 16:
        return factory.createSqlType(SqlTypeName.SMALLINT);
      case 32:
        return factory.createSqlType(SqlTypeName.INTEGER);
      case 64:
        return factory.createSqlType(SqlTypeName.BIGINT);
      default:
        return factory.createSqlType(SqlTypeName.DECIMAL, 20, 0);
    }
  }

  private static RelDataType floating(ArrowType.FloatingPoint type, RelDataTypeFactory factory) {
    switch (type.getPrecision()) {
      case HALF:
      case SINGLE:
        return factory.createSqlType(SqlTypeName.REAL);
      default:
        return factory.createSqlType(SqlTypeName.DOUBLE);
    }
  }

  private static RelDataType decimal(ArrowType.Decimal type, RelDataTypeFactory factory) {
    int scale = decimalScale(type);
    int integerDigits = Math.max(type.getPrecision() - type.getScale(), 0);
    int precision = Math.min(integerDigits + scale, LanceTypeSystem.MAX_DECIMAL_DIGITS);
    return factory.createSqlType(SqlTypeName.DECIMAL, Math.max(precision, 1), scale);
  }

  /** Digits after the point in SQL: a negative scale of Arrow becomes zeros before the point. */
  static int decimalScale(ArrowType.Decimal type) {
    return Math.min(Math.max(type.getScale(), 0), LanceTypeSystem.MAX_DECIMAL_DIGITS);
  }

  private static int digits(TimeUnit unit) {
    switch (unit) {
      case SECOND:
        return 0;
      case MILLISECOND:
        return 3;
      case MICROSECOND:
        return 6;
      default:
        return 9;
    }
  }

  private static RelDataType struct(List<Field> children, RelDataTypeFactory factory) {
    RelDataTypeFactory.Builder row = factory.builder();
    for (Field child : children) {
      row.add(child.getName(), of(child, factory));
    }
    return row.build();
  }
}
