package io.github.lancecalcite.calcite;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableLimit;
import org.apache.calcite.adapter.enumerable.EnumerableRules;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/** How plans come into our convention, node by node, and how they leave it again. */
final class LanceRules {
  /** Registered with the planner of every statement that scans a Lance table. */
  static final List<RelOptRule> ALL =
      List.of(
          // into the convention
          new ProjectRule(),
          new NarrowRule(),
          new FilterRule(),
          new LimitRule(),
          new CountRule(),
          // within it
          new FoldRules.FoldProject(),
          new FoldRules.FoldFilter(),
          new FoldRules.FoldLimit(),
          new FoldRules.FoldCount(),
          // out of it
          new ToEnumerableRule(),
          // ORDER BY … LIMIT n keeps n rows instead of sorting all; off by default in Calcite
          EnumerableRules.ENUMERABLE_LIMIT_SORT_RULE);

  private LanceRules() {}

  private static RelTraitSet lance(RelNode rel) {
    return rel.getTraitSet().replace(LanceRel.CONVENTION);
  }

  /** A projection of plain, distinct column references. */
  private static final class ProjectRule extends RelOptRule {
    ProjectRule() {
      super(operand(LogicalProject.class, Convention.NONE, any()), "LanceProjectRule");
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
      LogicalProject project = call.rel(0);
      if (areDistinctColumns(project.getProjects())) {
        RelNode input = convert(project.getInput(), lance(project.getInput()));
        call.transformTo(
            new LanceProject(
                project.getCluster(),
                lance(project),
                input,
                project.getProjects(),
                project.getRowType()));
      }
    }
  }

  static boolean areDistinctColumns(List<RexNode> projects) {
    return projects.stream().allMatch(RexInputRef.class::isInstance)
        && new HashSet<>(projects).size() == projects.size();
  }

  /** A condition of which a scan might take something: one that compares a column. */
  private static final class FilterRule extends RelOptRule {
    FilterRule() {
      super(operand(LogicalFilter.class, Convention.NONE, any()), "LanceFilterRule");
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
      LogicalFilter filter = call.rel(0);
      if (RelOptUtil.conjunctions(filter.getCondition()).stream()
          .anyMatch(conjunct -> SystemConditions.translate(conjunct) != null)) {
        RelNode input = convert(filter.getInput(), lance(filter.getInput()));
        call.transformTo(
            new LanceFilter(filter.getCluster(), lance(filter), input, filter.getCondition()));
      }
    }
  }

  /**
   * LIMIT and OFFSET without ORDER BY, of literal size. The scan is asked for offset + fetch rows;
   * the offset itself is skipped above it.
   */
  private static final class LimitRule extends RelOptRule {
    LimitRule() {
      super(operand(LogicalSort.class, Convention.NONE, any()), "LanceLimitRule");
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
      LogicalSort sort = call.rel(0);
      long fetch = literal(sort.fetch);
      long offset = sort.offset == null ? 0 : literal(sort.offset);
      if (!sort.getCollation().getFieldCollations().isEmpty() || fetch < 0 || offset < 0) {
        return;
      }
      RelNode input = convert(sort.getInput(), lance(sort.getInput()));
      LanceLimit limit =
          new LanceLimit(sort.getCluster(), input.getTraitSet(), input, offset + fetch);
      if (offset == 0) {
        call.transformTo(limit);
      } else {
        RelNode rows = convert(limit, limit.getTraitSet().replace(EnumerableConvention.INSTANCE));
        call.transformTo(EnumerableLimit.create(rows, sort.offset, sort.fetch));
      }
    }

    /** The value of a row count literal, −1 for anything else. */
    private static long literal(@Nullable RexNode node) {
      if (!(node instanceof RexLiteral)) {
        return -1;
      }
      Number value = ((RexLiteral) node).getValueAs(Number.class);
      return value == null || value.longValue() > Integer.MAX_VALUE ? -1 : value.longValue();
    }
  }

  /** {@code COUNT(*)}, once or several times, without GROUP BY. */
  private static final class CountRule extends RelOptRule {
    CountRule() {
      super(operand(LogicalAggregate.class, Convention.NONE, any()), "LanceCountRule");
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
      LogicalAggregate aggregate = call.rel(0);
      if (aggregate.getGroupCount() == 0
          && aggregate.getGroupSets().size() == 1
          && !aggregate.getAggCallList().isEmpty()
          && aggregate.getAggCallList().stream().allMatch(CountRule::isCountOfRows)) {
        RelNode input = convert(aggregate.getInput(), lance(aggregate.getInput()));
        call.transformTo(
            new LanceCountAggregate(
                aggregate.getCluster(), lance(aggregate), input, aggregate.getRowType()));
      }
    }

    private static boolean isCountOfRows(AggregateCall count) {
      return count.getAggregation().getKind() == SqlKind.COUNT
          && count.getArgList().isEmpty()
          && !count.isDistinct()
          && !count.hasFilter();
    }
  }

  /** Puts a choice of the needed columns beneath expressions that do not need all. */
  private static final class NarrowRule extends RelOptRule {
    NarrowRule() {
      super(operand(LogicalProject.class, Convention.NONE, any()), "LanceNarrowRule");
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
      LogicalProject project = call.rel(0);
      RelNode input = project.getInput();
      if (areDistinctColumns(project.getProjects()) || project.containsOver()) {
        return;
      }
      ImmutableBitSet used = RelOptUtil.InputFinder.bits(project.getProjects(), null);
      if (used.cardinality() == input.getRowType().getFieldCount()) {
        return;
      }
      List<Integer> positions = used.asList();
      RelNode rows = convert(input, lance(input));
      LanceProject chosen =
          new LanceProject(
              project.getCluster(),
              rows.getTraitSet(),
              rows,
              positions.stream().map(i -> RexInputRef.of(i, input.getRowType())).toList(),
              chosenType(project, positions));
      call.transformTo(
          LogicalProject.create(
              chosen,
              project.getHints(),
              shift(project.getProjects(), positions),
              project.getRowType(),
              project.getVariablesSet()));
    }

    private static RelDataType chosenType(LogicalProject project, List<Integer> positions) {
      RelDataTypeFactory.Builder type = project.getCluster().getTypeFactory().builder();
      positions.forEach(i -> type.add(project.getInput().getRowType().getFieldList().get(i)));
      return type.build();
    }

    private static List<RexNode> shift(List<RexNode> projects, List<Integer> positions) {
      RexShuttle shuttle =
          new RexShuttle() {
            @Override
            public RexNode visitInputRef(RexInputRef ref) {
              return new RexInputRef(positions.indexOf(ref.getIndex()), ref.getType());
            }
          };
      List<RexNode> shifted = new ArrayList<>(projects.size());
      for (RexNode project : projects) {
        shifted.add(project.accept(shuttle));
      }
      return shifted;
    }
  }

  private static final class ToEnumerableRule extends RelOptRule {
    ToEnumerableRule() {
      super(operand(LanceRel.class, LanceRel.CONVENTION, any()), "LanceToEnumerableRule");
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
      call.transformTo(new LanceToEnumerable(call.rel(0)));
    }
  }
}
