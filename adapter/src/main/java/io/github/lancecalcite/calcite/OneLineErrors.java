package io.github.lancecalcite.calcite;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.apache.calcite.jdbc.CalciteConnection;
import org.jspecify.annotations.Nullable;

/**
 * A connection and its statements, whose errors are SQLExceptions of one line each: SQL that a
 * message repeats is shortened, the reason a statement cannot be prepared is part of the message,
 * and an unchecked exception never leaves. Calcite makes the objects beneath in ways that cannot be
 * extended.
 */
final class OneLineErrors implements InvocationHandler {
  /** Characters of the statement's text that a message repeats. */
  private static final int REPEATED_SQL = 120;

  private static final String EXPECTED_TOKENS = "Was expecting one of:";

  /** Characters of the parser's list of expected tokens up to which it is worth reading. */
  private static final int EXPECTED_CHARS = 200;

  private static final Pattern SPACE = Pattern.compile("\\s+");

  private final Object target;

  /** What {@link Statement#getConnection} answers; null for the connection itself. */
  private final @Nullable Object connection;

  /** Text of a prepared statement. */
  private final @Nullable String prepared;

  private OneLineErrors(Object target, @Nullable Object connection, @Nullable String prepared) {
    this.target = target;
    this.connection = connection;
    this.prepared = prepared;
  }

  static Connection around(Connection connection) {
    return (Connection) proxy(CalciteConnection.class, new OneLineErrors(connection, null, null));
  }

  private static Object proxy(Class<?> type, OneLineErrors handler) {
    return Proxy.newProxyInstance(
        OneLineErrors.class.getClassLoader(), new Class<?>[] {type}, handler);
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args)
      throws Throwable {
    if (method.getName().equals("equals") && args != null && args.length == 1) {
      return proxy == args[0];
    }
    String sql = args != null && args.length > 0 && args[0] instanceof String s ? s : prepared;
    if (target instanceof PreparedStatement statement
        && TemporalParameters.set(statement, method, args)) {
      return null;
    }
    if (target instanceof CalciteConnection connected
        && ReadingConnection.ANSWERS.contains(method.getName())) {
      return ReadingConnection.answer(connected, method.getName(), args);
    }
    Object result;
    try {
      result = method.invoke(target, args);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      if (cause instanceof ExceptionInInitializerError constant
          && constant.getCause() instanceof Exception computing) {
        cause = computing; // Calcite computes constants when the generated class is loaded
      }
      boolean declared = Arrays.asList(method.getExceptionTypes()).contains(SQLException.class);
      throw declared && cause instanceof Exception failure ? oneLine(failure, sql) : cause;
    }
    Object owner = connection == null ? proxy : connection;
    // by declared types: a statement of Avatica's is its own ParameterMetaData, for instance
    Class<?> type = method.getReturnType();
    if (type == Connection.class) {
      return owner;
    }
    if (result instanceof DatabaseMetaData metaData) {
      return DriverMetaData.around(metaData, (CalciteConnection) owner);
    }
    if (result != null && Statement.class.isAssignableFrom(type) && type.isInterface()) {
      return proxy(type, new OneLineErrors(result, owner, sql));
    }
    return result;
  }

  /** The failure in one line, itself if it is so already. */
  static SQLException oneLine(Exception failure, @Nullable String sql) {
    String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    Throwable cause = failure.getCause();
    if (message.startsWith("Error while preparing statement [")
        && cause != null
        && cause.getMessage() != null) {
      message += ": " + cause.getMessage();
    }
    if (sql != null && !sql.isBlank()) {
      message = message.replace(sql, shortened(sql));
    }
    message = message.lines().map(String::strip).reduce((a, b) -> a + " " + b).orElse("");
    message = withoutLongList(message);
    String state = sqlState(failure);
    if (failure instanceof SQLException same
        && message.equals(same.getMessage())
        && (state == null || state.equals(same.getSQLState()))) {
      return same;
    }
    int code = failure instanceof SQLException given ? given.getErrorCode() : 0;
    SQLException result =
        new SQLException(
            message,
            state,
            code,
            failure instanceof SQLException && cause != null ? cause : failure);
    result.setStackTrace(failure.getStackTrace());
    return result;
  }

  /** Calcite's parser lists every token that might have come, often some hundreds: none of use. */
  private static String withoutLongList(String message) {
    int list = message.indexOf(EXPECTED_TOKENS);
    boolean tooLong = list > 0 && message.length() - list > EXPECTED_CHARS;
    return tooLong ? message.substring(0, list).strip() : message;
  }

  private static String shortened(String sql) {
    String line = SPACE.matcher(sql.strip()).replaceAll(" ");
    return line.length() <= REPEATED_SQL ? line : line.substring(0, REPEATED_SQL) + "…";
  }

  private static @Nullable String sqlState(Throwable failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof SQLException sql && sql.getSQLState() != null) {
        return sql.getSQLState();
      }
      if (e instanceof LanceException lance) {
        return lance.sqlState();
      }
    }
    return null;
  }
}
