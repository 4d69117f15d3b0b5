package io.github.lancecalcite.dataset;

import io.github.lancecalcite.rowid.RowRanges;
import io.github.lancecalcite.varlena.VectorUnion;
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
  /** Stretches of wanted rows that one batch gathers. */
  private static final int MOST_PIECES = 64;

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
      FragmentRows rows =
          new FragmentRows(fragment.physicalRows(), fragment.rows().deletions(), matching);
      return new FragmentStream(readers, files, rows, system, allocator);
    } catch (IOException | RuntimeException | Error e) {
      closeAll(readers);
      if (system != null) {
        system.close();
      }
      files.close();
      throw e;
    }
  }

  /**
   * The next batch of at most {@code max} rows, owned by the caller, or null at the end.
   *
   * <p>Wanted rows that lie far apart come in several stretches; they are united into one batch, so
   * that a selective scan returns full batches.
   */
  @Nullable VectorSchemaRoot next(Schema schema, int max) throws IOException {
    BatchRows first = rows.next(max);
    if (first == null) {
      return null;
    }
    List<FieldVector> stored = new ArrayList<>(readers.size());
    List<FieldVector> vectors = new ArrayList<>(readers.size());
    try {
      read(first, stored);
      int count = first.count();
      if (stored.stream().allMatch(VectorUnion::serves)) {
        // a piece is decoded for each stretch; beyond some, returning a small batch is no loss
        for (int piece = 1; count < max && piece < MOST_PIECES; piece++) {
          BatchRows more = rows.next(max - count);
          if (more == null) {
            break;
          }
          unite(more, stored);
          count += more.count();
        }
      }
      if (system != null) {
        system.next(count);
      }
      int storedColumn = 0;
      int systemColumn = 0;
      for (ColumnReader reader : readers) {
        vectors.add(
            reader != null
                ? stored.get(storedColumn++)
                : Objects.requireNonNull(system).vectors().get(systemColumn++));
      }
      return new VectorSchemaRoot(schema, vectors, count);
    } catch (IOException | RuntimeException | Error e) {
      stored.forEach(FieldVector::close);
      throw e;
    }
  }

  private void read(BatchRows batch, List<FieldVector> into) throws IOException {
    Runs runs = batch.words() == null ? null : Runs.ofBits(batch.words(), batch.span());
    for (ColumnReader reader : readers) {
      if (reader != null) {
        into.add(read(reader, batch, runs));
      }
    }
  }

  /** Appends the rows of another stretch. */
  private void unite(BatchRows batch, List<FieldVector> into) throws IOException {
    Runs runs = batch.words() == null ? null : Runs.ofBits(batch.words(), batch.span());
    int[] selected = runs == null ? null : runs.toRows();
    int column = 0;
    for (ColumnReader reader : readers) {
      if (reader == null) {
        continue;
      }
      VectorUnion union = VectorUnion.into(into.get(column++));
      try (FieldVector whole = reader.read(batch.first(), batch.span())) {
        if (selected == null) {
          union.append(whole);
        } else {
          union.appendSelected(whole, selected, 0, selected.length);
        }
      }
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
