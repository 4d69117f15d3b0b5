package io.github.lancecalcite.calcite;

import io.github.lancecalcite.dataset.SystemColumn;
import io.github.lancecalcite.dataset.SystemPredicate;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/** Rules within our convention: each takes one node into the scan beneath it. */
final class FoldRules {
  private FoldRules() {}

  static final class FoldProject extends RelOptRule {
    FoldProject() {
      super(operand(LanceProject.class, operand(LanceScan.class, none())), "LanceFoldProjectRule");
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
      LanceProject project = call.rel(0);
      LanceScan scan = call.rel(1);
      call.transformTo(scan.project(project.positions()));
    }
  }

  /** Gives the scan what it can evaluate of a condition; the rest stays a filter above it. */
  static final class FoldFilter extends RelOptRule {
    FoldFilter() {
      super(operand(LanceFilter.class, operand(LanceScan.class, none())), "LanceFoldFilterRule");
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
      LanceFilter filter = call.rel(0);
      LanceScan scan = call.rel(1);
      if (scan.isLimited()) {
        return; // the condition applies to the rows the limit lets through
      }
      SystemPredicate taken = SystemPredicate.NONE;
      List<ScanTemplate.OpenCondition> open = new ArrayList<>();
      List<RexNode> rest = new ArrayList<>();
      List<RexNode> conjuncts = RelOptUtil.conjunctions(filter.getCondition());
      for (RexNode conjunct : conjuncts) {
        SystemConditions.OnColumn condition = SystemConditions.translate(conjunct);
        SystemColumn column = condition == null ? null : scan.systemColumn(condition.column());
        if (condition == null || column == null || column == SystemColumn.ROW_OFFSET) {
          rest.add(conjunct);
        } else if (condition.allowed() instanceof AllowedValues.Fixed known) {
          taken = taken.and(column, known.values());
        } else {
          open.add(new ScanTemplate.OpenCondition(column, condition.allowed()));
        }
      }
      if (rest.size() == conjuncts.size()) {
        return;
      }
      LanceScan restricted = scan.filter(taken, open);
      call.transformTo(
          rest.isEmpty()
              ? restricted
              : LogicalFilter.create(
                  restricted,
                  RexUtil.composeConjunction(filter.getCluster().getRexBuilder(), rest)));
    }
  }

  static final class FoldLimit extends RelOptRule {
    FoldLimit() {
      super(operand(LanceLimit.class, operand(LanceScan.class, none())), "LanceFoldLimitRule");
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
      LanceLimit limit = call.rel(0);
      LanceScan scan = call.rel(1);
      call.transformTo(scan.limit(limit.rows()));
    }
  }

  static final class FoldCount extends RelOptRule {
    FoldCount() {
      super(
          operand(LanceCountAggregate.class, operand(LanceScan.class, none())),
          "LanceFoldCountRule");
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
      LanceCountAggregate count = call.rel(0);
      LanceScan scan = call.rel(1);
      call.transformTo(new LanceCount(scan, count.getRowType()));
    }
  }
}
