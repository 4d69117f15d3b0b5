package io.github.lancecalcite.interop;

import io.github.lancecalcite.dataset.BatchCursor;
import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.dataset.ScanColumn;
import io.github.lancecalcite.dataset.ScanRequest;
import io.github.lancecalcite.dataset.SystemColumn;
import io.github.lancecalcite.sqltests.ArrowCells;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;

/** Compares all rows and system columns of a dataset version as lance-core and as we read them. */
final class LanceCoreComparison {
  private static final List<SystemColumn> SYSTEM_COLUMNS =
      List.of(
          SystemColumn.ROW_ID,
          SystemColumn.ROW_ADDR,
          SystemColumn.ROW_CREATED_AT_VERSION,
          SystemColumn.ROW_LAST_UPDATED_AT_VERSION,
          SystemColumn.ROW_OFFSET);

  private int versions;
  private long rows;
  private long cells;

  /** What was found equal so far. */
  String report() {
    return String.format("%d versions equal, %,d rows, %,d cells compared", versions, rows, cells);
  }

  /**
   * @throws AssertionError at the first difference
   */
  void compare(org.lance.Dataset theirs, Dataset ours, int batchSize) throws Exception {
    List<String> names = new ArrayList<>();
    List<ScanColumn> columns = new ArrayList<>();
    for (Field field : theirs.getSchema().getFields()) {
      names.add(field.getName());
      columns.add(ours.column(field.getName()));
    }
    for (SystemColumn column : SYSTEM_COLUMNS) {
      names.add(column.columnName());
      columns.add(column);
    }
    List<@Nullable Object[]> expected = new ArrayList<>();
    ScanOptions options = new ScanOptions.Builder().columns(names).build();
    try (LanceScanner scanner = theirs.newScan(options);
        ArrowReader reader = scanner.scanBatches()) {
      while (reader.loadNextBatch()) {
        addRows(reader.getVectorSchemaRoot(), expected);
      }
    }
    List<@Nullable Object[]> actual = new ArrayList<>();
    try (BatchCursor cursor = ours.scan(ScanRequest.of(columns).withBatchSize(batchSize))) {
      while (cursor.next()) {
        addRows(cursor.batch(), actual);
      }
    }
    String where = "version " + ours.versionNumber() + ", batch size " + batchSize + ": ";
    check(expected.size(), actual.size(), where + "rows");
    for (int row = 0; row < expected.size(); row++) {
      for (int c = 0; c < names.size(); c++) {
        check(
            expected.get(row)[c],
            actual.get(row)[c],
            where + "row " + row + ", column " + names.get(c));
      }
    }
    check((long) expected.size(), ours.countRows(), where + "countRows");
    versions++;
    rows += expected.size();
    cells += (long) expected.size() * names.size();
  }

  private static void check(@Nullable Object expected, @Nullable Object actual, String where) {
    if (!Objects.equals(expected, actual)) {
      throw new AssertionError(where + ": lance-core has " + expected + ", we have " + actual);
    }
  }

  private static void addRows(VectorSchemaRoot batch, List<@Nullable Object[]> rows) {
    int columns = batch.getFieldVectors().size();
    for (int i = 0; i < batch.getRowCount(); i++) {
      @Nullable Object[] row = new Object[columns];
      for (int c = 0; c < columns; c++) {
        row[c] = ArrowCells.get(batch.getVector(c), i);
      }
      rows.add(row);
    }
  }
}
