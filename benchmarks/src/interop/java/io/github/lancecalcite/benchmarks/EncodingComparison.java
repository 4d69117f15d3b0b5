package io.github.lancecalcite.benchmarks;

import io.github.lancecalcite.dataset.BatchCursor;
import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.dataset.Fragment;
import io.github.lancecalcite.dataset.ScanRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.lance.WriteParams;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;

/**
 * Scans of one column per type and encoding: ours beside lance-core's on the same file, every value
 * consumed on both sides, and beside a plain copy of as many bytes as the vectors hold. With one
 * processor both sides have one thread; with more, ours takes one for each fragment and lance-core
 * takes what it likes.
 */
public final class EncodingComparison {
  private static final int BATCH = 8192;
  private static final int ROWS = 1_000_000;
  private static final int WIDE_ROWS = 50_000;
  private static final int FRAGMENTS = 4;

  private final Path tables;
  private final int threads = Runtime.getRuntime().availableProcessors();
  private final ExecutorService pool = Executors.newFixedThreadPool(threads);
  private final List<String> csv = new ArrayList<>();

  private EncodingComparison(Path tables) {
    this.tables = tables;
  }

  /**
   * Folder of the tables (filled where something is missing), file for the results as CSV (lines
   * are added when it exists), then names of columns; all of them when none is named.
   */
  public static void main(String[] args) throws Exception {
    EncodingComparison comparison = new EncodingComparison(Path.of(args[0]));
    List<String> names = List.of(args).subList(2, args.length);
    Path file = Path.of(args[1]);
    Files.createDirectories(file.toAbsolutePath().getParent());
    if (!Files.exists(file)) {
      Files.writeString(
          file,
          "column,version,threads,rows,lance_core_ms,ours_ms,ratio,goal,result,"
              + "million_values_per_s,gb_per_s,copy_gb_per_s,date,cores,java\n");
    }
    System.out.printf(
        Locale.ROOT,
        "%-28s %7s %13s %9s %7s %5s %-6s %9s %7s %9s%n",
        "column, data files",
        "threads",
        "lance-core ms",
        "ours ms",
        "ratio",
        "goal",
        "",
        "M val/s",
        "GB/s",
        "copy GB/s");
    try {
      for (String version : List.of("2.1", "2.2")) {
        for (EncodedColumn column : EncodedColumn.all()) {
          if (names.isEmpty() || names.contains(column.name())) {
            comparison.compare(column, version);
          }
        }
      }
    } finally {
      comparison.pool.shutdownNow();
    }
    Files.write(file, comparison.csv, java.nio.file.StandardOpenOption.APPEND);
  }

  private static int rows(EncodedColumn column) {
    return column.isWide() ? WIDE_ROWS : ROWS;
  }

  private Path write(EncodedColumn column, String version) throws IOException {
    Path table = tables.resolve(column.name() + "_" + version.replace(".", "") + ".lance");
    if (Files.isDirectory(table)) {
      return table;
    }
    Files.createDirectories(tables);
    Path unfinished = tables.resolve(table.getFileName() + ".unfinished");
    BenchmarkTables.delete(unfinished);
    WriteParams params =
        new WriteParams.Builder()
            .withMode(WriteParams.WriteMode.CREATE)
            .withMaxRowsPerFile(rows(column) / FRAGMENTS)
            .withDataStorageVersion(version)
            .build();
    try (BufferAllocator allocator = new RootAllocator();
        EncodedRows reader = new EncodedRows(allocator, column, rows(column));
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
      Data.exportArrayStream(allocator, reader, stream);
      org.lance.Dataset.create(allocator, stream, unfinished.toString(), params).close();
    }
    Files.move(unfinished, table);
    return table;
  }

  private void compare(EncodedColumn column, String version) throws Exception {
    Path table = write(column, version);
    try (BufferAllocator allocator = new RootAllocator();
        org.lance.Dataset theirs = org.lance.Dataset.open(table.toString(), allocator);
        Dataset ours = Dataset.open(table, allocator)) {
      ScanOptions options =
          new ScanOptions.Builder().columns(List.of(column.name())).batchSize(BATCH).build();
      ScanRequest request =
          ScanRequest.of(List.of(ours.column(column.name()))).withBatchSize(BATCH);
      Callable<ValueSums> their = () -> scan(theirs, options, allocator);
      Callable<ValueSums> our = () -> threads == 1 ? scan(ours, request) : parallel(ours, request);
      ValueSums expected = their.call();
      ValueSums actual = our.call();
      if (!expected.equals(actual)) {
        throw new IllegalStateException(
            column.name() + " " + version + ": lance-core " + expected + ", ours " + actual);
      }
      double[] ms = LanceCoreComparison.inTurn(their, our);
      double copyMs = copy(allocator, actual.bytes());
      print(column, version, ms, actual, copyMs);
    }
  }

  private static ValueSums scan(
      org.lance.Dataset dataset, ScanOptions options, BufferAllocator memory) throws Exception {
    ValueSums sums = new ValueSums();
    try (LanceScanner scanner = LanceScanner.create(dataset, options, memory);
        ArrowReader reader = scanner.scanBatches()) {
      while (reader.loadNextBatch()) {
        sums.add(reader.getVectorSchemaRoot());
      }
    }
    return sums;
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

  private ValueSums parallel(Dataset dataset, ScanRequest request) throws Exception {
    List<Future<ValueSums>> parts = new ArrayList<>();
    for (Fragment fragment : dataset.fragments()) {
      ScanRequest part = request.withFragments(List.of(fragment.id()));
      parts.add(pool.submit(() -> scan(dataset, part)));
    }
    ValueSums sums = new ValueSums();
    for (Future<ValueSums> part : parts) {
      sums.add(part.get());
    }
    return sums;
  }

  /** Milliseconds that a copy of so many bytes takes, batch by batch into the same memory. */
  private static double copy(BufferAllocator allocator, long bytes) throws Exception {
    long piece = Math.max(1, bytes / (ROWS / BATCH));
    try (ArrowBuf from = allocator.buffer(bytes);
        ArrowBuf to = allocator.buffer(piece)) {
      from.setZero(0, bytes);
      Callable<Long> copy =
          () -> {
            for (long done = 0; done + piece <= bytes; done += piece) {
              MemoryUtil.copyMemory(from.memoryAddress() + done, to.memoryAddress(), piece);
            }
            return to.getLong(0);
          };
      return LanceCoreComparison.inTurn(copy, copy)[1];
    }
  }

  private void print(
      EncodedColumn column, String version, double[] ms, ValueSums sums, double copyMs) {
    double ratio = ms[0] / ms[1];
    String result = ratio >= column.goal() ? "ok" : "below";
    double values = sums.values() / ms[1] / 1e3;
    double speed = sums.bytes() / ms[1] / 1e6;
    double copySpeed = sums.bytes() / copyMs / 1e6;
    System.out.printf(
        Locale.ROOT,
        "%-28s %7d %13.2f %9.2f %7.2f %5.1f %-6s %9.1f %7.2f %9.2f%n",
        column.name() + ", " + version,
        threads,
        ms[0],
        ms[1],
        ratio,
        column.goal(),
        result,
        values,
        speed,
        copySpeed);
    csv.add(
        String.format(
            Locale.ROOT,
            "%s,%s,%d,%d,%.3f,%.3f,%.2f,%.1f,%s,%.1f,%.2f,%.2f,%s",
            column.name(),
            version,
            threads,
            rows(column),
            ms[0],
            ms[1],
            ratio,
            column.goal(),
            result,
            values,
            speed,
            copySpeed,
            LanceCoreComparison.circumstances()));
  }
}
