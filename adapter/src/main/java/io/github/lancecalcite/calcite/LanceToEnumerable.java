package io.github.lancecalcite.calcite;

import java.lang.reflect.Method;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.adapter.enumerable.PhysType;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.function.Function1;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.plan.ConventionTraitDef;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.convert.ConverterImpl;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.util.BuiltInMethod;

/** The door between our convention and Calcite's generated code. */
final class LanceToEnumerable extends ConverterImpl implements EnumerableRel {
  private static final Method APPLY = BuiltInMethod.FUNCTION1_APPLY.method;

  LanceToEnumerable(RelNode input) {
    super(
        input.getCluster(),
        ConventionTraitDef.INSTANCE,
        input.getTraitSet().replace(EnumerableConvention.INSTANCE),
        input);
  }

  @Override
  public RelNode copy(RelTraitSet traitSet, List<RelNode> inputs) {
    return new LanceToEnumerable(inputs.get(0));
  }

  @Override
  public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
    double rows = Math.max(mq.getRowCount(getInput()), 1);
    return planner.getCostFactory().makeCost(rows * 0.1, rows, 0);
  }

  /** Puts the scan into the plan as an object and generates the one call that starts it. */
  @Override
  public Result implement(EnumerableRelImplementor implementor, Prefer pref) {
    PhysType physType =
        PhysTypeImpl.of(implementor.getTypeFactory(), getRowType(), JavaRowFormat.ARRAY);
    Expression source = implementor.stash(((LanceRel) getInput()).source(), Function1.class);
    BlockBuilder block = new BlockBuilder();
    block.add(
        Expressions.return_(
            null,
            Expressions.convert_(
                Expressions.call(source, APPLY, DataContext.ROOT), Enumerable.class)));
    return implementor.result(physType, block.toBlock());
  }
}
