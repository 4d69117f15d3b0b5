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

/** A limit without order or offset on its way into a scan. */
final class LanceLimit extends SingleRel implements LanceRel {
  private final long rows;

  LanceLimit(RelOptCluster cluster, RelTraitSet traits, RelNode input, long rows) {
    super(cluster, traits, input);
    this.rows = rows;
  }

  long rows() {
    return rows;
  }

  @Override
  public RelNode copy(RelTraitSet traitSet, List<RelNode> inputs) {
    return new LanceLimit(getCluster(), traitSet, inputs.get(0), rows);
  }

  @Override
  public double estimateRowCount(RelMetadataQuery mq) {
    return Math.min(rows, mq.getRowCount(getInput()));
  }

  @Override
  public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
    return planner.getCostFactory().makeInfiniteCost();
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("rows", rows);
  }
}
