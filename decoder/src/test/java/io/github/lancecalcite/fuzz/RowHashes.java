package io.github.lancecalcite.fuzz;

import io.github.lancecalcite.dataset.BatchCursor;
import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.dataset.FieldColumn;
import io.github.lancecalcite.dataset.ScanColumn;
import io.github.lancecalcite.dataset.ScanRequest;
import io.github.lancecalcite.dataset.SystemColumn;
import io.github.lancecalcite.format.SchemaField;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;

/**
 * What a scan gave: one hash per cell, by column name; of a system column the values themselves.
 */
final class RowHashes {
  private final Map<String, long[]> cells = new HashMap<>();
  private int rows;

  /** All stored columns and all system columns of a dataset. */
  static List<ScanColumn> columns(Dataset dataset) {
    List<ScanColumn> columns = new ArrayList<>(List.of(SystemColumn.values()));
    dataset.fields().forEach(field -> columns.add(new FieldColumn(field.id())));
    return columns;
  }

  static String name(Dataset dataset, ScanColumn column) {
    if (column instanceof SystemColumn system) {
      return system.columnName();
    }
    int id = ((FieldColumn) column).fieldId();
    for (SchemaField field : dataset.fields()) {
      if (field.id() == id) {
        return name(field);
      }
    }
    throw new AssertionError("no field " + id);
  }

  /** Stored columns may be called as system columns are; here they never are. */
  static String name(SchemaField field) {
    return "field " + field.id() + " " + field.name();
  }

  /** Reads until the end or {@code most} rows. */
  static RowHashes read(Dataset dataset, ScanRequest request, int most) throws IOException {
    RowHashes hashes = new RowHashes();
    List<String> names = request.columns().stream().map(column -> name(dataset, column)).toList();
    names.forEach(name -> hashes.cells.put(name, new long[64]));
    try (BatchCursor cursor = dataset.scan(request)) {
      while (hashes.rows < most && cursor.next()) {
        int count = cursor.batch().getRowCount();
        if (count < 1 || count > request.batchSize()) {
          throw new AssertionError("a batch of " + count + " rows");
        }
        for (int c = 0; c < names.size(); c++) {
          FieldVector vector = cursor.batch().getVector(c);
          if (vector.getValueCount() != count) {
            throw new AssertionError(vector.getValueCount() + " values in " + count + " rows");
          }
          hashes.add(names.get(c), vector, count);
        }
        hashes.rows += count;
      }
    }
    return hashes;
  }

  private void add(String name, FieldVector vector, int count) {
    long[] known = cells.get(name);
    if (known.length < rows + count) {
      known = Arrays.copyOf(known, Math.max(rows + count, known.length * 2));
      cells.put(name, known);
    }
    boolean system = name.startsWith("_");
    for (int i = 0; i < count; i++) {
      known[rows + i] = system ? ((UInt8Vector) vector).get(i) : CellHash.of(vector, i);
    }
  }

  int rows() {
    return rows;
  }

  Iterable<String> names() {
    return cells.keySet();
  }

  boolean has(String name) {
    return cells.containsKey(name);
  }

  long cell(String name, int row) {
    return cells.get(name)[row];
  }

  /** The row of each address. */
  Map<Long, Integer> byAddress() {
    Map<Long, Integer> places = new HashMap<>();
    for (int i = 0; i < rows; i++) {
      places.put(cell(SystemColumn.ROW_ADDR.columnName(), i), i);
    }
    return places;
  }

  /** The rows whose system column has this value, in order. */
  List<Integer> where(SystemColumn column, long value) {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      if (cell(column.columnName(), i) == value) {
        found.add(i);
      }
    }
    return found;
  }
}
