package io.github.lancecalcite.calcite;

import java.sql.Struct;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.ColumnMetaData;

/**
 * What {@link java.sql.ResultSetMetaData} tells of columns, where Calcite leaves it open: the width
 * as text, whether there is a sign, and the class of structs and maps.
 */
final class ResultColumns {
  private static final int UNLIMITED = -1;
  private static final int REAL_CHARS = "-1.17549435E-38".length();
  private static final int DOUBLE_CHARS = "-2.2250738585072014E-308".length();

  private ResultColumns() {}

  static List<ColumnMetaData> described(List<ColumnMetaData> columns) {
    return columns.stream().map(ResultColumns::described).toList();
  }

  private static ColumnMetaData described(ColumnMetaData of) {
    return new ColumnMetaData(
        of.ordinal,
        of.autoIncrement,
        of.caseSensitive,
        of.searchable,
        of.currency,
        of.nullable,
        isNumber(of.type.id),
        displaySize(of),
        of.label,
        of.columnName,
        of.schemaName,
        of.precision,
        of.scale,
        of.tableName,
        of.catalogName,
        of.type,
        of.readOnly,
        of.writable,
        of.definitelyWritable,
        className(of));
  }

  private static boolean isNumber(int type) {
    switch (type) {
      case Types.TINYINT:
      case Types.SMALLINT:
      case Types.INTEGER:
      case Types.BIGINT:
      case Types.DECIMAL:
      case Types.NUMERIC:
      case Types.REAL:
      case Types.FLOAT:
      case Types.DOUBLE:
        return true;
      default:
        return false;
    }
  }

  private static String className(ColumnMetaData of) {
    if (of.type.id == Types.STRUCT) {
      return Struct.class.getName();
    }
    return of.type.getName().endsWith(" MAP") ? Map.class.getName() : of.columnClassName;
  }

  /** Characters of the longest text; −1 where there is no limit. */
  private static int displaySize(ColumnMetaData of) {
    int fraction = of.precision > 0 ? of.precision + 1 : 0;
    switch (of.type.id) {
      case Types.BOOLEAN:
        return "false".length();
      case Types.TINYINT:
      case Types.SMALLINT:
      case Types.INTEGER:
      case Types.BIGINT:
        return of.precision + 1;
      case Types.DECIMAL:
        return of.precision + (of.scale == 0 ? 1 : 2);
      case Types.REAL:
        return REAL_CHARS;
      case Types.FLOAT:
      case Types.DOUBLE:
        return DOUBLE_CHARS;
      case Types.DATE:
        return "2026-12-31".length();
      case Types.TIME:
        return "23:59:59".length() + fraction;
      case Types.TIMESTAMP:
        return "2026-12-31 23:59:59".length() + fraction;
      case Types.BINARY:
        return 2 * of.precision;
      case Types.CHAR:
        return of.displaySize;
      default:
        return UNLIMITED;
    }
  }
}
