package io.github.lancecalcite.interop;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.Dataset;
import org.lance.WriteParams;
import org.lance.compaction.CompactionOptions;
import org.lance.merge.MergeInsertParams;

/**
 * One dataset being written by lance-core: each call is one commit (compaction may be two).
 *
 * <p>Owns nothing but the allocator it is given; every lance-core dataset is closed within the
 * call.
 */
final class LanceWriter {
  private final BufferAllocator allocator;
  private final String uri;
  private final Schema schema;
  private final String fileVersion;
  private final boolean stableRowIds;

  LanceWriter(
      BufferAllocator allocator, String uri, Schema schema, String fileVersion, boolean stable) {
    this.allocator = allocator;
    this.uri = uri;
    this.schema = schema;
    this.fileVersion = fileVersion;
    this.stableRowIds = stable;
  }

  /** What a caller does with the open dataset. */
  interface Action {
    void on(Dataset dataset) throws IOException;
  }

  void create(List<Object[]> rows, int rowsPerFile) throws IOException {
    write(rows, WriteParams.WriteMode.CREATE, rowsPerFile);
  }

  void append(List<Object[]> rows, int rowsPerFile) throws IOException {
    write(rows, WriteParams.WriteMode.APPEND, rowsPerFile);
  }

  void overwrite(List<Object[]> rows, int rowsPerFile) throws IOException {
    write(rows, WriteParams.WriteMode.OVERWRITE, rowsPerFile);
  }

  void create(ArrowReader rows, int rowsPerFile) throws IOException {
    write(rows, WriteParams.WriteMode.CREATE, rowsPerFile);
  }

  void append(ArrowReader rows, int rowsPerFile) throws IOException {
    write(rows, WriteParams.WriteMode.APPEND, rowsPerFile);
  }

  void overwrite(ArrowReader rows, int rowsPerFile) throws IOException {
    write(rows, WriteParams.WriteMode.OVERWRITE, rowsPerFile);
  }

  private void write(List<Object[]> rows, WriteParams.WriteMode mode, int rowsPerFile)
      throws IOException {
    try (RowsReader reader = new RowsReader(allocator, schema, rows, 4096)) {
      write(reader, mode, rowsPerFile);
    }
  }

  private void write(ArrowReader rows, WriteParams.WriteMode mode, int rowsPerFile)
      throws IOException {
    WriteParams params =
        new WriteParams.Builder()
            .withMode(mode)
            .withMaxRowsPerFile(rowsPerFile)
            .withDataStorageVersion(fileVersion)
            .withEnableStableRowIds(stableRowIds)
            .build();
    try (ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
      Data.exportArrayStream(allocator, rows, stream);
      Dataset.create(allocator, stream, uri, params).close();
    }
  }

  /** Updates the rows whose {@code key} is known, inserts the others. */
  void upsert(String key, List<Object[]> rows) throws IOException {
    try (RowsReader reader = new RowsReader(allocator, schema, rows, 4096)) {
      upsert(key, reader);
    }
  }

  /** As {@link #upsert(String, List)}, of rows that are there already as vectors. */
  void upsert(String key, ArrowReader rows) throws IOException {
    MergeInsertParams params =
        new MergeInsertParams(List.of(key))
            .withMatchedUpdateAll()
            .withNotMatched(MergeInsertParams.WhenNotMatched.InsertAll);
    on(
        dataset -> {
          try (ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
            Data.exportArrayStream(allocator, rows, stream);
            dataset.mergeInsert(params, stream).dataset().close();
          }
        });
  }

  void delete(String predicate) throws IOException {
    on(dataset -> dataset.delete(predicate));
  }

  void compact(long targetRowsPerFragment) throws IOException {
    CompactionOptions options =
        CompactionOptions.builder()
            .withTargetRowsPerFragment(targetRowsPerFragment)
            .withMaterializeDeletions(true)
            .withMaterializeDeletionsThreshold(0.0f)
            .build();
    on(dataset -> dataset.compact(options));
  }

  void tag(String name) throws IOException {
    on(dataset -> dataset.tags().create(name, dataset.version()));
  }

  void on(Action action) throws IOException {
    try (Dataset dataset = Dataset.open(uri, allocator)) {
      action.on(dataset);
    }
  }
}
