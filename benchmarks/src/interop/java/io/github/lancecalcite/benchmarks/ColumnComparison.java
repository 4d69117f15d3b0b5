package io.github.lancecalcite.benchmarks;

import io.github.lancecalcite.dataset.BatchCursor;
import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.dataset.ScanColumn;
import io.github.lancecalcite.dataset.ScanRequest;
import io.github.lancecalcite.io.ChecksummedLayout;
import io.github.lancecalcite.io.Sealing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;

/**
 * Scans of stored columns, every value consumed: ours beside lance-core's on the same table, a
 * sealed dataset beside the plain one, and a string column with deletions beside a row-by-row copy.
 * One thread on our side; lance-core takes all that there are.
 */
public final class ColumnComparison {
  private static final int BATCH = 8192;
  private static final String PLAIN = "t1m_d0";
  private static final String HOLES = "t1m_holes17";
  private static final List<String> ALL = List.of("id", "k", "s", "x", "ts");

  private final Path tables;
  private final List<String> csv = new ArrayList<>();

  private ColumnComparison(Path tables) {
    this.tables = tables;
  }

  /** Folder of the tables (filled where something is missing), file for the results as CSV. */
  public static void main(String[] args) throws Exception {
    ColumnComparison comparison = new ColumnComparison(Path.of(args[0]));
    BenchmarkTables.write(comparison.tables, PLAIN);
    BenchmarkTables.write(comparison.tables, HOLES);
    comparison.csv.add("case,baseline_ms,ours_ms,ratio,goal,result,date,cores,java");
    System.out.printf(
        Locale.ROOT,
        "%-52s %12s %10s %8s %6s%n",
        "case",
        "baseline ms",
        "ours ms",
        "ratio",
        "goal");
    comparison.all();
    Path file = Path.of(args[1]);
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, comparison.csv);
  }

  private void all() throws Exception {
    lanceCore(List.of("id"), 3);
    lanceCore(List.of("k"), 3);
    lanceCore(List.of("x"), 3);
    lanceCore(List.of("ts"), 3);
    lanceCore(List.of("s"), 1.5);
    lanceCore(ALL, 2);
    sealed();
    deletions();
  }

  private Path table(String name) {
    return tables.resolve(name + ".lance");
  }

  private void lanceCore(List<String> columns, double goal) throws Exception {
    try (BufferAllocator allocator = new RootAllocator();
        org.lance.Dataset theirs = org.lance.Dataset.open(table(PLAIN).toString(), allocator);
        Dataset ours = Dataset.open(table(PLAIN), allocator)) {
      ScanOptions options = new ScanOptions.Builder().columns(columns).batchSize(BATCH).build();
      ScanRequest request = request(ours, columns);
      compare(
          "lance-core " + String.join(" ", columns),
          () -> {
            ValueSums sums = new ValueSums();
            try (LanceScanner scanner = LanceScanner.create(theirs, options, allocator);
                ArrowReader reader = scanner.scanBatches()) {
              while (reader.loadNextBatch()) {
                sums.add(reader.getVectorSchemaRoot());
              }
            }
            return sums;
          },
          () -> scan(ours, request),
          goal);
    }
  }

  private void sealed() throws Exception {
    Path copy = tables.resolve(PLAIN + ".sealed");
    if (!Files.isDirectory(copy)) {
      Sealing.seal(table(PLAIN), copy, ChecksummedLayout.DEFAULT, (bytes, ofBytes, file) -> {});
    }
    try (BufferAllocator allocator = new RootAllocator();
        Dataset plain = Dataset.open(table(PLAIN), allocator);
        Dataset sealed = Dataset.open(copy, allocator)) {
      compare(
          "five columns, plain / sealed",
          () -> scan(plain, request(plain, ALL)),
          () -> scan(sealed, request(sealed, ALL)),
          0.8);
    }
  }

  /** The strings that deletions leave: taken row by row out of the version before, and scanned. */
  private void deletions() throws Exception {
    try (BufferAllocator allocator = new RootAllocator();
        Dataset after = Dataset.open(table(HOLES), allocator);
        Dataset before = after.version(1)) {
      compare(
          "s without every 17th row, row by row / union",
          () -> rowByRow(before, allocator),
          () -> scan(after, request(after, List.of("s"))),
          1);
    }
  }

  private static ValueSums rowByRow(Dataset before, BufferAllocator allocator) throws IOException {
    ValueSums sums = new ValueSums();
    long id = 0;
    try (BatchCursor cursor = before.scan(request(before, List.of("s")))) {
      while (cursor.next()) {
        VarCharVector from = (VarCharVector) cursor.batch().getVector(0);
        try (VarCharVector to = new VarCharVector("s", allocator)) {
          int rows = 0;
          for (int i = 0; i < from.getValueCount(); i++) {
            if (id++ % 17 != 0) {
              to.copyFromSafe(i, rows++, from);
            }
          }
          to.setValueCount(rows);
          sums.add(VectorSchemaRoot.of(to));
        }
      }
    }
    return sums;
  }

  private static ScanRequest request(Dataset dataset, List<String> columns) {
    List<ScanColumn> scanned = new ArrayList<>();
    for (String column : columns) {
      scanned.add(dataset.column(column));
    }
    return ScanRequest.of(scanned).withBatchSize(BATCH);
  }

  private static ValueSums scan(Dataset dataset, ScanRequest request) throws IOException {
    ValueSums sums = new ValueSums();
    try (BatchCursor cursor = dataset.scan(request)) {
      while (cursor.next()) {
        sums.add(cursor.batch());
      }
    }
    return sums;
  }

  private void compare(
      String name, Callable<ValueSums> baseline, Callable<ValueSums> ours, double goal)
      throws Exception {
    ValueSums expected = baseline.call();
    ValueSums actual = ours.call();
    if (!expected.equals(actual)) {
      throw new IllegalStateException(name + ": baseline " + expected + ", ours " + actual);
    }
    double[] ms = LanceCoreComparison.inTurn(baseline, ours);
    double ratio = ms[0] / ms[1];
    String result = ratio >= goal ? "ok" : "below";
    System.out.printf(
        Locale.ROOT,
        "%-52s %12.2f %10.2f %8.2f %6.2f %s%n",
        name,
        ms[0],
        ms[1],
        ratio,
        goal,
        result);
    csv.add(
        String.format(
            Locale.ROOT,
            "\"%s\",%.3f,%.3f,%.2f,%.2f,%s,%s",
            name,
            ms[0],
            ms[1],
            ratio,
            goal,
            result,
            LanceCoreComparison.circumstances()));
  }
}
