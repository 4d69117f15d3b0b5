package io.github.lancecalcite.server;

import java.lang.reflect.Field;
import java.sql.Array;
import java.sql.ResultSetMetaData;
import java.sql.Statement;
import java.util.List;
import org.apache.calcite.avatica.AvaticaResultSetMetaData;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.jdbc.StatementInfo;
import org.apache.calcite.avatica.util.ArrayImpl;
import org.jspecify.annotations.Nullable;

/**
 * What Avatica knows and does not say: the local statement behind a remote one, the names of a
 * struct's fields, and the elements of an array as they are. {@link Array#getArray} fails on a null
 * inner array, and there is no way to ask for a type through JDBC.
 */
final class AvaticaInside {
  private static final Field SIGNATURE = field(AvaticaResultSetMetaData.class, "signature");
  private static final Field ELEMENTS = field(ArrayImpl.class, "list");
  private static final Field STATEMENT = field(StatementInfo.class, "statement");

  private AvaticaInside() {}

  private static Field field(Class<?> type, String name) {
    try {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException("another Avatica than this server is built for", e);
    }
  }

  /** The columns behind the metadata of a local result; null if Avatica did not make it. */
  static @Nullable List<ColumnMetaData> columns(@Nullable ResultSetMetaData metaData) {
    return metaData instanceof AvaticaResultSetMetaData
        ? ((Meta.Signature) get(SIGNATURE, metaData)).columns
        : null;
  }

  static List<?> elements(ArrayImpl array) {
    return (List<?>) get(ELEMENTS, array);
  }

  /** The local statement; null if it only stands for a result of DatabaseMetaData. */
  static @Nullable Statement statement(StatementInfo info) {
    return (Statement) get(STATEMENT, info);
  }

  private static Object get(Field field, Object owner) {
    try {
      return field.get(owner);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
