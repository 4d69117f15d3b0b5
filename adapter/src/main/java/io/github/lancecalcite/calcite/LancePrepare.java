package io.github.lancecalcite.calcite;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.config.CalciteConnectionConfig;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.prepare.CalcitePrepareImpl;
import org.apache.calcite.prepare.CalciteSqlValidator;
import org.apache.calcite.prepare.Prepare;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.sql.SqlExplainFormat;
import org.apache.calcite.sql.SqlExplainLevel;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.util.TryThreadLocal;
import org.jspecify.annotations.Nullable;

/** Prepares the statements of a {@code jdbc:lance:} connection: with {@link LanceSqlValidator}. */
final class LancePrepare extends CalcitePrepareImpl {
  /**
   * An IN list of fewer values stays a condition, which can be pushed down; Calcite would make a
   * join of twenty. A longer one on a stored column could outgrow the 64 KiB of a Java method.
   */
  private static final int LONG_IN_LIST = 500;

  /** Of the columns of the statement being prepared, by position, where their fractions are. */
  private Map<Integer, Integer> fractions = Map.of();

  /** As Calcite prepares it, with guarded rows and every digit of the second. */
  @Override
  public <T> CalciteSignature<T> prepareSql(
      Context context, Query<T> query, Type elementType, long maxRowCount) {
    fractions = Map.of();
    CalciteSignature<T> signature;
    try (TryThreadLocal.Memo ignored = Prepare.THREAD_INSUBQUERY_THRESHOLD.push(LONG_IN_LIST)) {
      signature = super.prepareSql(context, query, elementType, maxRowCount);
    }
    int columns = signature.columns.size();
    boolean zoned =
        context.config() instanceof CalciteConnectionConfigImpl config
            && config.isSet(CalciteConnectionProperty.TIME_ZONE);
    Map<Integer, Integer> fine = Map.copyOf(fractions);
    return new CalciteSignature<>(
        signature.sql,
        signature.parameters,
        signature.internalParameters,
        signature.rowType,
        ResultColumns.described(signature.columns),
        signature.cursorFactory,
        signature.rootSchema,
        signature.getCollationList(),
        -1, // the rows beneath are limited already
        data -> {
          SessionZone session = new SessionZone(data, zoned);
          Enumerable<T> rows = signature.enumerable(session);
          return new GuardedRows<>(
              fine.isEmpty() ? rows : FineRows.merge(rows, columns, fine), session);
        },
        signature.statementType);
  }

  @Override
  protected CalcitePreparingStmt getPreparingStmt(
      Context context,
      Type elementType,
      CalciteCatalogReader catalogReader,
      RelOptPlanner planner) {
    EnumerableRel.Prefer prefer =
        elementType == Object[].class ? EnumerableRel.Prefer.ARRAY : EnumerableRel.Prefer.CUSTOM;
    return new LancePreparingStatement(
        this, context, catalogReader, prefer, planner, elementType == Object[].class);
  }

  private final class LancePreparingStatement extends CalcitePreparingStmt {
    /** Whether {@code *} leaves system columns out. */
    private boolean hides = true;

    /** Whether rows go to a result set, and not to a caller of linq4j. */
    private final boolean givesRows;

    LancePreparingStatement(
        LancePrepare prepare,
        CalcitePrepare.Context context,
        CalciteCatalogReader catalogReader,
        EnumerableRel.Prefer prefer,
        RelOptPlanner planner,
        boolean givesRows) {
      super(
          prepare,
          context,
          catalogReader,
          context.getTypeFactory(),
          context.getRootSchema(),
          prefer,
          prepare.createCluster(planner, new RexBuilder(context.getTypeFactory())),
          EnumerableConvention.INSTANCE,
          prepare.createConvertletTable());
      this.givesRows = givesRows;
    }

    @Override
    protected RelRoot optimize(
        RelRoot root,
        List<Materialization> materializations,
        List<CalciteSchema.LatticeEntry> lattices) {
      if (!givesRows) {
        return super.optimize(root, materializations, lattices);
      }
      FineDigits.Widened widened = FineDigits.widen(root);
      fractions = widened.fractions();
      return super.optimize(widened.root(), materializations, lattices);
    }

    /** The rows of EXPLAIN are those of a plan, and not the statement's. */
    @Override
    protected PreparedResult createPreparedExplanation(
        @Nullable RelDataType resultType,
        RelDataType parameterRowType,
        @Nullable RelRoot root,
        SqlExplainFormat format,
        SqlExplainLevel detailLevel) {
      fractions = Map.of();
      return super.createPreparedExplanation(
          resultType, parameterRowType, root, format, detailLevel);
    }

    /**
     * Calcite works a view's row type out beforehand, on a connection of its own where nothing is
     * hidden; a view that says {@code *} is therefore expanded in the same way.
     */
    @Override
    public RelRoot expandView(
        RelDataType rowType,
        String queryString,
        List<String> schemaPath,
        @Nullable List<String> viewPath) {
      RelRoot hiding = super.expandView(rowType, queryString, schemaPath, viewPath);
      if (hiding.validatedRowType.getFieldCount() == rowType.getFieldCount()) {
        return hiding;
      }
      boolean before = hides;
      hides = false;
      try {
        return super.expandView(rowType, queryString, schemaPath, viewPath);
      } finally {
        hides = before;
      }
    }

    /** As Calcite makes its own, which cannot be reached from outside its package. */
    @Override
    protected SqlValidator createSqlValidator(
        CatalogReader reader, UnaryOperator<SqlValidator.Config> transform) {
      CalciteConnectionConfig connection = context.config();
      SqlOperatorTable functions =
          connection.fun(SqlOperatorTable.class, SqlStdOperatorTable.instance());
      SqlValidator.Config config =
          SqlValidator.Config.DEFAULT
              .withLenientOperatorLookup(connection.lenientOperatorLookup())
              .withConformance(connection.conformance())
              .withDefaultNullCollation(connection.defaultNullCollation())
              .withIdentifierExpansion(true);
      SqlOperatorTable operators = SqlOperatorTables.chain(functions, reader);
      CalciteCatalogReader catalog = (CalciteCatalogReader) reader;
      JavaTypeFactory types = (JavaTypeFactory) typeFactory;
      return hides
          ? new LanceSqlValidator(operators, catalog, types, transform.apply(config))
          : new CalciteSqlValidator(operators, catalog, types, transform.apply(config));
    }
  }
}
