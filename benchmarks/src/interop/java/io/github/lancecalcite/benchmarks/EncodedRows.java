package io.github.lancecalcite.benchmarks;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;

/** The rows of one {@link EncodedColumn}, in batches. */
final class EncodedRows extends ArrowReader {
  private final EncodedColumn column;
  private final long count;
  private long next;

  EncodedRows(BufferAllocator allocator, EncodedColumn column, long count) {
    super(allocator);
    this.column = column;
    this.count = count;
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    prepareLoadNextBatch();
    int rows = (int) Math.min(column.isWide() ? 4096 : 65_536, count - next);
    if (rows <= 0) {
      return false;
    }
    VectorSchemaRoot root = getVectorSchemaRoot();
    FieldVector vector = root.getVector(0);
    vector.allocateNew();
    column.fill(vector, next, rows);
    root.setRowCount(rows);
    next += rows;
    return true;
  }

  @Override
  public long bytesRead() {
    return 0;
  }

  @Override
  protected void closeReadSource() {}

  @Override
  protected Schema readSchema() {
    return new Schema(List.of(column.field()));
  }
}
