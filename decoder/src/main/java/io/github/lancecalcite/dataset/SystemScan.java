package io.github.lancecalcite.dataset;

import io.github.lancecalcite.rowid.RowIdSequence;
import io.github.lancecalcite.rowid.RowRanges;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A scan that asks for system columns only, or for no column at all: it opens no data file. The
 * batches of a fragment are one root that is pointed at slice after slice; without columns it is a
 * template whose row count alone changes.
 */
final class SystemScan implements BatchCursor {
  private final ScanRequest request;
  private final Schema schema;
  private final List<ScanFragment> fragments;
  private final BufferAllocator allocator;
  private final List<SystemColumn> columns = new ArrayList<>();
  private int following;

  /** Rows that the limit still allows. */
  private long allowed;

  /** Rows of the current fragment that were not handed out yet. */
  private long remaining;

  private @Nullable SystemColumnReader reader;
  private @Nullable VectorSchemaRoot root;
  private boolean hasBatch;
  private boolean closed;

  /** Takes over the allocator. */
  SystemScan(
      ScanRequest request, Schema schema, List<ScanFragment> fragments, BufferAllocator allocator) {
    this.request = request;
    this.schema = schema;
    this.fragments = fragments;
    this.allocator = allocator;
    this.allowed = request.limit() < 0 ? Long.MAX_VALUE : request.limit();
    for (ScanColumn column : request.columns()) {
      columns.add((SystemColumn) column);
    }
    if (columns.isEmpty()) {
      root = new VectorSchemaRoot(schema, List.of(), 0);
    }
  }

  /** Whether a request can be answered without data files. */
  static boolean answers(ScanRequest request) {
    return request.columns().stream().allMatch(column -> column instanceof SystemColumn);
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public boolean next() throws IOException {
    if (closed) {
      throw new IllegalStateException("the scan is closed");
    }
    hasBatch = false;
    while (remaining == 0) {
      closeFragment();
      if (allowed == 0 || following == fragments.size()) {
        return false;
      }
      openFragment(fragments.get(following++));
    }
    int rows = (int) Math.min(request.batchSize(), remaining);
    if (reader != null) {
      reader.next(rows);
    }
    current().setRowCount(rows);
    remaining -= rows;
    allowed -= rows;
    hasBatch = true;
    return true;
  }

  private void openFragment(ScanFragment fragment) throws IOException {
    RowRanges matching = PredicateRows.of(request.predicate(), fragment);
    if (matching != null && matching.rows() == 0) {
      return;
    }
    RowIdSequence live = fragment.live(matching);
    // read-ahead must not pass the limit
    RowIdSequence selection = live.length() > allowed ? live.slice(0, allowed) : live;
    if (selection.length() > 0 && !columns.isEmpty()) {
      reader =
          SystemColumnReader.open(
              fragment.rows(), columns, selection, fragment.firstOrdinal(), allocator);
      root = new VectorSchemaRoot(schema, new ArrayList<FieldVector>(reader.vectors()), 0);
    }
    remaining = selection.length();
  }

  private void closeFragment() {
    if (reader != null) {
      reader.close();
      reader = null;
      root = null;
    }
  }

  private VectorSchemaRoot current() {
    if (root == null) {
      throw new IllegalStateException("there is no current batch");
    }
    return root;
  }

  @Override
  public VectorSchemaRoot batch() {
    if (!hasBatch) {
      throw new IllegalStateException("there is no current batch");
    }
    return current();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      hasBatch = false;
      closeFragment();
      allocator.close();
    }
  }
}
