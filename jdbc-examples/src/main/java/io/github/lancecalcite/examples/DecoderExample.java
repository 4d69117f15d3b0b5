package io.github.lancecalcite.examples;

import io.github.lancecalcite.dataset.BatchCursor;
import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.dataset.ScanColumn;
import io.github.lancecalcite.dataset.ScanRequest;
import io.github.lancecalcite.dataset.SystemColumn;
import io.github.lancecalcite.format.SchemaField;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Reads a dataset into Arrow vectors, without SQL.
 *
 * <p>Arguments: the dataset's folder, and optionally how many rows to show.
 */
public final class DecoderExample {
  private DecoderExample() {}

  /** Prints the versions, the schema and the first rows with their row ids and versions. */
  public static void main(String[] args) throws IOException {
    if (args.length < 1 || args.length > 2) {
      System.err.println("usage: DecoderExample DATASET [ROWS]");
      System.exit(2);
    }
    long rows = args.length == 2 ? Long.parseLong(args[1]) : 5;
    try (Dataset dataset = Dataset.open(args[0])) {
      show(dataset, rows, System.out);
    }
  }

  /** The cursor owns its batches: what is wanted longer must be copied before the next one. */
  static void show(Dataset dataset, long rows, PrintStream out) throws IOException {
    out.println(
        "version "
            + dataset.versionNumber()
            + " of "
            + dataset.versions().size()
            + " versions, "
            + dataset.countRows()
            + " rows in "
            + dataset.fragments().size()
            + " fragments");
    List<ScanColumn> columns = new ArrayList<>();
    columns.add(SystemColumn.ROW_ID);
    columns.add(SystemColumn.ROW_CREATED_AT_VERSION);
    columns.add(SystemColumn.ROW_LAST_UPDATED_AT_VERSION);
    for (SchemaField field : dataset.fields()) {
      columns.add(dataset.column(field.name()));
    }
    ScanRequest request = ScanRequest.of(columns).withLimit(rows);
    try (BatchCursor cursor = dataset.scan(request)) {
      cursor.schema().getFields().forEach(field -> out.println("  " + field));
      while (cursor.next()) {
        print(cursor.batch(), out);
      }
    }
  }

  private static void print(VectorSchemaRoot batch, PrintStream out) {
    for (int row = 0; row < batch.getRowCount(); row++) {
      StringBuilder line = new StringBuilder();
      for (FieldVector vector : batch.getFieldVectors()) {
        line.append(line.isEmpty() ? "" : "\t").append(vector.getObject(row));
      }
      out.println(line);
    }
  }
}
