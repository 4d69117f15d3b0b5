package io.github.lancecalcite.dataset;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/** A column that no data file of the fragment holds: null in every row. */
final class NullColumnReader implements ColumnReader {
  private final Field field;
  private final BufferAllocator allocator;

  NullColumnReader(Field field, BufferAllocator allocator) {
    this.field = field;
    this.allocator = allocator;
  }

  @Override
  public FieldVector read(long firstRow, int rowCount) {
    FieldVector vector = field.createVector(allocator);
    try {
      vector.setInitialCapacity(rowCount);
      vector.allocateNew(); // zeroed validity: null
      vector.setValueCount(rowCount);
      return vector;
    } catch (RuntimeException | Error e) {
      vector.close();
      throw e;
    }
  }

  @Override
  public void close() {}
}
