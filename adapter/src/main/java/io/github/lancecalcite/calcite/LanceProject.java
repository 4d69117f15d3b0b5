package io.github.lancecalcite.calcite;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;

/** A choice of columns on its way into a scan. Every expression is an input reference. */
final class LanceProject extends Project implements LanceRel {
  LanceProject(
      RelOptCluster cluster,
      RelTraitSet traits,
      RelNode input,
      List<? extends RexNode> projects,
      RelDataType rowType) {
    super(cluster, traits, ImmutableList.of(), input, projects, rowType, ImmutableSet.of());
  }

  /** Positions of the columns in the input. */
  List<Integer> positions() {
    List<Integer> positions = new ArrayList<>(getProjects().size());
    for (RexNode project : getProjects()) {
      positions.add(((RexInputRef) project).getIndex());
    }
    return positions;
  }

  @Override
  public Project copy(
      RelTraitSet traits, RelNode input, List<RexNode> projects, RelDataType rowType) {
    return new LanceProject(getCluster(), traits, input, projects, rowType);
  }

  @Override
  public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
    return planner.getCostFactory().makeInfiniteCost();
  }
}
