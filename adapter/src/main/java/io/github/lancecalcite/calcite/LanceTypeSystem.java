package io.github.lancecalcite.calcite;

import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * What Lance's types need beyond Calcite's defaults: decimals of 38 digits, times and timestamps
 * declared to the nanosecond, text and binary without a length limit.
 *
 * <p>Declared is not carried: Calcite's runtime holds times and timestamps in milliseconds. {@link
 * FineDigits} carries the rest.
 */
public final class LanceTypeSystem extends RelDataTypeSystemImpl {
  /** The one instance; {@code typeSystem=…LanceTypeSystem#INSTANCE} in a connect string. */
  public static final LanceTypeSystem INSTANCE = new LanceTypeSystem();

  static final int MAX_DECIMAL_DIGITS = 38;
  private static final int MAX_FRACTION_DIGITS = 9;

  @Override
  public int getMaxPrecision(SqlTypeName typeName) {
    switch (typeName) {
      case DECIMAL:
        return MAX_DECIMAL_DIGITS;
      case TIME:
      case TIME_WITH_LOCAL_TIME_ZONE:
      case TIMESTAMP:
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
        return MAX_FRACTION_DIGITS;
      case VARCHAR:
      case CHAR:
      case VARBINARY:
      case BINARY:
        return Integer.MAX_VALUE;
      default:
        return super.getMaxPrecision(typeName);
    }
  }

  @Override
  public int getMaxScale(SqlTypeName typeName) {
    return typeName == SqlTypeName.DECIMAL ? MAX_DECIMAL_DIGITS : super.getMaxScale(typeName);
  }
}
