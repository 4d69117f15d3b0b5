package io.github.lancecalcite.dataset;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;

/**
 * Scans all columns of a dataset, in a JVM of its own; says the rows and the most memory it had.
 */
final class MemoryScan {
  private MemoryScan() {}

  /** The folder. */
  public static void main(String[] args) throws Exception {
    try (RootAllocator allocator = new RootAllocator();
        Dataset dataset = Dataset.open(Path.of(args[0]), allocator)) {
      List<ScanColumn> columns = new ArrayList<>();
      dataset.fields().forEach(field -> columns.add(new FieldColumn(field.id())));
      columns.add(SystemColumn.ROW_ID);
      columns.add(SystemColumn.ROW_LAST_UPDATED_AT_VERSION);
      long rows = 0;
      try (BatchCursor cursor = dataset.scan(ScanRequest.of(columns))) {
        while (cursor.next()) {
          rows += cursor.batch().getRowCount();
        }
      }
      System.out.println(rows + " " + allocator.getPeakMemoryAllocation());
    }
  }
}
