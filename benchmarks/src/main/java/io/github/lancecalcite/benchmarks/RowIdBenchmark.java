package io.github.lancecalcite.benchmarks;

import io.github.lancecalcite.format.U64Segment;
import io.github.lancecalcite.rowid.RowIdCursor;
import io.github.lancecalcite.rowid.RowIdSequence;
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

/** A whole sequence in batches: select per batch, byte-wise stream, our cursor, a plain fill. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RowIdBenchmark {
  @Param({"range", "holes17", "bitmap17", "bitmap2"})
  public String shape = "range";

  @Param({"100000", "1000000"})
  public int rows = 100_000;

  @Param({"64", "1024"})
  public int batch = 1024;

  private U64Segment[] segments = new U64Segment[0];
  private RowIdSequence sequence = RowIdSequence.range(0, 0);
  private long[] destination = new long[0];

  @Setup
  public void prepare() {
    U64Segment segment =
        switch (shape) {
          case "range" -> new U64Segment.Range(0, rows);
          case "holes17" -> Shapes.holes(rows, 17);
          case "bitmap17" -> Shapes.bitmap(rows, 17);
          case "bitmap2" -> Shapes.bitmap(rows, 2);
          default -> throw new IllegalArgumentException(shape);
        };
    segments = new U64Segment[] {segment};
    sequence = RowIdSequence.of(List.of(segment));
    destination = new long[batch];
  }

  /** Number of ids read. */
  long length() {
    return sequence.length();
  }

  /** Before pull request 8713: each batch from the start. */
  @Benchmark
  public long selectPerBatch() {
    long sum = 0;
    long length = EarlierRowIds.length(segments[0]);
    for (long at = 0; at < length; at += batch) {
      int count = (int) Math.min(batch, length - at);
      EarlierRowIds.select(segments, at, count, destination);
      sum += destination[0] + destination[count - 1];
    }
    return sum;
  }

  /** After 8713, before 8715: a cursor that reads bitmaps byte by byte. */
  @Benchmark
  public long bytewise() {
    U64Segment.RangeWithBitmap bitmap = (U64Segment.RangeWithBitmap) segments[0];
    EarlierRowIds.BytewiseBitmap stream =
        new EarlierRowIds.BytewiseBitmap(bitmap, 0, bitmap.bitmap()[0] & 0xFF);
    long sum = 0;
    long length = sequence.length();
    for (long at = 0; at < length; at += batch) {
      int count = (int) Math.min(batch, length - at);
      stream.next(destination, 0, count);
      sum += destination[0] + destination[count - 1];
    }
    return sum;
  }

  @Benchmark
  public long cursor() {
    RowIdCursor cursor = sequence.cursor();
    long sum = 0;
    for (int n = cursor.next(destination, 0, batch); n > 0; ) {
      sum += destination[0] + destination[n - 1];
      n = cursor.next(destination, 0, batch);
    }
    return sum;
  }

  /** What memory costs: as many longs, one addition each. */
  @Benchmark
  public long fill() {
    long sum = 0;
    long length = sequence.length();
    for (long at = 0; at < length; at += batch) {
      int count = (int) Math.min(batch, length - at);
      fill(destination, count, at);
      sum += destination[0] + destination[count - 1];
    }
    return sum;
  }

  static void fill(long[] destination, int count, long first) {
    for (int i = 0; i < count; i++) {
      destination[i] = first + i;
    }
  }
}
