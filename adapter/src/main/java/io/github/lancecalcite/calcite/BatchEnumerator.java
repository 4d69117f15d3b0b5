package io.github.lancecalcite.calcite;

import java.lang.ref.Cleaner;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerator;
import org.jspecify.annotations.Nullable;

/**
 * The place where batches become rows. A row is the value itself when there is one column, an empty
 * list when there is none, otherwise an array.
 *
 * <p>One thread. Rows are made in blocks, column by column; no row refers to Arrow memory. The scan
 * starts with the first {@link #moveNext}. It ends with {@link #close}, with the connection, or
 * when the enumerator is garbage, whichever comes first.
 */
final class BatchEnumerator implements Enumerator<Object> {
  /** Rows converted at once: few enough to stay in cache and to make {@code LIMIT} cheap. */
  private static final int BLOCK_ROWS = 512;

  private static final Object EMPTY_ROW = List.of();
  private static final Cleaner CLEANER = Cleaner.create();

  private final Supplier<OpenScan> source;
  private final Function<VectorSchemaRoot, ValueReaders.ValueReader[]> reading;
  private final DataContext context;

  private @Nullable OpenScan scan;
  private Cleaner.@Nullable Cleanable cleanable;
  private boolean done;

  /** Readers of the current batch, and how far it has been converted. */
  private ValueReaders.ValueReader[] readers = new ValueReaders.ValueReader[0];

  private int batchRows;
  private int batchPosition;

  private final @Nullable Object[] block = new Object[BLOCK_ROWS];
  private int blockRows;
  private int blockPosition = -1;

  /**
   * @param source starts the scan
   * @param reading gives the readers of a batch, one per column of a row
   */
  BatchEnumerator(
      Supplier<OpenScan> source,
      Function<VectorSchemaRoot, ValueReaders.ValueReader[]> reading,
      DataContext context) {
    this.source = source;
    this.reading = reading;
    this.context = context;
  }

  @Override
  @SuppressWarnings("NullAway") // a single column's null is a legal row, linq4j does not say so
  public Object current() {
    return block[blockPosition];
  }

  @Override
  public boolean moveNext() {
    if (++blockPosition < blockRows) {
      return true;
    }
    return nextBlock();
  }

  private boolean nextBlock() {
    blockPosition = 0;
    blockRows = 0;
    if (done) {
      return false;
    }
    try {
      OpenScan open = scan == null ? open() : scan;
      while (batchPosition == batchRows) {
        CancelFlag.check(context);
        if (!open.next()) {
          close();
          return false;
        }
        batchRows = open.read(this::startBatch);
        batchPosition = 0;
      }
      blockRows = open.read(this::fillBlock);
      batchPosition += blockRows;
      return true;
    } catch (Throwable t) {
      close(); // an error ends the scan: nobody is obliged to close after it
      throw t;
    }
  }

  private OpenScan open() {
    OpenScan opened = source.get();
    scan = opened;
    cleanable = CLEANER.register(this, opened::close);
    return opened;
  }

  private int startBatch(VectorSchemaRoot batch) {
    readers = reading.apply(batch);
    return batch.getRowCount();
  }

  private int fillBlock(VectorSchemaRoot batch) {
    int rows = Math.min(BLOCK_ROWS, batchRows - batchPosition);
    switch (readers.length) {
      case 0:
        Arrays.fill(block, 0, rows, EMPTY_ROW);
        break;
      case 1:
        fill(block, readers[0], batchPosition, rows);
        break;
      default:
        fillRows(rows);
    }
    return rows;
  }

  private static void fill(
      @Nullable Object[] block, ValueReaders.ValueReader reader, int from, int rows) {
    for (int i = 0; i < rows; i++) {
      block[i] = reader.get(from + i);
    }
  }

  private void fillRows(int rows) {
    int width = readers.length;
    @Nullable Object[][] made = new Object[rows][width];
    for (int column = 0; column < width; column++) {
      fillColumn(made, column, readers[column], batchPosition);
    }
    System.arraycopy(made, 0, block, 0, rows);
  }

  private static void fillColumn(
      @Nullable Object[][] rows, int column, ValueReaders.ValueReader reader, int from) {
    for (int i = 0; i < rows.length; i++) {
      rows[i][column] = reader.get(from + i);
    }
  }

  @Override
  public void reset() {
    close();
    done = false;
    batchRows = 0;
    batchPosition = 0;
    blockRows = 0;
    blockPosition = -1;
  }

  @Override
  public void close() {
    done = true;
    if (cleanable != null) {
      cleanable.clean();
      cleanable = null;
    }
    scan = null;
    readers = new ValueReaders.ValueReader[0];
  }
}
