package io.github.lancecalcite.fuzz;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.NotFoundException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.ValueRanges;
import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.dataset.Fragment;
import io.github.lancecalcite.dataset.ScanColumn;
import io.github.lancecalcite.dataset.ScanRequest;
import io.github.lancecalcite.dataset.SealVerifier;
import io.github.lancecalcite.dataset.SystemColumn;
import io.github.lancecalcite.dataset.SystemPredicate;
import io.github.lancecalcite.fuzz.Damage.Demand;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;

/** Reads a damaged dataset and judges what came of it. */
final class Trial {
  /** Direct memory of a scan: many times what the whole fixtures need. */
  static final long DIRECT_BYTES = 64L << 20;

  /** What a reader made of a damage. */
  enum Outcome {
    SAME,
    OTHER_VALUES,
    CORRUPT,
    UNSUPPORTED,
    NOT_FOUND,
    /** What a lying type asks for is more than the allocator gives. */
    OUT_OF_MEMORY
  }

  private final FuzzDataset intact;
  private final Damage damage;
  private final int batchSize;
  private final Random random;
  private int fragments;

  Trial(FuzzDataset intact, Damage damage, Random random) {
    this.intact = intact;
    this.damage = damage;
    this.random = random;
    int rows = intact.rows == null ? 0 : intact.rows.rows();
    this.batchSize = List.of(8192, 8192, 512, Math.max(7, rows / 40)).get(random.nextInt(4));
  }

  /**
   * Reads everything once.
   *
   * @throws AssertionError if a reader did what it must not
   */
  Outcome run() throws IOException {
    Outcome outcome;
    try (RootAllocator allocator = new RootAllocator(DIRECT_BYTES)) {
      try (Dataset dataset = Dataset.open(intact.root, allocator)) {
        fragments = dataset.manifest().fragments().size();
        outcome = read(dataset);
      } catch (OutOfMemoryException e) {
        outcome = outOfMemory(e);
      } catch (CorruptFileException | UnsupportedFormatException | NotFoundException e) {
        outcome = refusal(e);
      }
      if (allocator.getAllocatedMemory() != 0) {
        throw new AssertionError("memory is left: " + allocator.toVerboseString());
      }
    }
    if (damage.demand() == Demand.REFUSED && outcome.compareTo(Outcome.CORRUPT) < 0) {
      throw new AssertionError("read as if nothing were missing: " + outcome);
    }
    if (damage.demand() == Demand.VERIFY) {
      verify();
    }
    return outcome;
  }

  /** Fragments that the dataset says it has; 0 when it cannot be opened. */
  int fragments() {
    return fragments;
  }

  /** Null lists of a fixed size take the memory of their items: only a type may ask for it. */
  private Outcome outOfMemory(OutOfMemoryException e) {
    if (damage.what().contains("logical_type") && damage.what().contains("fixed_size_list")) {
      return Outcome.OUT_OF_MEMORY;
    }
    throw e;
  }

  private Outcome refusal(IOException e) {
    String path =
        e instanceof CorruptFileException corrupt
            ? corrupt.path()
            : e instanceof UnsupportedFormatException unsupported
                ? unsupported.path()
                : ((NotFoundException) e).path();
    if (!path.startsWith(intact.root.toString()) || e.getMessage().contains("\n")) {
      throw new AssertionError("not one line that names the file: " + e.getMessage(), e);
    }
    if (e instanceof CorruptFileException corrupt) {
      if (corrupt.offset() < -1) {
        throw new AssertionError("offset " + corrupt.offset(), e);
      }
      return Outcome.CORRUPT;
    }
    return e instanceof UnsupportedFormatException ? Outcome.UNSUPPORTED : Outcome.NOT_FOUND;
  }

  private Outcome read(Dataset dataset) throws IOException {
    dataset.schema();
    List<ScanColumn> columns = RowHashes.columns(dataset);
    ScanRequest request = ScanRequest.of(columns).withBatchSize(batchSize);
    RowHashes seen;
    try {
      seen = RowHashes.read(dataset, request, most());
    } catch (CorruptFileException | UnsupportedFormatException | NotFoundException e) {
      if (damage.demand() == Demand.OTHERS_READ && intact.rows != null) {
        readOthers(dataset, columns, e);
      }
      return refusal(e);
    }
    if (seen.rows() < most() && seen.rows() != dataset.countRows()) {
      throw new AssertionError(seen.rows() + " rows, but a count of " + dataset.countRows());
    }
    long live = 0;
    for (Fragment fragment : dataset.fragments()) {
      live += fragment.physicalRows() - fragment.deletedRows();
    }
    if (live != dataset.countRows()) {
      throw new AssertionError(live + " live rows, but a count of " + dataset.countRows());
    }
    filter(dataset, columns, seen);
    return compare(seen) ? Outcome.SAME : Outcome.OTHER_VALUES;
  }

  private int most() {
    return intact.rows == null ? 10_000 : 4 * intact.rows.rows() + 10_000;
  }

  /** Columns that the damage does not concern, each on its own. */
  private void readOthers(Dataset dataset, List<ScanColumn> columns, IOException why)
      throws IOException {
    for (ScanColumn column : columns) {
      String name = RowHashes.name(dataset, column);
      if (!damage.mayShow(name)) {
        ScanRequest one = ScanRequest.of(List.of(column));
        try {
          compare(RowHashes.read(dataset, one, most()));
        } catch (IOException e) {
          e.addSuppressed(why);
          throw new AssertionError("not hit, but not read: " + name, e);
        }
      }
    }
  }

  /** Whether every cell is the same; columns that the damage does not concern must be. */
  private boolean compare(RowHashes seen) {
    RowHashes whole = intact.rows;
    if (whole == null) {
      return false;
    }
    if (!damage.rows() && seen.rows() != whole.rows()) {
      throw new AssertionError(seen.rows() + " rows instead of " + whole.rows());
    }
    Map<Long, Integer> places = damage.rows() ? whole.byAddress() : Map.of();
    boolean same = seen.rows() == whole.rows();
    for (String name : seen.names()) {
      boolean mayShow = damage.mayShow(name);
      for (int i = 0; i < seen.rows(); i++) {
        @Nullable Integer place = damage.rows() ? places.get(address(seen, i)) : Integer.valueOf(i);
        if (place == null || !whole.has(name)) {
          same = false;
        } else if (seen.cell(name, i) != whole.cell(name, place)) {
          same = false;
          if (!mayShow) {
            throw new AssertionError("another value in row " + i + " of " + name);
          }
        }
      }
    }
    return same;
  }

  private static long address(RowHashes rows, int row) {
    return rows.cell(SystemColumn.ROW_ADDR.columnName(), row);
  }

  /** A condition on a system column gives the rows that the whole scan gave for it. */
  private void filter(Dataset dataset, List<ScanColumn> columns, RowHashes seen)
      throws IOException {
    if (seen.rows() == 0 || seen.rows() >= most() || random.nextInt(4) != 0) {
      return;
    }
    SystemColumn column = SystemColumn.values()[random.nextInt(SystemColumn.values().length)];
    if (column == SystemColumn.ROW_OFFSET) {
      return;
    }
    long value = seen.cell(column.columnName(), random.nextInt(seen.rows()));
    List<Integer> expected = seen.where(column, value);
    ScanRequest request =
        ScanRequest.of(columns)
            .withBatchSize(batchSize)
            .withPredicate(SystemPredicate.NONE.and(column, ValueRanges.of(value)));
    RowHashes found = RowHashes.read(dataset, request, most());
    if (found.rows() != expected.size()) {
      throw new AssertionError(
          found.rows() + " rows where " + column + " = " + value + ", not " + expected.size());
    }
    for (String name : seen.names()) {
      for (int i = 0; i < found.rows(); i++) {
        if (found.cell(name, i) != seen.cell(name, expected.get(i))) {
          throw new AssertionError(name + " differs where " + column + " = " + value);
        }
      }
    }
  }

  private void verify() throws IOException {
    if (SealVerifier.verify(intact.root, (bytes, ofBytes, file) -> {}).findings().isEmpty()) {
      throw new AssertionError("nothing reported");
    }
  }
}
