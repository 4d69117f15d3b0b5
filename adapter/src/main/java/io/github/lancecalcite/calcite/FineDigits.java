package io.github.lancecalcite.calcite;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * Takes the digits of times and timestamps beneath the millisecond, for which Calcite's runtime has
 * no room, through a plan: beside each column that has some walks a second one with the nanoseconds
 * after its millisecond. Columns that a statement gives as they are stored get theirs back in the
 * end; comparisons and sorting look at both. Groups are told apart by both. What computes with a
 * column, MIN and MAX included, sees its milliseconds. See docs/adr/0017.
 */
final class FineDigits {
  private final RexBuilder builder;

  private FineDigits(RexBuilder builder) {
    this.builder = builder;
  }

  /**
   * A plan whose extra output columns follow the statement's own.
   *
   * @param fractions of the statement's columns, by position, the positions of their second ones
   */
  record Widened(RelRoot root, Map<Integer, Integer> fractions) {}

  /** The plan, itself if there is nothing finer than a millisecond in it. */
  static Widened widen(RelRoot root) {
    FineDigits digits = new FineDigits(root.rel.getCluster().getRexBuilder());
    Carried carried = digits.carry(root.rel);
    Map<Integer, Integer> fractions = new LinkedHashMap<>();
    List<Map.Entry<Integer, String>> fields = new ArrayList<>();
    RelDataTypeFactory.Builder type = root.rel.getCluster().getTypeFactory().builder();
    type.addAll(root.validatedRowType.getFieldList());
    root.fields.forEach((position, name) -> fields.add(Map.entry(position, name)));
    for (int i = 0; i < root.fields.size(); i++) {
      Integer fraction = carried.fractions.get(root.fields.leftList().get(i));
      if (fraction != null) {
        RelDataTypeField field = carried.rel.getRowType().getFieldList().get(fraction);
        fractions.put(i, fields.size());
        fields.add(Map.entry(fraction, field.getName()));
        type.add(field);
      }
    }
    if (fractions.isEmpty() && !carried.changed) {
      return new Widened(root, Map.of());
    }
    // with the old one, the planner would sort again by milliseconds alone
    RelCollation collation =
        carried.rel instanceof LogicalSort sort ? sort.getCollation() : root.collation;
    return new Widened(
        new RelRoot(carried.rel, type.build(), root.kind, fields, collation, root.hints),
        fractions);
  }

  /**
   * A node whose first columns are those of the original.
   *
   * @param fractions of those, by position, the positions of their second columns
   * @param changed whether something beneath compares or sorts by second columns
   */
  private record Carried(RelNode rel, Map<Integer, Integer> fractions, boolean changed) {}

  private Carried carry(RelNode rel) {
    if (rel instanceof LanceScan scan) {
      return scan(scan);
    }
    if (rel instanceof LogicalProject project && isPlain(project.getProjects())) {
      return project(project);
    }
    if (rel instanceof LogicalFilter filter && isPlain(List.of(filter.getCondition()))) {
      return filter(filter);
    }
    if (rel instanceof LogicalSort sort) {
      return sort(sort);
    }
    if (rel instanceof LogicalJoin join && isPlain(List.of(join.getCondition()))) {
      return join(join);
    }
    if (rel instanceof LogicalAggregate aggregate
        && aggregate.getGroupType() == Aggregate.Group.SIMPLE) {
      return aggregate(aggregate);
    }
    return rel instanceof SetOp set ? setOperation(set) : narrow(rel);
  }

  /** A subquery may mean a row by its type, which must not change then. */
  private static boolean isPlain(List<RexNode> expressions) {
    for (RexNode expression : expressions) {
      RexSubQuery subQuery = RexUtil.SubQueryFinder.find(expression);
      if (RexUtil.containsCorrelation(expression)
          || (subQuery != null && !RelOptUtil.getVariablesUsed(subQuery.rel).isEmpty())) {
        return false;
      }
    }
    return true;
  }

  private static Carried scan(LanceScan scan) {
    Map<Integer, Integer> fractions = scan.fractions();
    return fractions.isEmpty()
        ? new Carried(scan, Map.of(), false)
        : new Carried(scan.withFractions(), fractions, false);
  }

  /** Any other node, on inputs as wide as they were. */
  private Carried narrow(RelNode rel) {
    List<RelNode> inputs = new ArrayList<>();
    boolean changed = false;
    for (RelNode input : rel.getInputs()) {
      Carried carried = carry(input);
      changed |= carried.changed;
      inputs.add(carried.changed ? asWideAs(input, carried.rel) : input);
    }
    return new Carried(changed ? rel.copy(rel.getTraitSet(), inputs) : rel, Map.of(), changed);
  }

  private static RelNode asWideAs(RelNode original, RelNode rel) {
    int width = original.getRowType().getFieldCount();
    if (rel.getRowType().getFieldCount() == width) {
      return rel;
    }
    List<RexNode> first = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      first.add(RexInputRef.of(i, rel.getRowType()));
    }
    return LogicalProject.create(
        rel, List.of(), first, original.getRowType().getFieldNames(), java.util.Set.of());
  }

  private Carried project(LogicalProject project) {
    Carried input = carry(project.getInput());
    if (input.fractions.isEmpty()) {
      return input.changed
          ? new Carried(project.copy(project.getTraitSet(), List.of(input.rel)), Map.of(), true)
          : new Carried(project, Map.of(), false);
    }
    Exact exact = new Exact(input.rel.getRowType(), input.fractions);
    List<RexNode> projects = new ArrayList<>(exact.visitList(project.getProjects()));
    List<String> names = new ArrayList<>(project.getRowType().getFieldNames());
    Map<Integer, Integer> fractions = new LinkedHashMap<>();
    for (int i = 0; i < project.getProjects().size(); i++) {
      if (project.getProjects().get(i) instanceof RexInputRef ref
          && input.fractions.containsKey(ref.getIndex())) {
        int fraction = input.fractions.get(ref.getIndex());
        fractions.put(i, projects.size());
        projects.add(RexInputRef.of(fraction, input.rel.getRowType()));
        names.add(input.rel.getRowType().getFieldNames().get(fraction));
      }
    }
    return new Carried(
        LogicalProject.create(
            input.rel, project.getHints(), projects, names, project.getVariablesSet()),
        fractions,
        input.changed || exact.changed);
  }

  private Carried filter(LogicalFilter filter) {
    Carried input = carry(filter.getInput());
    Exact exact = new Exact(input.rel.getRowType(), input.fractions);
    RexNode condition = filter.getCondition().accept(exact);
    return new Carried(
        LogicalFilter.create(input.rel, condition),
        input.fractions,
        input.changed || exact.changed);
  }

  /** Rows that are equal to the millisecond are sorted by what follows it. */
  private Carried sort(LogicalSort sort) {
    Carried input = carry(sort.getInput());
    List<RelFieldCollation> keys = new ArrayList<>();
    boolean changed = input.changed;
    for (RelFieldCollation key : sort.getCollation().getFieldCollations()) {
      keys.add(key);
      Integer fraction = input.fractions.get(key.getFieldIndex());
      if (fraction != null) {
        keys.add(key.withFieldIndex(fraction));
        changed = true;
      }
    }
    RelCollation collation = RelCollations.of(keys);
    return new Carried(
        LogicalSort.create(input.rel, collation, sort.offset, sort.fetch),
        input.fractions,
        changed);
  }

  /** A column has second values if one of the inputs has; those of the others are 0. */
  private Carried setOperation(SetOp set) {
    List<Carried> inputs = set.getInputs().stream().map(this::carry).toList();
    int width = set.getRowType().getFieldCount();
    Map<Integer, Integer> fractions = new LinkedHashMap<>();
    for (int i = 0; i < width; i++) {
      int column = i;
      if (inputs.stream().anyMatch(input -> input.fractions.containsKey(column))) {
        fractions.put(column, width + fractions.size());
      }
    }
    if (fractions.isEmpty()) {
      return narrow(set);
    }
    List<RelNode> wide = new ArrayList<>();
    for (Carried input : inputs) {
      List<RexNode> projects = new ArrayList<>();
      List<String> names = new ArrayList<>(set.getRowType().getFieldNames());
      for (int i = 0; i < width; i++) {
        projects.add(RexInputRef.of(i, input.rel.getRowType()));
      }
      for (int column : fractions.keySet()) {
        Integer fraction = input.fractions.get(column);
        names.add(names.get(column) + " (after the millisecond)");
        projects.add(
            fraction == null
                ? builder.makeExactLiteral(BigDecimal.ZERO)
                : RexInputRef.of(fraction, input.rel.getRowType()));
      }
      wide.add(LogicalProject.create(input.rel, List.of(), projects, names, java.util.Set.of()));
    }
    return new Carried(set.copy(set.getTraitSet(), wide, set.all), fractions, true);
  }

  /** Groups, and rows of DISTINCT, are told apart by all digits. */
  private Carried aggregate(LogicalAggregate aggregate) {
    Carried input = carry(aggregate.getInput());
    List<Integer> fine =
        aggregate.getGroupSet().asList().stream().filter(input.fractions::containsKey).toList();
    if (fine.isEmpty()) {
      return narrow(aggregate);
    }
    ImmutableBitSet keys =
        aggregate
            .getGroupSet()
            .union(ImmutableBitSet.of(fine.stream().map(input.fractions::get).toList()));
    LogicalAggregate grouped =
        LogicalAggregate.create(
            input.rel, aggregate.getHints(), keys, null, aggregate.getAggCallList());
    // the columns of the original first, then second ones
    List<RexNode> projects = new ArrayList<>();
    List<String> names = new ArrayList<>(aggregate.getRowType().getFieldNames());
    int added = keys.cardinality() - aggregate.getGroupCount();
    for (int i = 0; i < names.size(); i++) {
      int position = i < aggregate.getGroupCount() ? i : i + added;
      projects.add(RexInputRef.of(position, grouped.getRowType()));
    }
    Map<Integer, Integer> fractions = new LinkedHashMap<>();
    for (int key : fine) {
      int fraction = keys.indexOf(Objects.requireNonNull(input.fractions.get(key)));
      fractions.put(aggregate.getGroupSet().indexOf(key), projects.size());
      projects.add(RexInputRef.of(fraction, grouped.getRowType()));
      names.add(grouped.getRowType().getFieldNames().get(fraction));
    }
    return new Carried(
        LogicalProject.create(grouped, List.of(), projects, names, java.util.Set.of()),
        fractions,
        true);
  }

  private Carried join(LogicalJoin join) {
    Carried left = carry(join.getLeft());
    Carried right = carry(join.getRight());
    if (left.fractions.isEmpty() && right.fractions.isEmpty()) {
      return left.changed || right.changed
          ? new Carried(join.copy(join.getTraitSet(), List.of(left.rel, right.rel)), Map.of(), true)
          : new Carried(join, Map.of(), false);
    }
    int leftWidth = join.getLeft().getRowType().getFieldCount();
    int rightWidth = join.getRight().getRowType().getFieldCount();
    int wideLeft = left.rel.getRowType().getFieldCount();
    int wideRight = right.rel.getRowType().getFieldCount();
    RelDataType wide =
        builder
            .getTypeFactory()
            .builder()
            .addAll(left.rel.getRowType().getFieldList())
            .addAll(right.rel.getRowType().getFieldList())
            .build();
    Map<Integer, Integer> fractions = new LinkedHashMap<>(left.fractions);
    right.fractions.forEach((of, fraction) -> fractions.put(wideLeft + of, wideLeft + fraction));
    Exact exact = new Exact(wide, fractions);
    RexNode condition =
        RexUtil.shift(join.getCondition(), leftWidth, wideLeft - leftWidth).accept(exact);
    LogicalJoin joined =
        LogicalJoin.create(
            left.rel,
            right.rel,
            join.getHints(),
            condition,
            join.getVariablesSet(),
            join.getJoinType());
    boolean changed = left.changed || right.changed || exact.changed;
    if (!join.getJoinType().projectsRight()) {
      return new Carried(joined, left.fractions, changed);
    }
    // the columns of the original first, then all second ones
    List<RexNode> projects = new ArrayList<>();
    List<String> names = new ArrayList<>(join.getRowType().getFieldNames());
    RelDataType type = joined.getRowType();
    for (int i = 0; i < leftWidth; i++) {
      projects.add(RexInputRef.of(i, type));
    }
    for (int i = 0; i < rightWidth; i++) {
      projects.add(RexInputRef.of(wideLeft + i, type));
    }
    Map<Integer, Integer> after = new LinkedHashMap<>();
    for (Map.Entry<Integer, Integer> entry : fractions.entrySet()) {
      int of = entry.getKey();
      after.put(of < wideLeft ? of : of - wideLeft + leftWidth, projects.size());
      projects.add(RexInputRef.of(entry.getValue(), type));
      names.add(type.getFieldNames().get(entry.getValue()));
    }
    assert wideLeft + wideRight == type.getFieldCount();
    return new Carried(
        LogicalProject.create(joined, List.of(), projects, names, java.util.Set.of()),
        after,
        changed);
  }

  /** Comparisons of a column that has finer digits, by those too. */
  private final class Exact extends RexShuttle {
    private final RelDataType row;
    private final Map<Integer, Integer> fractions;
    private boolean changed;

    Exact(RelDataType row, Map<Integer, Integer> fractions) {
      this.row = row;
      this.fractions = fractions;
    }

    @Override
    public RexNode visitCall(RexCall call) {
      if (call.getKind() == SqlKind.SEARCH && isTemporal(call.getOperands().get(0))) {
        boolean before = changed;
        changed = false;
        RexNode expanded = RexUtil.expandSearch(builder, null, call).accept(this);
        RexNode result = changed ? expanded : call;
        changed |= before;
        return result;
      }
      if (call.getOperands().stream().noneMatch(this::isFine)) {
        return super.visitCall(call);
      }
      if (call.getOperands().size() != 2 || !FineComparison.isOne(call.getKind())) {
        return super.visitCall(call);
      }
      FineComparison.Side left = pair(call.getOperands().get(0));
      FineComparison.Side right = pair(call.getOperands().get(1));
      if (left == null || right == null) {
        return super.visitCall(call); // with a value computed in milliseconds
      }
      changed = true;
      return FineComparison.of(builder, call.getKind(), left, right);
    }

    @Override
    public RexNode visitSubQuery(RexSubQuery subQuery) {
      RexNode visited = super.visitSubQuery(subQuery);
      Carried inner = carry(subQuery.rel);
      if (!inner.changed || !(visited instanceof RexSubQuery same)) {
        return visited;
      }
      changed = true;
      return same.clone(asWideAs(subQuery.rel, inner.rel));
    }

    private boolean isTemporal(RexNode node) {
      return node.getType().getSqlTypeName() == SqlTypeName.TIME
          || SqlTypeUtil.isTimestamp(node.getType());
    }

    /**
     * Whether it is a column with finer digits, perhaps cast to a type that has more of them, or a
     * literal that has some.
     */
    private boolean isFine(RexNode node) {
      RexNode stripped = stripped(node);
      return stripped instanceof RexInputRef ref && fractions.containsKey(ref.getIndex())
          || FineComparison.isFine(stripped);
    }

    private RexNode stripped(RexNode node) {
      if (node.getKind() != SqlKind.CAST) {
        return node;
      }
      RexNode inner = ((RexCall) node).getOperands().get(0);
      RelDataType from = inner.getType();
      RelDataType to = node.getType();
      return from.getSqlTypeName() == to.getSqlTypeName()
              && to.getPrecision() >= from.getPrecision()
          ? stripped(inner)
          : node;
    }

    /** A column, literal or parameter in two parts; null for what is computed. */
    private FineComparison.@Nullable Side pair(RexNode node) {
      RexNode stripped = stripped(node);
      if (stripped instanceof RexInputRef ref) {
        Integer fraction = fractions.get(ref.getIndex());
        if (fraction != null) {
          return new FineComparison.Side(stripped, RexInputRef.of(fraction, row));
        }
        return ref.getType().getPrecision() > LanceTypes.MILLI_DIGITS ? null : whole(stripped);
      }
      return stripped instanceof RexDynamicParam
          ? whole(node)
          : FineComparison.literal(builder, stripped);
    }

    private FineComparison.Side whole(RexNode millis) {
      return new FineComparison.Side(millis, builder.makeExactLiteral(BigDecimal.ZERO));
    }
  }
}
