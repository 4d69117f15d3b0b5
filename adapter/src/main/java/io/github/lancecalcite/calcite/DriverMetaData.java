package io.github.lancecalcite.calcite;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.util.Map;
import org.apache.calcite.avatica.AvaticaSpecificDatabaseMetaData;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.jdbc.CalciteConnection;
import org.jspecify.annotations.Nullable;

/**
 * The {@link DatabaseMetaData} of a connection: Avatica's, but for what its constants say of
 * databases in general and what is not so here. Errors are one line.
 */
final class DriverMetaData implements InvocationHandler {
  /** A reader without catalogs, transactions, procedures and updates. */
  private static final Map<String, Object> ANSWERS =
      Map.ofEntries(
          Map.entry("allProceduresAreCallable", false),
          Map.entry("usesLocalFiles", true),
          Map.entry("supportsConvert", false),
          Map.entry("supportsSubqueriesInQuantifieds", true),
          Map.entry("supportsExtendedSQLGrammar", false),
          Map.entry("supportsANSI92IntermediateSQL", false),
          Map.entry("supportsANSI92FullSQL", false),
          Map.entry("supportsSchemasInProcedureCalls", false),
          Map.entry("supportsSchemasInTableDefinitions", false),
          Map.entry("supportsSchemasInIndexDefinitions", false),
          Map.entry("supportsSchemasInPrivilegeDefinitions", false),
          Map.entry("supportsCatalogsInDataManipulation", false),
          Map.entry("supportsCatalogsInProcedureCalls", false),
          Map.entry("supportsCatalogsInTableDefinitions", false),
          Map.entry("supportsCatalogsInIndexDefinitions", false),
          Map.entry("supportsCatalogsInPrivilegeDefinitions", false),
          Map.entry("getDefaultTransactionIsolation", Connection.TRANSACTION_NONE),
          Map.entry("supportsDataManipulationTransactionsOnly", false),
          Map.entry("dataDefinitionCausesTransactionCommit", false),
          Map.entry("supportsBatchUpdates", false),
          Map.entry("ownUpdatesAreVisible", false),
          Map.entry("ownDeletesAreVisible", false),
          Map.entry("ownInsertsAreVisible", false),
          Map.entry("othersUpdatesAreVisible", false),
          Map.entry("othersDeletesAreVisible", false),
          Map.entry("othersInsertsAreVisible", false),
          Map.entry("updatesAreDetected", false),
          Map.entry("deletesAreDetected", false),
          Map.entry("insertsAreDetected", false),
          Map.entry("locatorsUpdateCopy", false),
          Map.entry("supportsStoredFunctionsUsingCallSyntax", false));

  private final DatabaseMetaData target;
  private final CalciteConnection connection;

  private DriverMetaData(DatabaseMetaData target, CalciteConnection connection) {
    this.target = target;
    this.connection = connection;
  }

  /**
   * @param connection what {@link DatabaseMetaData#getConnection} answers
   */
  static DatabaseMetaData around(DatabaseMetaData target, CalciteConnection connection) {
    return (DatabaseMetaData)
        Proxy.newProxyInstance(
            DriverMetaData.class.getClassLoader(),
            new Class<?>[] {AvaticaSpecificDatabaseMetaData.class},
            new DriverMetaData(target, connection));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args)
      throws Throwable {
    Object answer = ANSWERS.get(method.getName());
    if (answer != null) {
      return answer;
    }
    switch (method.getName()) {
      case "getConnection":
        return connection;
      case "equals":
        return args != null && proxy == args[0];
      case "supportsResultSetHoldability":
        return args != null && args[0].equals(ResultSet.HOLD_CURSORS_OVER_COMMIT);
      case "nullsAreSortedHigh":
        return nullsAre(NullCollation.HIGH);
      case "nullsAreSortedLow":
        return nullsAre(NullCollation.LOW);
      case "nullsAreSortedAtStart":
        return nullsAre(NullCollation.FIRST);
      case "nullsAreSortedAtEnd":
        return nullsAre(NullCollation.LAST);
      default:
    }
    Object result;
    try {
      result = method.invoke(target, args);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      boolean declared = method.getExceptionTypes().length > 0;
      if (declared && cause instanceof Exception failure) {
        throw OneLineErrors.oneLine(failure, null);
      }
      throw cause;
    }
    return result == null && method.getName().equals("getUserName") ? "" : result;
  }

  private boolean nullsAre(NullCollation sorted) {
    return connection.config().defaultNullCollation() == sorted;
  }
}
