package io.github.lancecalcite.calcite;

import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.dataset.FieldColumn;
import io.github.lancecalcite.dataset.ScanColumn;
import io.github.lancecalcite.dataset.SystemColumn;
import io.github.lancecalcite.format.SchemaField;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.jspecify.annotations.Nullable;

/**
 * What {@code lance_changes} gives: three columns about the change, {@code _rowid}, the columns of
 * the table as of the last version of the range.
 */
final class ChangesTable extends AbstractTable implements TranslatableTable {
  private final LanceSource source;
  private final long from;
  private final long to;
  private final List<Column> columns = new ArrayList<>();

  /**
   * A column.
   *
   * @param type its Arrow field, null for {@code _rowid}
   * @param scanned what to ask the decoder for, null for a column about the change
   */
  record Column(String name, @Nullable Field type, @Nullable ScanColumn scanned) {}

  /**
   * @throws LanceException if there is no version {@code to}
   */
  ChangesTable(LanceSource source, long from, long to) {
    this.source = source;
    this.from = from;
    this.to = to;
    for (Field field : Dataset.changeFields()) {
      columns.add(new Column(field.getName(), field, null));
    }
    columns.add(new Column(SystemColumn.ROW_ID.columnName(), null, SystemColumn.ROW_ID));
    Set<String> taken = new HashSet<>();
    columns.forEach(column -> taken.add(column.name()));
    try (Dataset last = source.dataset().version(to)) {
      for (SchemaField field : last.fields()) {
        if (!taken.add(field.name())) {
          throw LanceFailure.unsupportedSql(
              "lance_changes cannot show the stored column " + field.name() + " beside its own");
        }
      }
      for (TableColumn column : TableColumn.of(last.fields())) {
        if (column.source() instanceof FieldColumn stored) {
          columns.add(new Column(column.name(), column.field(), stored));
        }
      }
    } catch (IOException e) {
      throw LanceFailure.of(e);
    }
  }

  List<Column> columns() {
    return columns;
  }

  /** Starts a scan; its batches have the columns about the change, then these. */
  OpenScan open(List<ScanColumn> scanned) {
    return source.changes(from, to, scanned);
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory factory) {
    RelDataTypeFactory.Builder row = factory.builder();
    for (Column column : columns) {
      Field type = column.type();
      row.add(
          column.name(), type == null ? LanceTypes.system(factory) : LanceTypes.of(type, factory));
    }
    return row.build();
  }

  @Override
  public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable table) {
    return ChangesScan.of(context.getCluster(), table, this);
  }
}
