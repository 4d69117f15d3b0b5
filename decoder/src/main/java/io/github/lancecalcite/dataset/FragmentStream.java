package io.github.lancecalcite.dataset;

import io.github.lancecalcite.rowid.RowRanges;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The batches of one fragment, forward: one set of open files, column readers and cursors for the
 * whole stream. One thread.
 */
final class FragmentStream implements Closeable {
  private final List<@Nullable ColumnReader> readers;
  private final FragmentFiles files;
  private final FragmentRows rows;
  private final @Nullable SystemColumnReader system;
  private final RunCopy runCopy;

  private FragmentStream(
      List<@Nullable ColumnReader> readers,
      FragmentFiles files,
      FragmentRows rows,
      @Nullable SystemColumnReader system,
      BufferAllocator allocator) {
    this.readers = readers;
    this.files = files;
    this.rows = rows;
    this.system = system;
    this.runCopy = new RunCopy(allocator);
  }

  /**
   * Opens what the columns need; a stream of system columns opens no data file.
   *
   * @param matching rows that the predicate allows, or null for all
   */
  static FragmentStream open(
      ScanFragment fragment,
      List<ScanColumn> columns,
      FieldsById fields,
      @Nullable RowRanges matching,
      BufferAllocator allocator)
      throws IOException {
    List<SystemColumn> systemColumns = new ArrayList<>();
    for (ScanColumn column : columns) {
      if (column instanceof SystemColumn systemColumn) {
        systemColumns.add(systemColumn);
      }
    }
    SystemColumnReader system =
        systemColumns.isEmpty()
            ? null
            : SystemColumnReader.open(
                fragment.rows(),
                systemColumns,
                fragment.live(matching),
                fragment.firstOrdinal(),
                allocator);
    FragmentFiles files = fragment.openFiles();
    List<@Nullable ColumnReader> readers = new ArrayList<>(columns.size());
    try {
      for (ScanColumn column : columns) {
        readers.add(
            column instanceof FieldColumn stored
                ? ColumnReaders.open(
                    fields.get(stored.fieldId()),
                    files,
                    fragment.manifest().path(),
                    fragment.physicalRows(),
                    allocator)
                : null);
      }
    } catch (IOException | RuntimeException | Error e) {
      closeAll(readers);
      files.close();
      if (system != null) {
        system.close();
      }
      throw e;
    }
    FragmentRows rows =
        new FragmentRows(fragment.physicalRows(), fragment.rows().deletions(), matching);
    return new FragmentStream(readers, files, rows, system, allocator);
  }

  /** The next batch of at most {@code max} rows, owned by the caller, or null at the end. */
  @Nullable VectorSchemaRoot next(Schema schema, int max) throws IOException {
    BatchRows batch = rows.next(max);
    if (batch == null) {
      return null;
    }
    Runs runs = batch.words() == null ? null : Runs.ofBits(batch.words(), batch.span());
    List<FieldVector> vectors = new ArrayList<>(readers.size());
    try {
      if (system != null) {
        system.next(batch.count());
      }
      int systemColumn = 0;
      for (ColumnReader reader : readers) {
        vectors.add(
            reader != null
                ? read(reader, batch, runs)
                : Objects.requireNonNull(system).vectors().get(systemColumn++));
      }
      return new VectorSchemaRoot(schema, vectors, batch.count());
    } catch (IOException | RuntimeException | Error e) {
      vectors.forEach(FieldVector::close);
      throw e;
    }
  }

  private FieldVector read(ColumnReader reader, BatchRows batch, @Nullable Runs runs)
      throws IOException {
    FieldVector whole = reader.read(batch.first(), batch.span());
    if (runs == null) {
      return whole;
    }
    try (whole) {
      return runCopy.copy(whole, runs);
    }
  }

  private static void closeAll(List<@Nullable ColumnReader> readers) {
    for (ColumnReader reader : readers) {
      if (reader != null) {
        reader.close();
      }
    }
  }

  @Override
  public void close() throws IOException {
    closeAll(readers);
    if (system != null) {
      system.close();
    }
    files.close();
  }
}
