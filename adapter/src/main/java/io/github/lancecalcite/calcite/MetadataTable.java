package io.github.lancecalcite.calcite;

import io.github.lancecalcite.dataset.Dataset;
import java.io.IOException;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.impl.AbstractTable;
import org.jspecify.annotations.Nullable;

/** What a dataset says about itself, as a table. */
final class MetadataTable extends AbstractTable implements ScannableTable {
  private final LanceSource source;
  private final TableName.Part part;
  private final Definition definition;

  private MetadataTable(LanceSource source, TableName.Part part) {
    this.source = source;
    this.part = part;
    this.definition = definition(part);
  }

  LanceSource source() {
    return source;
  }

  /** What it shows, as a table name says it. */
  TableName name() {
    return new TableName(source.name().dataset(), source.name().at(), part, -1);
  }

  /** Columns of a metadata table and how its rows come about. */
  record Definition(List<MetadataColumn> columns, Rows rows) {}

  /** The rows of a metadata table: one array each, in the order of the columns. */
  interface Rows {
    List<@Nullable Object[]> of(Dataset dataset) throws IOException;
  }

  /**
   * The metadata table of a part.
   *
   * @param part one for which {@link TableName.Part#isMetadata} holds
   */
  static MetadataTable of(TableName.Part part, LanceSource source) {
    return new MetadataTable(source, part);
  }

  private static Definition definition(TableName.Part part) {
    return switch (part) {
      case VERSIONS -> HistoryTables.VERSIONS;
      case TRANSACTIONS -> HistoryTables.TRANSACTIONS;
      case TAGS -> HistoryTables.TAGS;
      case BRANCHES -> HistoryTables.BRANCHES;
      case FRAGMENTS -> StorageTables.FRAGMENTS;
      case FILES -> StorageTables.FILES;
      case COLUMNS -> ColumnsTable.COLUMNS;
      case INDICES -> IndicesTable.INDICES;
      case ROWID_SEGMENTS -> StorageTables.ROWID_SEGMENTS;
      case ROWS, FRAGMENT -> throw new IllegalArgumentException(part.toString());
    };
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory factory) {
    RelDataTypeFactory.Builder row = factory.builder();
    for (MetadataColumn column : definition.columns()) {
      row.add(column.name(), column.type(factory));
    }
    return row.build();
  }

  @Override
  public Schema.TableType getJdbcTableType() {
    return Schema.TableType.SYSTEM_TABLE;
  }

  @Override
  public Enumerable<@Nullable Object[]> scan(DataContext root) {
    try {
      return Linq4j.asEnumerable(definition.rows().of(source.dataset()));
    } catch (IOException e) {
      throw LanceFailure.of(e);
    }
  }
}
