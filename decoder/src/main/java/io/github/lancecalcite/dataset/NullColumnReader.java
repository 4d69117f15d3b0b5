package io.github.lancecalcite.dataset;

import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/** A column that no data file of the fragment holds: null in every row. */
final class NullColumnReader implements ColumnReader {
  private final Field field;
  private final String path;
  private final BufferAllocator allocator;

  /**
   * @param path the dataset, for errors
   */
  NullColumnReader(Field field, String path, BufferAllocator allocator) {
    this.path = path;
    this.field = field;
    this.allocator = allocator;
  }

  @Override
  public FieldVector read(long firstRow, int rowCount) throws IOException {
    FieldVector vector = field.createVector(allocator);
    try {
      NullRows.fill(vector, rowCount, path);
      return vector;
    } catch (IOException | RuntimeException | Error e) {
      vector.close();
      throw e;
    }
  }

  @Override
  public void close() {}
}
