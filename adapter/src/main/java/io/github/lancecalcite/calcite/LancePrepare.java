package io.github.lancecalcite.calcite;

import java.lang.reflect.Type;
import java.util.function.UnaryOperator;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.config.CalciteConnectionConfig;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.prepare.CalcitePrepareImpl;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.SqlValidator;

/** Prepares the statements of a {@code jdbc:lance:} connection: with {@link LanceSqlValidator}. */
final class LancePrepare extends CalcitePrepareImpl {
  @Override
  protected CalcitePreparingStmt getPreparingStmt(
      Context context,
      Type elementType,
      CalciteCatalogReader catalogReader,
      RelOptPlanner planner) {
    EnumerableRel.Prefer prefer =
        elementType == Object[].class ? EnumerableRel.Prefer.ARRAY : EnumerableRel.Prefer.CUSTOM;
    return new LancePreparingStatement(this, context, catalogReader, prefer, planner);
  }

  private static final class LancePreparingStatement extends CalcitePreparingStmt {
    LancePreparingStatement(
        LancePrepare prepare,
        CalcitePrepare.Context context,
        CalciteCatalogReader catalogReader,
        EnumerableRel.Prefer prefer,
        RelOptPlanner planner) {
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
      return new LanceSqlValidator(
          SqlOperatorTables.chain(functions, reader),
          (CalciteCatalogReader) reader,
          (JavaTypeFactory) typeFactory,
          transform.apply(config));
    }
  }
}
