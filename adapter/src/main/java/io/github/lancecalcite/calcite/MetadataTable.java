package io.github.lancecalcite.calcite;

import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.dataset.Fragment;
import io.github.lancecalcite.dataset.Version;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** What a dataset says about itself, as a table. */
final class MetadataTable extends AbstractTable implements ScannableTable {
  private final LanceSource source;
  private final List<Column> columns;
  private final Rows rows;

  private MetadataTable(LanceSource source, List<Column> columns, Rows rows) {
    this.source = source;
    this.columns = columns;
    this.rows = rows;
  }

  private record Column(String name, SqlTypeName type, boolean nullable) {
    Column(String name, SqlTypeName type) {
      this(name, type, false);
    }
  }

  private interface Rows {
    List<@Nullable Object[]> of(Dataset dataset) throws IOException;
  }

  /**
   * {@code t$versions}: one row per version, oldest first. {@code version}; {@code timestamp} of
   * the commit; {@code tags} that point at it, sorted; {@code rows}, live ones; {@code fragments},
   * their number.
   */
  static MetadataTable versions(LanceSource source) {
    return new MetadataTable(
        source,
        List.of(
            new Column("version", SqlTypeName.BIGINT),
            new Column("timestamp", SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, true),
            new Column("tags", SqlTypeName.ARRAY),
            new Column("rows", SqlTypeName.BIGINT),
            new Column("fragments", SqlTypeName.INTEGER)),
        dataset -> {
          List<@Nullable Object[]> rows = new ArrayList<>();
          for (Version version : dataset.versions()) {
            rows.add(
                new @Nullable Object[] {
                  version.version(),
                  millis(version.timestamp()),
                  version.tags(),
                  version.rows(),
                  version.fragments()
                });
          }
          return rows;
        });
  }

  /**
   * {@code t$fragments}: one row per fragment in scan order. {@code fragment_id}; {@code
   * physical_rows} in the data files; {@code deleted_rows} of them; {@code rows}, live ones; {@code
   * data_files} and {@code rowid_segments}, their numbers.
   */
  static MetadataTable fragments(LanceSource source) {
    return new MetadataTable(
        source,
        List.of(
            new Column("fragment_id", SqlTypeName.BIGINT),
            new Column("physical_rows", SqlTypeName.BIGINT),
            new Column("deleted_rows", SqlTypeName.BIGINT),
            new Column("rows", SqlTypeName.BIGINT),
            new Column("data_files", SqlTypeName.INTEGER),
            new Column("rowid_segments", SqlTypeName.INTEGER)),
        dataset -> {
          List<@Nullable Object[]> rows = new ArrayList<>();
          for (Fragment fragment : dataset.fragments()) {
            rows.add(
                new @Nullable Object[] {
                  fragment.id(),
                  fragment.physicalRows(),
                  fragment.deletedRows(),
                  fragment.liveRows(),
                  fragment.dataFiles(),
                  fragment.rowIdSegments()
                });
          }
          return rows;
        });
  }

  private static @Nullable Long millis(@Nullable Instant instant) {
    return instant == null ? null : instant.toEpochMilli();
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory factory) {
    RelDataTypeFactory.Builder row = factory.builder();
    for (Column column : columns) {
      row.add(column.name(), type(column.type(), factory)).nullable(column.nullable());
    }
    return row.build();
  }

  private static RelDataType type(SqlTypeName name, RelDataTypeFactory factory) {
    switch (name) {
      case ARRAY: // of text, the only kind there is here
        return factory.createArrayType(factory.createSqlType(SqlTypeName.VARCHAR), -1);
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
        return factory.createSqlType(name, 3);
      default:
        return factory.createSqlType(name);
    }
  }

  @Override
  public Schema.TableType getJdbcTableType() {
    return Schema.TableType.SYSTEM_TABLE;
  }

  @Override
  public Enumerable<@Nullable Object[]> scan(DataContext root) {
    try {
      return Linq4j.asEnumerable(rows.of(source.dataset()));
    } catch (IOException e) {
      throw LanceFailure.of(e);
    }
  }
}
