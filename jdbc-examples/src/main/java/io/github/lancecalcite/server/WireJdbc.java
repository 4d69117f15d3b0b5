package io.github.lancecalcite.server;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.ColumnMetaData.ArrayType;
import org.apache.calcite.avatica.ColumnMetaData.AvaticaType;
import org.jspecify.annotations.Nullable;

/**
 * A local connection, its statements and results, as JdbcMeta has to see them to send nested values
 * on: arrays give their elements as they travel, structs and maps are VARCHAR and JSON text.
 * Results without nested columns are left as they are.
 */
final class WireJdbc implements InvocationHandler {
  private final Object target;

  /** Local types of the columns; null for connections and statements. */
  private final @Nullable List<ColumnMetaData> columns;

  private WireJdbc(Object target, @Nullable List<ColumnMetaData> columns) {
    this.target = target;
    this.columns = columns;
  }

  static Connection around(Connection connection) {
    return (Connection) proxy(Connection.class, connection, null);
  }

  private static Object proxy(
      Class<?> type, Object target, @Nullable List<ColumnMetaData> columns) {
    return Proxy.newProxyInstance(
        WireJdbc.class.getClassLoader(), new Class<?>[] {type}, new WireJdbc(target, columns));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args)
      throws Throwable {
    if (columns != null && args != null && args.length > 0 && args[0] instanceof Integer column) {
      AvaticaType type = columns.get(column - 1).type;
      if (WireTypes.isNested(type)) {
        return nested(type, column, method, args);
      }
    }
    Object result = call(target, method, args);
    Class<?> type = method.getReturnType();
    if (result == null || !type.isInterface()) {
      return result;
    }
    if (Statement.class.isAssignableFrom(type)) {
      return proxy(type, result, null);
    }
    if (result instanceof ResultSet rows) {
      List<ColumnMetaData> of = nestedColumns(rows.getMetaData());
      return of == null ? rows : proxy(ResultSet.class, rows, of);
    }
    if (result instanceof ResultSetMetaData metaData) {
      List<ColumnMetaData> of = nestedColumns(metaData);
      return of == null ? metaData : proxy(ResultSetMetaData.class, metaData, of);
    }
    return result;
  }

  private static @Nullable List<ColumnMetaData> nestedColumns(ResultSetMetaData metaData) {
    List<ColumnMetaData> columns = AvaticaInside.columns(metaData);
    return columns != null && columns.stream().anyMatch(column -> WireTypes.isNested(column.type))
        ? columns
        : null;
  }

  private @Nullable Object nested(AvaticaType type, int column, Method method, Object[] args)
      throws Throwable {
    boolean array = type instanceof ArrayType;
    return switch (method.getName()) {
      case "getColumnType" -> array ? Types.ARRAY : Types.VARCHAR;
      case "getColumnTypeName" -> WireTypes.name(type);
      case "getColumnClassName" -> (array ? Array.class : String.class).getName();
      case "getObject", "getString", "getArray" -> {
        Object wire = WireValues.of(type, ((ResultSet) target).getObject(column));
        yield array && wire != null ? array((ArrayType) type, wire) : wire;
      }
      default -> call(target, method, args);
    };
  }

  /** JdbcMeta asks for a result set first and takes the list if there is none. */
  private static Array array(ArrayType type, Object elements) {
    AvaticaType component = WireTypes.type(WireTypes.name(type.getComponent()));
    return (Array)
        Proxy.newProxyInstance(
            WireJdbc.class.getClassLoader(),
            new Class<?>[] {Array.class},
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "getArray" -> elements;
                  case "getBaseType" -> component.id;
                  case "getBaseTypeName" -> component.getName();
                  case "toString" -> elements.toString();
                  default -> throw new SQLFeatureNotSupportedException(method.getName());
                });
  }

  private static @Nullable Object call(Object on, Method method, Object @Nullable [] args)
      throws Throwable {
    try {
      return method.invoke(on, args);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
