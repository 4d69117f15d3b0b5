package io.github.lancecalcite.calcite;

import com.google.common.collect.ImmutableList;
import io.github.lancecalcite.ValueRanges;
import io.github.lancecalcite.dataset.ScanColumn;
import io.github.lancecalcite.dataset.ScanRequest;
import io.github.lancecalcite.dataset.SystemColumn;
import io.github.lancecalcite.dataset.SystemPredicate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.function.Function1;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlExplainLevel;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/** A scan of one table with everything that was pushed into it. Immutable. */
final class LanceScan extends TableScan implements LanceRel {
  private final LanceTable lanceTable;

  /** Positions of the columns in {@link LanceTable#scanColumns}, in output order. */
  private final List<Integer> columns;

  private final SystemPredicate predicate;

  /** Conditions that hold parameters. */
  private final List<ScanTemplate.OpenCondition> open;

  /** Greatest number of rows, −1 for all. */
  private final long limit;

  private LanceScan(
      RelOptCluster cluster,
      RelOptTable table,
      LanceTable lanceTable,
      List<Integer> columns,
      SystemPredicate predicate,
      List<ScanTemplate.OpenCondition> open,
      long limit) {
    super(cluster, cluster.traitSetOf(CONVENTION), ImmutableList.of(), table);
    this.lanceTable = lanceTable;
    this.columns = List.copyOf(columns);
    this.predicate = predicate;
    this.open = List.copyOf(open);
    this.limit = limit;
  }

  /** All columns and rows of a table. */
  static LanceScan of(RelOptCluster cluster, RelOptTable table, LanceTable lanceTable) {
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < lanceTable.columns().size(); i++) {
      all.add(i);
    }
    return new LanceScan(cluster, table, lanceTable, all, SystemPredicate.NONE, List.of(), -1);
  }

  /** This scan with only some of its columns, given by position in its output. */
  LanceScan project(List<Integer> positions) {
    List<Integer> chosen = new ArrayList<>(positions.size());
    for (int position : positions) {
      chosen.add(columns.get(position));
    }
    return new LanceScan(getCluster(), table, lanceTable, chosen, predicate, open, limit);
  }

  /**
   * Of output columns with digits beneath the millisecond, where {@link #withFractions} has them.
   */
  Map<Integer, Integer> fractions() {
    Map<Integer, Integer> positions = new LinkedHashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      if (lanceTable.fractionOf(columns.get(i)) >= 0) {
        positions.put(i, columns.size() + positions.size());
      }
    }
    return positions;
  }

  /** This scan with the nanoseconds after the millisecond of each column that has some, last. */
  LanceScan withFractions() {
    List<Integer> all = new ArrayList<>(columns);
    for (int position : fractions().keySet()) {
      all.add(lanceTable.fractionOf(columns.get(position)));
    }
    return new LanceScan(getCluster(), table, lanceTable, all, predicate, open, limit);
  }

  /** This scan with at most this many rows. */
  LanceScan limit(long rows) {
    long least = limit < 0 ? rows : Math.min(limit, rows);
    return new LanceScan(getCluster(), table, lanceTable, columns, predicate, open, least);
  }

  /** This scan with only the rows that satisfy further conditions; not on a limited scan. */
  LanceScan filter(SystemPredicate condition, List<ScanTemplate.OpenCondition> further) {
    SystemPredicate both = predicate;
    for (Map.Entry<SystemColumn, ValueRanges> entry : condition.allowed().entrySet()) {
      both = both.and(entry.getKey(), entry.getValue());
    }
    // a set, because planning may meet the same condition twice
    Set<ScanTemplate.OpenCondition> all = new LinkedHashSet<>(open);
    all.addAll(further);
    return new LanceScan(getCluster(), table, lanceTable, columns, both, List.copyOf(all), limit);
  }

  /** The system column at a position of the output, or null if a stored column is there. */
  @Nullable SystemColumn systemColumn(int position) {
    ScanColumn source = lanceTable.scanColumns().get(columns.get(position)).source();
    return source instanceof SystemColumn system ? system : null;
  }

  LanceTable lanceTable() {
    return lanceTable;
  }

  boolean isLimited() {
    return limit >= 0;
  }

  /** What the decoder is asked for. */
  ScanTemplate request() {
    Set<ScanColumn> sources = new LinkedHashSet<>(); // a column and its fraction are read once
    for (TableColumn column : outputColumns()) {
      sources.add(column.source());
    }
    ScanRequest request =
        ScanRequest.of(List.copyOf(sources))
            .withFragments(lanceTable.fragmentIds())
            .withPredicate(predicate)
            .withLimit(limit);
    // a small limit does not need full batches
    boolean small = limit > 0 && limit < request.batchSize();
    return new ScanTemplate(small ? request.withBatchSize((int) limit) : request, open);
  }

  private List<TableColumn> outputColumns() {
    return columns.stream().map(lanceTable.scanColumns()::get).toList();
  }

  @Override
  public Function1<DataContext, Enumerable<Object>> source() {
    LanceSource source = lanceTable.source();
    ScanTemplate request = request();
    List<TableColumn> output = outputColumns();
    return context -> new BatchEnumerable(source, request.bind(context), output, context);
  }

  @Override
  public RelDataType deriveRowType() {
    RelDataTypeFactory.Builder row = getCluster().getTypeFactory().builder();
    List<RelDataTypeField> fields = table.getRowType().getFieldList();
    // called by the constructor of a superclass at times, when nothing is projected yet
    for (int column : columns) {
      if (column < fields.size()) {
        row.add(fields.get(column));
      } else {
        TableColumn fraction = lanceTable.scanColumns().get(column);
        row.add(fraction.name(), fraction.type(getCluster().getTypeFactory()));
      }
    }
    return row.build();
  }

  @Override
  public RelNode copy(RelTraitSet traitSet, List<RelNode> inputs) {
    return this; // immutable, and there is one trait set it can have
  }

  @Override
  public void register(RelOptPlanner planner) {
    for (RelOptRule rule : LanceRules.ALL) {
      planner.addRule(rule);
    }
  }

  @Override
  public double estimateRowCount(RelMetadataQuery mq) {
    double rows = table.getRowCount();
    if (!predicate.isTrue() || !open.isEmpty()) {
      rows = Math.max(1, rows / 4);
    }
    return limit < 0 ? rows : Math.min(rows, limit);
  }

  /**
   * Volcano compares row counts only, so the price of a column is put there: a plan that reads
   * fewer or narrower columns wins.
   */
  @Override
  public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
    double width = 0.05;
    for (RelDataTypeField field : getRowType().getFieldList()) {
      RelDataType type = field.getType();
      boolean nested = type.isStruct() || SqlTypeUtil.isCollection(type);
      width += nested ? 0.5 : SqlTypeUtil.inCharOrBinaryFamilies(type) ? 0.2 : 0.1;
    }
    double cost = Math.max(estimateRowCount(mq), 1) * width;
    return planner.getCostFactory().makeCost(cost, cost, cost);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    List<Long> fragments = lanceTable.fragmentIds();
    String summary = isExplained(writer) && !predicate.isTrue() && open.isEmpty() ? reads() : null;
    return super.explainTerms(writer)
        .item("version", lanceTable.dataset().versionNumber())
        .item(
            "columns",
            outputColumns().stream()
                .map(TableColumn::name)
                .collect(Collectors.joining(", ", "[", "]")))
        .itemIf("fragments", fragments, fragments != null)
        .itemIf("predicate", condition(), !condition().isEmpty())
        .itemIf("reads", summary, summary != null)
        .itemIf("limit", limit, limit >= 0);
  }

  /** Whether a reader wants to see the terms; they also tell plans apart, which must be cheap. */
  private static boolean isExplained(RelWriter writer) {
    SqlExplainLevel level = writer.getDetailLevel();
    return level == SqlExplainLevel.EXPPLAN_ATTRIBUTES || level == SqlExplainLevel.ALL_ATTRIBUTES;
  }

  /** What the literal predicate leaves to read, from metadata. */
  private String reads() {
    try {
      return lanceTable.dataset().summarise(predicate, lanceTable.fragmentIds()).toString();
    } catch (IOException e) {
      return "unknown: " + e.getMessage(); // a plan is no place to fail; the scan will
    }
  }

  /** What the scan tests, as EXPLAIN shows it; empty when that is nothing. */
  private String condition() {
    List<String> all = new ArrayList<>();
    if (!predicate.isTrue()) {
      all.add(predicate.toString());
    }
    open.forEach(condition -> all.add(condition.toString()));
    return String.join(" and ", all);
  }
}
