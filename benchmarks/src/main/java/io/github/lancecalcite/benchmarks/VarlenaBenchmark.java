package io.github.lancecalcite.benchmarks;

import io.github.lancecalcite.varlena.VectorUnion;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthViewVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.ViewVarBinaryVector;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** 8,192 variable-length rows appended to a vector: in bulk, against row by row. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls prepare first
public class VarlenaBenchmark {
  static final int ROWS = 8192;

  /** Bytes of a value; 0 for 8 to 23. */
  @Param({"0", "24", "128", "800", "3072"})
  public int width = 128;

  @Param({"0", "10", "50"})
  public int nullPercent;

  @Param({"0", "1000"})
  public int seeded;

  @Param({"false", "true"})
  public boolean views;

  private BufferAllocator allocator;
  private FieldVector source;
  private FieldVector seed;
  private FieldVector to;
  private ArrowBuf bytes;
  private int[] selected;

  @Setup
  public void prepare() {
    allocator = new RootAllocator();
    source = vector();
    seed = vector();
    to = vector();
    Random random = new Random(1);
    fill(source, ROWS, random);
    fill(seed, seeded, random);
    bytes = allocator.buffer(payloadBytes() + 8);
    bytes.setZero(0, bytes.capacity());
    selected = random.ints(ROWS, 0, ROWS).toArray();
  }

  private FieldVector vector() {
    return views ? new ViewVarBinaryVector("v", allocator) : new VarBinaryVector("v", allocator);
  }

  private void fill(FieldVector vector, int rows, Random random) {
    for (int i = 0; i < rows; i++) {
      byte[] value = new byte[width == 0 ? 8 + random.nextInt(16) : width];
      random.nextBytes(value);
      if (random.nextInt(100) < nullPercent) {
        vector.setNull(i);
      } else if (vector instanceof VarBinaryVector v) {
        v.setSafe(i, value);
      } else {
        ((ViewVarBinaryVector) vector).setSafe(i, value);
      }
    }
    vector.setValueCount(rows);
  }

  @TearDown
  public void close() {
    bytes.close();
    source.close();
    seed.close();
    to.close();
    allocator.close();
  }

  long payloadBytes() {
    long bytes = 0;
    for (int i = 0; i < ROWS; i++) {
      bytes += source.isNull(i) ? 0 : width == 0 ? 16 : width;
    }
    return bytes;
  }

  /** A destination without memory of its own but for the seed, so that growth is in the time. */
  private VectorUnion start() {
    to.clear();
    VectorUnion union = VectorUnion.into(to);
    union.append(seed);
    return union;
  }

  /** Of the rows that the last append left. */
  long sample() {
    int n = to.getValueCount();
    return n + to.hashCode(seeded) + 31L * to.hashCode(n - 1) + to.getNullCount();
  }

  @Benchmark
  public long append() {
    start().append(source);
    return sample();
  }

  /** The vector's own safe copy, one row at a time. */
  @Benchmark
  public long appendPerRow() {
    start();
    for (int i = 0; i < ROWS; i++) {
      copy(i, seeded + i);
    }
    to.setValueCount(seeded + ROWS);
    return sample();
  }

  /** The bytes alone, in one piece, to memory as fresh as a destination's: what no append beats. */
  @Benchmark
  public long copyBytes() {
    try (ArrowBuf fresh = allocator.buffer(bytes.capacity())) {
      MemoryUtil.copyMemory(bytes.memoryAddress(), fresh.memoryAddress(), bytes.capacity());
      return fresh.getLong(bytes.capacity() - 8);
    }
  }

  private void copy(int from, int at) {
    if (to instanceof BaseVariableWidthVector v) {
      v.copyFromSafe(from, at, source);
    } else {
      ((BaseVariableWidthViewVector) to).copyFromSafe(from, at, source);
    }
  }

  @Benchmark
  public long select() {
    start().appendSelected(source, selected, 0, ROWS);
    return sample();
  }

  /** Without room made beforehand: row by row, growing as it goes. */
  @Benchmark
  public long selectPerRow() {
    start();
    for (int i = 0; i < ROWS; i++) {
      copy(selected[i], seeded + i);
    }
    to.setValueCount(seeded + ROWS);
    return sample();
  }

  /** One row, 8,192 times. */
  @Benchmark
  public long repeat() {
    start().repeat(source, firstValid(), ROWS);
    return sample();
  }

  @Benchmark
  public long repeatPerRow() {
    start();
    int row = firstValid();
    for (int i = 0; i < ROWS; i++) {
      copy(row, seeded + i);
    }
    to.setValueCount(seeded + ROWS);
    return sample();
  }

  private int firstValid() {
    int row = 0;
    while (source.isNull(row)) {
      row++;
    }
    return row;
  }
}
