package io.github.lancecalcite.calcite;

import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;

/** A {@code COUNT(*)} without groups on its way into a {@link LanceCount}. */
final class LanceCountAggregate extends SingleRel implements LanceRel {
  LanceCountAggregate(
      RelOptCluster cluster, RelTraitSet traits, RelNode input, RelDataType rowType) {
    super(cluster, traits, input);
    this.rowType = rowType;
  }

  @Override
  public RelNode copy(RelTraitSet traitSet, List<RelNode> inputs) {
    return new LanceCountAggregate(getCluster(), traitSet, inputs.get(0), getRowType());
  }

  @Override
  public double estimateRowCount(RelMetadataQuery mq) {
    return 1;
  }

  @Override
  public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
    return planner.getCostFactory().makeInfiniteCost();
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("counts", getRowType().getFieldCount());
  }
}
