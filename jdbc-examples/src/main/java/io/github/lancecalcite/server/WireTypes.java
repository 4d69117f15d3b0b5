package io.github.lancecalcite.server;

import java.sql.Types;
import java.util.List;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.ColumnMetaData.ArrayType;
import org.apache.calcite.avatica.ColumnMetaData.AvaticaType;
import org.apache.calcite.avatica.ColumnMetaData.Rep;
import org.apache.calcite.avatica.ColumnMetaData.StructType;
import org.apache.calcite.avatica.Meta.Signature;
import org.apache.calcite.avatica.SqlType;

/**
 * Types as the stock client understands them: scalars, arrays of them to any depth, and VARCHAR in
 * place of every struct and map. The type of an array is also its name: {@code DOUBLE ARRAY ARRAY}.
 *
 * <p>REAL in an array becomes DOUBLE, exactly: from the decimal numbers of JSON the client can make
 * elements of doubles and not of floats.
 */
final class WireTypes {
  private static final String ARRAY = " ARRAY";

  private WireTypes() {}

  /** Whether values travel as JSON text. */
  static boolean isJson(AvaticaType type) {
    return type instanceof StructType || type.id == Types.STRUCT || isMap(type);
  }

  /** Avatica has no type for maps; Calcite names them {@code (VARCHAR, INTEGER) MAP}. */
  private static boolean isMap(AvaticaType type) {
    return !(type instanceof ArrayType) && type.getName().endsWith(" MAP");
  }

  static boolean isNested(AvaticaType type) {
    return type instanceof ArrayType || isJson(type);
  }

  /** The name of the type that values of a local type have on the wire. */
  static String name(AvaticaType type) {
    if (type instanceof ArrayType array) {
      return name(array.getComponent()) + ARRAY;
    }
    if (isJson(type)) {
      return SqlType.VARCHAR.name();
    }
    return (type.id == Types.REAL ? SqlType.DOUBLE : sqlType(type.id)).name();
  }

  /** The type of a name that {@link #name} gave. */
  static AvaticaType type(String name) {
    if (name.endsWith(ARRAY)) {
      AvaticaType component = type(name.substring(0, name.length() - ARRAY.length()));
      return ColumnMetaData.array(component, name, Rep.ARRAY);
    }
    SqlType scalar = SqlType.valueOf(name);
    return ColumnMetaData.scalar(scalar.id, name, Rep.serialRepOf(scalar));
  }

  private static SqlType sqlType(int id) {
    for (SqlType type : SqlType.values()) {
      if (type.id == id) {
        return type;
      }
    }
    return SqlType.VARCHAR;
  }

  /** With full types of arrays, which JdbcMeta leaves to the first row that is not null. */
  static Signature complete(Signature signature) {
    if (signature.columns.stream().noneMatch(column -> column.type instanceof ArrayType)) {
      return signature;
    }
    List<ColumnMetaData> columns = signature.columns.stream().map(WireTypes::complete).toList();
    return Signature.create(
        columns,
        signature.sql,
        signature.parameters,
        signature.cursorFactory,
        signature.statementType);
  }

  private static ColumnMetaData complete(ColumnMetaData of) {
    if (!(of.type instanceof ArrayType) || !of.type.getName().endsWith(ARRAY)) {
      return of;
    }
    return new ColumnMetaData(
        of.ordinal,
        of.autoIncrement,
        of.caseSensitive,
        of.searchable,
        of.currency,
        of.nullable,
        of.signed,
        of.displaySize,
        of.label,
        of.columnName,
        of.schemaName,
        of.precision,
        of.scale,
        of.tableName,
        of.catalogName,
        type(of.type.getName()),
        of.readOnly,
        of.writable,
        of.definitelyWritable,
        of.columnClassName);
  }
}
