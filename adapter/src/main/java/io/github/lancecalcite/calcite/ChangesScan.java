package io.github.lancecalcite.calcite;

import com.google.common.collect.ImmutableList;
import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.dataset.ScanColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.function.Function1;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableBitSet;

/** A scan of changes that reads only the columns the statement needs. Immutable. */
final class ChangesScan extends TableScan implements LanceRel {
  private final ChangesTable changes;

  /** Positions of the columns in the table's row type, in output order. */
  private final List<Integer> columns;

  private ChangesScan(
      RelOptCluster cluster, RelOptTable table, ChangesTable changes, List<Integer> columns) {
    super(cluster, cluster.traitSetOf(CONVENTION), ImmutableList.of(), table);
    this.changes = changes;
    this.columns = List.copyOf(columns);
  }

  /** All columns. */
  static ChangesScan of(RelOptCluster cluster, RelOptTable table, ChangesTable changes) {
    List<Integer> all = IntStream.range(0, changes.columns().size()).boxed().toList();
    return new ChangesScan(cluster, table, changes, all);
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

  /** Called with the columns that the rest of the statement uses. */
  @Override
  public RelNode project(
      ImmutableBitSet fieldsUsed, Set<RelDataTypeField> extraFields, RelBuilder relBuilder) {
    if (!extraFields.isEmpty() || fieldsUsed.isEmpty()) {
      return super.project(fieldsUsed, extraFields, relBuilder);
    }
    List<Integer> chosen = new ArrayList<>();
    fieldsUsed.forEach(position -> chosen.add(columns.get(position)));
    return new ChangesScan(getCluster(), getTable(), changes, chosen);
  }

  @Override
  public RelDataType deriveRowType() {
    RelDataType all = getTable().getRowType();
    RelDataTypeFactory.Builder row = getCluster().getTypeFactory().builder();
    columns.forEach(position -> row.add(all.getFieldList().get(position)));
    return row.build();
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer)
        .item(
            "columns",
            columns.stream()
                .map(position -> changes.columns().get(position).name())
                .collect(Collectors.joining(", ", "[", "]")));
  }

  @Override
  public Function1<DataContext, Enumerable<Object>> source() {
    List<ScanColumn> scanned = new ArrayList<>();
    int[] vectors = new int[columns.size()];
    int own = Dataset.changeFields().size();
    for (int i = 0; i < vectors.length; i++) {
      ScanColumn column = changes.columns().get(columns.get(i)).scanned();
      vectors[i] = column == null ? columns.get(i) : own + scanned.size();
      if (column != null) {
        scanned.add(column);
      }
    }
    return context ->
        new AbstractEnumerable<Object>() {
          @Override
          public Enumerator<Object> enumerator() {
            return new BatchEnumerator(
                () -> changes.open(scanned), batch -> readers(batch, vectors), context);
          }
        };
  }

  private ValueReaders.ValueReader[] readers(VectorSchemaRoot batch, int[] vectors) {
    ValueReaders.ValueReader[] readers = new ValueReaders.ValueReader[vectors.length];
    for (int i = 0; i < readers.length; i++) {
      ChangesTable.Column column = changes.columns().get(columns.get(i));
      readers[i] =
          column.type() == null
              ? ValueReaders.system(batch.getVector(vectors[i]), column.name())
              : ValueReaders.of(batch.getVector(vectors[i]));
    }
    return readers;
  }
}
