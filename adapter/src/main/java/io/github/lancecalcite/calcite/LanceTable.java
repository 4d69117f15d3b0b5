package io.github.lancecalcite.calcite;

import com.google.common.collect.ImmutableList;
import io.github.lancecalcite.NotFoundException;
import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.DeletionFile;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.Statistic;
import org.apache.calcite.schema.Statistics;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a dataset version, or of one of its fragments. Opens the dataset when first asked for
 * columns and then stays with that version.
 */
public final class LanceTable extends AbstractTable implements TranslatableTable {
  private final LanceSource source;

  /** The one fragment to show, −1 for all. */
  private final long fragment;

  private @Nullable List<TableColumn> columns;

  /**
   * @param fragment id of the one fragment to show, −1 for all
   */
  LanceTable(LanceSource source, long fragment) {
    this.source = source;
    this.fragment = fragment;
  }

  LanceSource source() {
    return source;
  }

  /** What it shows, as a table name says it. */
  TableName name() {
    TableName name = source.name();
    TableName.Part part = fragment < 0 ? TableName.Part.ROWS : TableName.Part.FRAGMENT;
    return new TableName(name.dataset(), name.at(), part, fragment);
  }

  Dataset dataset() {
    return source.dataset();
  }

  /** Stored columns, then system columns. */
  synchronized List<TableColumn> columns() {
    if (columns == null) {
      checkFragment();
      columns = TableColumn.of(dataset().fields());
    }
    return columns;
  }

  /** The columns, then what is beneath the millisecond of times and timestamps that have it. */
  List<TableColumn> scanColumns() {
    List<TableColumn> all = new ArrayList<>(columns());
    for (TableColumn column : columns()) {
      if (column.isFine()) {
        all.add(column.fraction());
      }
    }
    return all;
  }

  /** Where {@link #scanColumns} has the fraction of a column; −1 for one that has none. */
  int fractionOf(int position) {
    List<TableColumn> columns = columns();
    if (position >= columns.size() || !columns.get(position).isFine()) {
      return -1;
    }
    int before = (int) columns.subList(0, position).stream().filter(TableColumn::isFine).count();
    return columns.size() + before;
  }

  private void checkFragment() {
    List<DataFragment> fragments = dataset().manifest().fragments();
    if (fragment < 0 || fragments.stream().anyMatch(f -> f.id() == fragment)) {
      return;
    }
    String ids =
        fragments.stream().map(f -> Long.toString(f.id())).collect(Collectors.joining(", "));
    throw LanceFailure.of(
        new NotFoundException(
            dataset().path(),
            "fragment " + fragment + " of version " + dataset().versionNumber(),
            ids.isEmpty() ? "it has no fragments" : "fragments " + ids));
  }

  /** Fragments to read: null for all. */
  @Nullable List<Long> fragmentIds() {
    return fragment < 0 ? null : List.of(fragment);
  }

  /** Whether a column of this name is a system column, which {@code *} leaves out. */
  boolean isHidden(String columnName) {
    for (TableColumn column : columns()) {
      if (column.name().equals(columnName)) {
        return column.isSystem();
      }
    }
    return false;
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory typeFactory) {
    RelDataTypeFactory.Builder row = typeFactory.builder();
    for (TableColumn column : columns()) {
      row.add(column.name(), column.type(typeFactory));
    }
    return row.build();
  }

  @Override
  public Statistic getStatistic() {
    return Statistics.of(estimatedRows(), ImmutableList.of());
  }

  /** Live rows as far as the manifest tells, without opening another file. */
  private double estimatedRows() {
    List<Long> wanted = fragmentIds();
    long rows = 0;
    for (DataFragment fragment : dataset().manifest().fragments()) {
      if (wanted == null || wanted.contains(fragment.id())) {
        DeletionFile deletions = fragment.deletionFile();
        rows += fragment.physicalRows() - (deletions == null ? 0 : deletions.numDeletedRows());
      }
    }
    return Math.max(rows, 0);
  }

  @Override
  public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable relOptTable) {
    return LanceScan.of(context.getCluster(), relOptTable, this);
  }
}
