package io.github.lancecalcite.dataset;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Vectors of system columns: unsigned longs, nullable in type only. */
final class SystemVectors {
  private static final FieldType TYPE = FieldType.nullable(new ArrowType.Int(Long.SIZE, false));

  private SystemVectors() {}

  /** The Arrow field of a system column. */
  static Field field(SystemColumn column) {
    return new Field(column.columnName(), TYPE, null);
  }

  /** An empty vector; the caller's to close. */
  static UInt8Vector create(SystemColumn column, BufferAllocator allocator) {
    return new UInt8Vector(field(column), allocator);
  }

  /**
   * Lets go of a vector's buffers and makes it show {@code rows} values of others, without copying.
   * The vector holds references of its own, so that what is transferred out of it outlives the
   * owner of the buffers.
   *
   * @param valid at least {@code rows} set bits
   */
  static void point(UInt8Vector vector, ArrowBuf valid, ArrowBuf values, long firstRow, int rows) {
    ArrowBuf slice = values.slice(firstRow * Long.BYTES, (long) rows * Long.BYTES);
    vector.loadFieldBuffers(new ArrowFieldNode(rows, 0), List.of(valid, slice));
    vector.setValueCount(rows);
  }
}
