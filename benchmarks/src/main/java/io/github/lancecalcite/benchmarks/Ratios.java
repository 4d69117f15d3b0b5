package io.github.lancecalcite.benchmarks;

import io.github.lancecalcite.dataset.PipelineBenchmark;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/**
 * Prints how much faster the present algorithms are than the earlier ones: for each case both must
 * give the same result, then they are timed in turn and the medians compared.
 */
public final class Ratios {
  private static final int ROUNDS = 15;
  private static final long ROUND_NANOS = 60_000_000;
  private static final long WARM_UP_NANOS = 700_000_000;

  private static long sink;

  private Ratios() {}

  private static final List<String> GROUPS =
      List.of("rowid", "version", "bitmap", "pipeline", "checksum", "varlena");

  /** Groups: {@link #GROUPS}; all of them when none is named. */
  public static void main(String[] args) throws Exception {
    List<String> groups = args.length == 0 ? GROUPS : Arrays.asList(args);
    System.out.printf(
        Locale.ROOT,
        "%-46s %13s %13s %8s %7s %-6s %7s %7s%n",
        "case",
        "baseline ns",
        "ours ns",
        "ratio",
        "goal",
        "",
        "GB/s",
        "fill");
    for (String group : groups) {
      switch (group) {
        case "rowid" -> rowIds();
        case "version" -> versions();
        case "bitmap" -> bitmaps();
        case "pipeline" -> pipeline();
        case "checksum" -> BlockRatios.checksum(Ratios::print);
        case "varlena" -> BlockRatios.varlena(Ratios::print);
        default -> throw new IllegalArgumentException("no group " + group);
      }
    }
  }

  private static void rowIds() throws Exception {
    for (int batch : new int[] {64, 1024}) {
      for (String shape : new String[] {"bitmap17", "bitmap2", "holes17"}) {
        RowIdBenchmark b = rowIdBenchmark(shape, 100_000, batch);
        print(
            "rowid " + shape + " 100K, batch " + batch,
            b::selectPerBatch,
            b::cursor,
            batch == 64 ? 14.6 : 7.9,
            b.length());
      }
      RowIdBenchmark range = rowIdBenchmark("range", 100_000, batch);
      print(
          "rowid range / fill 100K, batch " + batch, range::fill, range::cursor, 1 / 1.3, 100_000);
    }
  }

  private static void bitmaps() throws Exception {
    RowIdBenchmark dense = rowIdBenchmark("bitmap17", 1_000_000, 1024);
    print("bitmap holes every 17, 1M", dense::bytewise, dense::cursor, 1.8, dense.length());
    RowIdBenchmark half = rowIdBenchmark("bitmap2", 1_000_000, 1024);
    print("bitmap holes every 2, 1M", half::bytewise, half::cursor, 0.97, half.length());
  }

  private static RowIdBenchmark rowIdBenchmark(String shape, int rows, int batch) {
    RowIdBenchmark b = new RowIdBenchmark();
    b.shape = shape;
    b.rows = rows;
    b.batch = batch;
    b.prepare();
    return b;
  }

  private static void versions() throws Exception {
    int[] runs = {1, 98, 3125, 100_000};
    double[] ordered = {0.97, 8.3, 25, 108};
    double[] direct = {0.97, 11.8, 6.4, 3.9};
    for (int i = 0; i < runs.length; i++) {
      VersionBenchmark b = new VersionBenchmark();
      b.runs = runs[i];
      b.prepare();
      print(
          "version " + runs[i] + " runs, ordered",
          b::rebuildPerBatch,
          b::cursor,
          ordered[i],
          VersionBenchmark.ROWS);
      print(
          "version " + runs[i] + " runs, direct call",
          b::directRebuild,
          b::directCursor,
          direct[i],
          b.batch);
    }
  }

  private static void pipeline() throws Exception {
    for (int batch : new int[] {64, 1024}) {
      for (String shape : new String[] {"range", "bitmap17"}) {
        for (String columns : new String[] {"rowid", "rowaddr", "both", "all"}) {
          PipelineBenchmark b = pipelineBenchmark(shape, columns, 100_000, batch, 0);
          int perRow = columns.equals("all") ? 4 : columns.equals("both") ? 2 : 1;
          double goal = !columns.equals("all") ? 1 : batch == 64 ? 2.5 : 1.6;
          print(
              "pipeline " + shape + " " + columns + ", batch " + batch,
              b::columnByColumn,
              b::readAhead,
              goal,
              b.length() * perRow);
          b.close();
        }
      }
    }
    PipelineBenchmark b = pipelineBenchmark("range", "rowid", 10_000_000, 32_768, 32_769);
    print("pipeline 10M, tasks 32768/32769", b::columnByColumn, b::readAhead, 0.97, b.length());
    b.close();
  }

  private static PipelineBenchmark pipelineBenchmark(
      String shape, String columns, int rows, int batch, int alternate) {
    PipelineBenchmark b = new PipelineBenchmark();
    b.shape = shape;
    b.columns = columns;
    b.rows = rows;
    b.batch = batch;
    b.alternate = alternate;
    b.prepare();
    return b;
  }

  private static void print(
      String name, Callable<Long> baseline, Callable<Long> ours, double goal, long values)
      throws Exception {
    long expected = baseline.call();
    long actual = ours.call();
    if (expected != actual) {
      throw new IllegalStateException(name + ": results differ: " + expected + ", " + actual);
    }
    long[] block = new long[(int) Math.min(values, 65_536)];
    Callable<Long> fill =
        () -> {
          for (long left = values; left > 0; left -= block.length) {
            RowIdBenchmark.fill(block, (int) Math.min(left, block.length), left);
          }
          return block[0];
        };
    List<Callable<Long>> sides = List.of(baseline, ours, fill);
    for (Callable<Long> side : sides) {
      time(side, WARM_UP_NANOS);
    }
    double[][] nanos = new double[sides.size()][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      for (int side = 0; side < nanos.length; side++) {
        nanos[side][round] = time(sides.get(side), ROUND_NANOS);
      }
    }
    for (double[] side : nanos) {
      Arrays.sort(side);
    }
    double before = nanos[0][ROUNDS / 2];
    double now = nanos[1][ROUNDS / 2];
    double bytes = values * (double) Long.BYTES;
    System.out.printf(
        Locale.ROOT,
        "%-46s %13.0f %13.0f %8.2f %7.2f %-6s %7.2f %7.2f%n",
        name,
        before,
        now,
        before / now,
        goal,
        before / now >= goal ? "ok" : "below",
        bytes / now,
        bytes / nanos[2][ROUNDS / 2]);
  }

  /** Nanoseconds per call, over at least so much time. */
  private static double time(Callable<Long> side, long atLeast) throws Exception {
    long start = System.nanoTime();
    long elapsed = 0;
    int calls = 0;
    while (elapsed < atLeast) {
      sink += side.call();
      calls++;
      elapsed = System.nanoTime() - start;
    }
    return (double) elapsed / calls;
  }
}
