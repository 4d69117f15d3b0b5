package io.github.lancecalcite.benchmarks;

import io.github.lancecalcite.format.VersionRun;
import io.github.lancecalcite.rowid.VersionCursor;
import io.github.lancecalcite.rowid.VersionSequence;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Row versions of 100,000 rows: offsets rebuilt per batch against our cursor. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class VersionBenchmark {
  static final int ROWS = 100_000;

  @Param({"1", "98", "3125", "100000"})
  public int runs = 98;

  @Param({"1024"})
  public int batch = 1024;

  private List<VersionRun> stored = List.of();
  private VersionSequence sequence = VersionSequence.missing(0);
  private long[] destination = new long[0];

  @Setup
  public void prepare() {
    stored = Shapes.runs(ROWS, runs);
    sequence = VersionSequence.of(stored, ROWS);
    destination = new long[batch];
  }

  @Benchmark
  public long rebuildPerBatch() {
    long sum = 0;
    for (int at = 0; at < ROWS; at += batch) {
      int count = Math.min(batch, ROWS - at);
      EarlierVersions.select(stored, at, count, destination);
      sum += destination[0] + destination[count - 1];
    }
    return sum;
  }

  @Benchmark
  public long cursor() {
    VersionCursor cursor = sequence.cursor();
    long sum = 0;
    for (int n = cursor.next(destination, 0, batch); n > 0; ) {
      sum += destination[0] + destination[n - 1];
      n = cursor.next(destination, 0, batch);
    }
    return sum;
  }

  /** One batch in the last quarter, by itself. */
  @Benchmark
  public long directRebuild() {
    EarlierVersions.select(stored, ROWS / 4 * 3, batch, destination);
    return destination[0] + destination[batch - 1];
  }

  /** The same with a cursor of its own and no run index. */
  @Benchmark
  public long directCursor() {
    VersionCursor cursor = sequence.cursor();
    cursor.seek(ROWS / 4 * 3);
    cursor.next(destination, 0, batch);
    return destination[0] + destination[batch - 1];
  }
}
