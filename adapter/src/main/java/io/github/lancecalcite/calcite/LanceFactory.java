package io.github.lancecalcite.calcite;

import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Properties;
import java.util.TimeZone;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaFactory;
import org.apache.calcite.avatica.AvaticaPreparedStatement;
import org.apache.calcite.avatica.AvaticaResultSet;
import org.apache.calcite.avatica.AvaticaSpecificDatabaseMetaData;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.QueryState;
import org.apache.calcite.avatica.UnregisteredDriver;
import org.apache.calcite.jdbc.CalciteFactory;
import org.apache.calcite.jdbc.CalciteJdbc41Factory;
import org.apache.calcite.jdbc.CalciteSchema;
import org.jspecify.annotations.Nullable;

/** Makes JDBC objects as Calcite does, but for result sets: {@link LanceResultSet}. */
final class LanceFactory extends CalciteFactory {
  private final CalciteJdbc41Factory calcite = new CalciteJdbc41Factory();

  LanceFactory() {
    super(4, 1);
  }

  @Override
  public AvaticaConnection newConnection(
      UnregisteredDriver driver,
      AvaticaFactory factory,
      String url,
      Properties info,
      @Nullable CalciteSchema rootSchema,
      @Nullable JavaTypeFactory typeFactory) {
    return calcite.newConnection(driver, factory, url, info, rootSchema, typeFactory);
  }

  @Override
  public AvaticaStatement newStatement(
      AvaticaConnection connection,
      Meta.@Nullable StatementHandle handle,
      int type,
      int concurrency,
      int holdability)
      throws SQLException {
    return calcite.newStatement(connection, handle, type, concurrency, holdability);
  }

  @Override
  public AvaticaPreparedStatement newPreparedStatement(
      AvaticaConnection connection,
      Meta.@Nullable StatementHandle handle,
      Meta.Signature signature,
      int type,
      int concurrency,
      int holdability)
      throws SQLException {
    return calcite.newPreparedStatement(
        connection, handle, signature, type, concurrency, holdability);
  }

  @Override
  public AvaticaResultSet newResultSet(
      AvaticaStatement statement,
      QueryState state,
      Meta.Signature signature,
      TimeZone timeZone,
      Meta.@Nullable Frame firstFrame)
      throws SQLException {
    return new LanceResultSet(
        statement,
        state,
        signature,
        calcite.newResultSetMetaData(statement, signature),
        timeZone,
        firstFrame);
  }

  @Override
  public AvaticaSpecificDatabaseMetaData newDatabaseMetaData(AvaticaConnection connection) {
    return calcite.newDatabaseMetaData(connection);
  }

  @Override
  public ResultSetMetaData newResultSetMetaData(
      AvaticaStatement statement, Meta.Signature signature) {
    return calcite.newResultSetMetaData(statement, signature);
  }
}
