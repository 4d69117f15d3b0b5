package io.github.lancecalcite.dataset;

import io.github.lancecalcite.benchmarks.Shapes;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.Manifest;
import io.github.lancecalcite.format.RowIdSequences;
import io.github.lancecalcite.format.SequenceMetadata;
import io.github.lancecalcite.format.U64Segment;
import io.github.lancecalcite.io.LocalStorage;
import io.github.lancecalcite.rowid.LongCursor;
import io.github.lancecalcite.rowid.RowIdSequence;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
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

/**
 * System columns of one fragment as Arrow batches. Earlier, before Lance pull request 8747: every
 * batch is decoded by itself, with persistent cursors, and each column is added to the batch in a
 * step of its own, with a new vector and a new schema.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PipelineBenchmark {
  @Param({"range", "bitmap17"})
  public String shape = "range";

  @Param({"rowid", "rowaddr", "both", "all"})
  public String columns = "all";

  @Param({"100000"})
  public int rows = 100_000;

  /** One size, or two that alternate. */
  @Param({"64", "1024"})
  public int batch = 1024;

  public int alternate = 0;

  private final RootAllocator allocator = new RootAllocator();
  private List<SystemColumn> wanted = List.of();
  private RowMetadata metadata = metadata(new U64Segment.Range(0, 0), 0);

  @Setup
  public void prepare() {
    wanted =
        switch (columns) {
          case "rowid" -> List.of(SystemColumn.ROW_ID);
          case "rowaddr" -> List.of(SystemColumn.ROW_ADDR);
          case "both" -> List.of(SystemColumn.ROW_ID, SystemColumn.ROW_ADDR);
          default ->
              List.of(
                  SystemColumn.ROW_ID,
                  SystemColumn.ROW_ADDR,
                  SystemColumn.ROW_CREATED_AT_VERSION,
                  SystemColumn.ROW_LAST_UPDATED_AT_VERSION);
        };
    U64Segment segment =
        shape.equals("range")
            ? new U64Segment.Range(0, rows)
            : Shapes.bitmap((int) (rows * 17L / 16 + 1), 17);
    metadata = metadata(segment, (int) RowIdSequence.of(List.of(segment)).length());
  }

  private static RowMetadata metadata(U64Segment segment, int rows) {
    SequenceMetadata versions =
        new SequenceMetadata.Inline(
            RowIdSequences.serializeVersions(Shapes.runs(rows, Math.max(1, rows / 1024))), 0);
    DataFragment fragment =
        new DataFragment(
            3,
            List.of(),
            null,
            rows,
            new SequenceMetadata.Inline(RowIdSequences.serialize(List.of(segment)), 0),
            versions,
            versions);
    Manifest manifest =
        new Manifest(
            "benchmark",
            1,
            null,
            List.of(),
            Map.of(),
            List.of(fragment),
            Manifest.STABLE_ROW_IDS,
            0,
            "benchmark",
            0,
            "2.1",
            Map.of(),
            Map.of(),
            List.of(),
            null,
            null,
            null,
            null);
    return new RowMetadata(
        manifest, new DatasetFiles(LocalStorage.of(Path.of(".")), manifest), fragment, rows);
  }

  @TearDown
  public void close() {
    allocator.close();
  }

  public long length() {
    return metadata.physicalRows();
  }

  private int task(int number) {
    return alternate != 0 && number % 2 == 1 ? alternate : batch;
  }

  @Benchmark
  public long columnByColumn() throws IOException {
    List<LongCursor> cursors = new ArrayList<>();
    for (SystemColumn column : wanted) {
      cursors.add(
          switch (column) {
            case ROW_ID -> metadata.rowIds().cursor();
            case ROW_CREATED_AT_VERSION -> metadata.createdAt().cursor();
            case ROW_LAST_UPDATED_AT_VERSION -> metadata.lastUpdatedAt().cursor();
            default ->
                RowIdSequence.range(metadata.firstAddress(), metadata.physicalRows()).cursor();
          });
    }
    long sum = 0;
    long[] block = new long[Math.max(batch, alternate)];
    int task = 0;
    for (long at = 0; at < metadata.physicalRows(); ) {
      int count = (int) Math.min(task(task++), metadata.physicalRows() - at);
      VectorSchemaRoot root = new VectorSchemaRoot(new Schema(List.of()), List.of(), count);
      for (int c = 0; c < wanted.size(); c++) {
        cursors.get(c).next(block, 0, count);
        UInt8Vector vector = SystemVectors.create(wanted.get(c), allocator);
        vector.allocateNew(count);
        vector.getValidityBuffer().setOne(0, vector.getValidityBuffer().capacity());
        OffHeapLongs.copy(block, count, vector.getDataBufferAddress());
        List<Field> fields = new ArrayList<>(root.getSchema().getFields());
        fields.add(vector.getField());
        List<FieldVector> vectors = new ArrayList<>(root.getFieldVectors());
        vectors.add(vector);
        root = new VectorSchemaRoot(new Schema(fields), vectors, count);
        vector.setValueCount(count);
      }
      sum += look(root.getFieldVectors(), count);
      root.close();
      at += count;
    }
    return sum;
  }

  @Benchmark
  public long readAhead() throws IOException {
    long sum = 0;
    try (SystemColumnReader reader =
        SystemColumnReader.open(
            metadata, wanted, RowIdSequence.range(0, metadata.physicalRows()), 0, allocator)) {
      List<FieldVector> vectors = new ArrayList<>(reader.vectors());
      VectorSchemaRoot root =
          new VectorSchemaRoot(
              new Schema(vectors.stream().map(FieldVector::getField).toList()), vectors, 0);
      int task = 0;
      while (reader.remaining() > 0) {
        int count = (int) Math.min(task(task++), reader.remaining());
        reader.next(count);
        root.setRowCount(count);
        sum += look(vectors, count);
      }
    }
    return sum;
  }

  private static long look(List<FieldVector> vectors, int count) {
    long sum = 0;
    for (FieldVector vector : vectors) {
      long address = vector.getDataBufferAddress();
      sum +=
          MemoryUtil.getLong(address) * 31
              + MemoryUtil.getLong(address + (count - 1L) * Long.BYTES);
    }
    return sum;
  }
}
