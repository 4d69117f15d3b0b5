package io.github.lancecalcite.benchmarks;

import io.github.lancecalcite.ValueRanges;
import io.github.lancecalcite.dataset.BatchCursor;
import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.dataset.ScanColumn;
import io.github.lancecalcite.dataset.ScanRequest;
import io.github.lancecalcite.dataset.SystemColumn;
import io.github.lancecalcite.dataset.SystemPredicate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;

/**
 * Whole scans, lance-core's scanner and ours in turn in one JVM: the same table, columns and batch
 * size, every value summed on both sides from the Arrow vectors by the same code. A case whose
 * counts or sums differ stops the run.
 */
public final class LanceCoreComparison {
  private static final int ROUNDS = 9;
  private static final long WARM_UP_NANOS = 2_000_000_000;
  private static final long ROUND_NANOS = 60_000_000;

  /** A lance-core scan slower than this is measured twice and its better time taken. */
  private static final long SLOW_NANOS = 3_000_000_000L;

  private static final long FIRST_ID = 500_000;
  private static final String ROW_ID = "_rowid";
  private static final List<String> SYSTEM =
      List.of("_rowid", "_rowaddr", "_row_created_at_version", "_row_last_updated_at_version");
  private static final List<String> PAYLOAD = new ArrayList<>(SYSTEM);

  static {
    PAYLOAD.add("x");
  }

  private final Path tables;
  private final List<String> csv = new ArrayList<>();

  private LanceCoreComparison(Path tables) {
    this.tables = tables;
  }

  /** Folder of the tables (filled where something is missing), file for the results as CSV. */
  public static void main(String[] args) throws Exception {
    LanceCoreComparison comparison = new LanceCoreComparison(Path.of(args[0]));
    for (String name : BenchmarkTables.NAMES) {
      BenchmarkTables.write(comparison.tables, name);
    }
    comparison.csv.add(
        "table,columns,batch,rows,lance_core_ms,ours_ms,ratio,goal,result,date,cores,java");
    System.out.printf(
        Locale.ROOT,
        "%-44s %12s %10s %10s %7s%n",
        "case",
        "lance-core ms",
        "ours ms",
        "ratio",
        "goal");
    comparison.all();
    Path file = Path.of(args[1]);
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, comparison.csv);
  }

  private void all() throws Exception {
    for (int batch : new int[] {8192, 1024}) {
      int goal = batch == 8192 ? 5 : 10;
      compare("t1m_d0", List.of(ROW_ID), batch, false, goal);
      compare("t1m_d1", List.of(ROW_ID), batch, false, goal);
      compare("t1m_d6", List.of(ROW_ID), batch, false, 1000);
      compare("t1m_d50", List.of(ROW_ID), batch, false, 1000);
    }
    compare("t1m_d0", SYSTEM, 8192, false, 5);
    compare("t1m_d1", SYSTEM, 8192, false, 5);
    compare("t1m_d0", PAYLOAD, 8192, false, 0);
    compare("t1m_d1", PAYLOAD, 8192, false, 0);
    compare("t10m_d1", List.of(ROW_ID), 8192, false, 15);
    compare("upd1000c", SYSTEM, 8192, false, 50);
    compare("t1m_d6", List.of(ROW_ID), 8192, true, 1000);
    compare("t1m_d50", List.of(ROW_ID), 8192, true, 1000);
  }

  private void compare(String table, List<String> columns, int batch, boolean range, int goal)
      throws Exception {
    Path path = tables.resolve(table + ".lance");
    try (BufferAllocator allocator = new RootAllocator();
        org.lance.Dataset theirs = org.lance.Dataset.open(path.toString(), allocator);
        Dataset ours = Dataset.open(path, allocator)) {
      ScanOptions.Builder options = new ScanOptions.Builder().columns(columns).batchSize(batch);
      if (range) {
        options.filter("_rowid >= " + FIRST_ID + " and _rowid <= " + (FIRST_ID + 1000));
      }
      ScanOptions asked = options.build();
      ScanRequest request = request(ours, columns, range).withBatchSize(batch);
      Callable<Sums> their = () -> scan(theirs, asked, columns, allocator);
      Callable<Sums> our = () -> scan(ours, request);
      String what = columns.size() == 1 ? ROW_ID : columns.size() == 4 ? "four system" : "x + four";
      String name = table + " " + what + (range ? " in a range" : "") + ", batch " + batch;
      long start = System.nanoTime();
      Sums expected = their.call();
      long first = System.nanoTime() - start;
      Sums actual = our.call();
      if (!expected.equals(actual)) {
        throw new IllegalStateException(name + ": lance-core " + expected + ", ours " + actual);
      }
      double[] ms = first > SLOW_NANOS ? slow(first, their, our) : inTurn(their, our);
      print(name, table, what + (range ? " in a range" : ""), batch, actual.rows, ms, goal);
    }
  }

  private static double[] slow(long first, Callable<Sums> their, Callable<Sums> our)
      throws Exception {
    double second = time(their, 0);
    double[] ourTimes = new double[ROUNDS];
    time(our, WARM_UP_NANOS);
    for (int round = 0; round < ROUNDS; round++) {
      ourTimes[round] = time(our, ROUND_NANOS);
    }
    return new double[] {Math.min(first / 1e6, second), median(ourTimes)};
  }

  /** Medians of both sides, each round one after the other. */
  static double[] inTurn(Callable<?> their, Callable<?> our) throws Exception {
    time(their, WARM_UP_NANOS);
    time(our, WARM_UP_NANOS);
    double[] theirTimes = new double[ROUNDS];
    double[] ourTimes = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      theirTimes[round] = time(their, ROUND_NANOS);
      ourTimes[round] = time(our, ROUND_NANOS);
    }
    return new double[] {median(theirTimes), median(ourTimes)};
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  /** Milliseconds per call, over at least so much time. */
  private static double time(Callable<?> side, long atLeastNanos) throws Exception {
    long start = System.nanoTime();
    long elapsed;
    int calls = 0;
    do {
      side.call();
      calls++;
      elapsed = System.nanoTime() - start;
    } while (elapsed < atLeastNanos);
    return elapsed / 1e6 / calls;
  }

  private static ScanRequest request(Dataset dataset, List<String> columns, boolean range) {
    List<ScanColumn> scanned = new ArrayList<>();
    for (String column : columns) {
      SystemColumn system = SystemColumn.of(column);
      scanned.add(system != null ? system : dataset.column(column));
    }
    ScanRequest request = ScanRequest.of(scanned);
    return range
        ? request.withPredicate(
            SystemPredicate.NONE.and(
                SystemColumn.ROW_ID, ValueRanges.closed(FIRST_ID, FIRST_ID + 1000)))
        : request;
  }

  private static Sums scan(
      org.lance.Dataset dataset, ScanOptions options, List<String> columns, BufferAllocator memory)
      throws Exception {
    Sums sums = new Sums();
    try (LanceScanner scanner = LanceScanner.create(dataset, options, memory);
        ArrowReader reader = scanner.scanBatches()) {
      while (reader.loadNextBatch()) {
        VectorSchemaRoot batch = reader.getVectorSchemaRoot();
        if (batch.getFieldVectors().size() != columns.size()) {
          throw new IllegalStateException("not the columns asked for: " + batch.getSchema());
        }
        sums.add(batch);
      }
    }
    return sums;
  }

  private static Sums scan(Dataset dataset, ScanRequest request) throws IOException {
    Sums sums = new Sums();
    try (BatchCursor cursor = dataset.scan(request)) {
      while (cursor.next()) {
        sums.add(cursor.batch());
      }
    }
    return sums;
  }

  private void print(
      String name, String table, String what, int batch, long rows, double[] ms, int goal) {
    double ratio = ms[0] / ms[1];
    String result = goal == 0 ? "" : ratio >= goal ? "ok" : "below";
    String wanted = goal == 0 ? "-" : Integer.toString(goal);
    System.out.printf(
        Locale.ROOT,
        "%-44s %12.2f %10.3f %10.1f %7s %s%n",
        name,
        ms[0],
        ms[1],
        ratio,
        wanted,
        result);
    csv.add(
        String.format(
            Locale.ROOT,
            "%s,%s,%d,%d,%.3f,%.4f,%.1f,%s,%s,%s",
            table,
            what,
            batch,
            rows,
            ms[0],
            ms[1],
            ratio,
            wanted,
            result,
            circumstances()));
  }

  /** The last fields of a CSV line: date, cores, Java's version. */
  static String circumstances() {
    return String.format(
        Locale.ROOT,
        "%s,%d,%d",
        LocalDate.now(ZoneOffset.UTC),
        Runtime.getRuntime().availableProcessors(),
        Runtime.version().feature());
  }

  /** Rows and the wrapping sum of all 64-bit values, doubles by their bits. */
  private static final class Sums {
    private long rows;
    private long sum;

    void add(VectorSchemaRoot batch) {
      int count = batch.getRowCount();
      rows += count;
      for (FieldVector vector : batch.getFieldVectors()) {
        if (vector.getValueCount() != count
            || vector.getDataBuffer().capacity() < (long) count * Long.BYTES) {
          throw new IllegalStateException(vector.getName() + " is shorter than its batch");
        }
        sum += sum(vector.getDataBuffer().memoryAddress(), count);
      }
    }

    /** With four sums, so that reading takes as little as it can beside the scans. */
    private static long sum(long address, int count) {
      long a = 0;
      long b = 0;
      long c = 0;
      long d = 0;
      int i = 0;
      for (; i + 4 <= count; i += 4) {
        long at = address + (long) i * Long.BYTES;
        a += MemoryUtil.getLong(at);
        b += MemoryUtil.getLong(at + 8);
        c += MemoryUtil.getLong(at + 16);
        d += MemoryUtil.getLong(at + 24);
      }
      for (; i < count; i++) {
        a += MemoryUtil.getLong(address + (long) i * Long.BYTES);
      }
      return a + b + c + d;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Sums sums && rows == sums.rows && sum == sums.sum;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(rows * 31 + sum);
    }

    @Override
    public String toString() {
      return rows + " rows, sum " + sum;
    }
  }
}
