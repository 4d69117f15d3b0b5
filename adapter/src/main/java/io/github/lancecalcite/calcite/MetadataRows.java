package io.github.lancecalcite.calcite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.MetaImpl;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.linq4j.Linq4j;
import org.jspecify.annotations.Nullable;

/** The rows that one call of {@link java.sql.DatabaseMetaData} answers with. */
final class MetadataRows {
  private final List<ColumnMetaData> columns = new ArrayList<>();
  private final List<@Nullable Object[]> rows = new ArrayList<>();

  private MetadataRows() {}

  /** No rows yet, of columns of these names, which hold text. */
  static MetadataRows texts(String... names) {
    return new MetadataRows().and(String.class, names);
  }

  /** The same with further columns. */
  MetadataRows and(Class<?> type, String... names) {
    for (String name : names) {
      columns.add(MetaImpl.columnMetaData(name, columns.size(), type, true));
    }
    return this;
  }

  /** Adds a row: a value for each column, in their order. */
  void add(@Nullable Object... values) {
    if (values.length != columns.size()) {
      throw new IllegalArgumentException(values.length + " values, " + columns.size() + " columns");
    }
    rows.add(values);
  }

  /** The answer, with a statement of its own that ends with it. */
  Meta.MetaResultSet on(AvaticaConnection connection) throws SQLException {
    Meta.CursorFactory arrays = Meta.CursorFactory.ARRAY;
    AvaticaStatement statement = connection.createStatement();
    CalcitePrepare.CalciteSignature<Object> signature =
        new CalcitePrepare.CalciteSignature<>(
            "",
            List.of(),
            Map.of(),
            null,
            columns,
            arrays,
            null,
            List.of(),
            -1,
            data -> Linq4j.asEnumerable(List.<Object>copyOf(rows)),
            Meta.StatementType.SELECT);
    return Meta.MetaResultSet.create(
        connection.id,
        statement.getId(),
        true,
        signature,
        new Meta.Frame(0, true, List.<Object>copyOf(rows)));
  }
}
