package io.github.lancecalcite.calcite;

import io.github.lancecalcite.dataset.ScanRequest;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.linq4j.function.Function1;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;

/**
 * The number of rows of a scan, in one row. Answered from the dataset's metadata where the scan
 * takes all rows of a table; otherwise rows are counted without decoding a stored column.
 */
final class LanceCount extends AbstractRelNode implements LanceRel {
  private final LanceScan scan;

  LanceCount(LanceScan scan, RelDataType rowType) {
    super(scan.getCluster(), scan.getCluster().traitSetOf(CONVENTION));
    this.scan = scan.project(List.of());
    this.rowType = rowType;
  }

  @Override
  public Function1<DataContext, Enumerable<Object>> source() {
    LanceSource source = scan.lanceTable().source();
    ScanTemplate request = scan.request();
    int columns = getRowType().getFieldCount();
    return context ->
        Linq4j.singletonEnumerable(row(count(source, request.bind(context), context), columns));
  }

  private static Object row(long count, int columns) {
    if (columns == 1) {
      return count;
    }
    Object[] row = new Object[columns];
    Arrays.fill(row, count);
    return row;
  }

  private static long count(LanceSource source, ScanRequest request, DataContext context) {
    if (request.fragmentIds() == null && request.predicate().isTrue()) {
      try {
        long rows = source.dataset().countRows();
        return request.limit() < 0 ? rows : Math.min(rows, request.limit());
      } catch (IOException e) {
        throw LanceFailure.of(e);
      }
    }
    long rows = 0;
    try (OpenScan scan = source.scan(request)) {
      while (scan.next()) {
        CancelFlag.check(context);
        rows += scan.read(VectorSchemaRoot::getRowCount);
      }
    }
    return rows;
  }

  @Override
  public RelNode copy(RelTraitSet traitSet, List<RelNode> inputs) {
    return this;
  }

  @Override
  public double estimateRowCount(RelMetadataQuery mq) {
    return 1;
  }

  @Override
  public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
    return planner.getCostFactory().makeTinyCost();
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return scan.explainTerms(super.explainTerms(writer))
        .item("counts", getRowType().getFieldCount());
  }
}
