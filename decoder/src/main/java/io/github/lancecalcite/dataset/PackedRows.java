package io.github.lancecalcite.dataset;

import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.encoding.Bytes;
import io.github.lancecalcite.encoding.ValueBlock;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.jspecify.annotations.Nullable;

/** Takes the rows of a packed struct apart into the vectors of its children. */
final class PackedRows {
  private static final int LENGTH_BYTES = 4;

  private final PackedShape shape;
  private final BufferAllocator allocator;

  PackedRows(PackedShape shape, BufferAllocator allocator) {
    this.shape = shape;
    this.allocator = allocator;
  }

  /**
   * Fills the struct's vector from its rows.
   *
   * @param rows what was gathered, handed over
   * @param validity bit i: row i is valid; null when all are
   */
  void finish(LeafBuilder rows, FieldVector vector, long @Nullable [] validity) {
    int count = rows.count();
    ArrowBuf bits = ValidityBuffers.of(shape.neverNull() ? null : validity, count, allocator);
    try (bits) {
      vector.loadFieldBuffers(new ArrowFieldNode(count, -1), List.of(bits));
    }
    List<FieldVector> children = vector.getChildrenFromFields();
    if (shape.variable()) {
      splitVariable(rows, count, children);
    } else {
      splitFixed(rows, count, children);
    }
  }

  private void splitFixed(LeafBuilder rows, int count, List<FieldVector> children) {
    int width = PackedShape.bytes(shape.rows());
    byte[] data = new byte[Math.multiplyExact(count, width)];
    try (FixedSizeBinaryVector whole = new FixedSizeBinaryVector("rows", allocator, width)) {
      rows.finish(whole, null);
      whole.getDataBuffer().getBytes(0, data);
    }
    int from = 0;
    for (int c = 0; c < shape.children().size(); c++) {
      LeafShape child = shape.children().get(c);
      int bytes = PackedShape.bytes(child);
      int target = shape.targets().get(c);
      if (target < 0) {
        from += bytes;
        continue;
      }
      byte[] column = new byte[Math.multiplyExact(count, bytes)];
      for (int row = 0; row < count; row++) {
        System.arraycopy(data, row * width + from, column, row * bytes, bytes);
      }
      from += bytes;
      finishFixed(child, column, count, children.get(target));
    }
  }

  private void finishFixed(LeafShape child, byte[] column, int count, FieldVector vector) {
    ValueBlock block = new ValueBlock();
    block.count = count;
    block.bits = PackedShape.bytes(child) * 8L;
    block.data = column;
    finish(child, block, vector);
  }

  private void finish(LeafShape child, ValueBlock block, FieldVector vector) {
    try (LeafBuilder builder = new LeafBuilder(child, allocator, block.count)) {
      builder.append(block, 0, block.count);
      builder.finish(vector, null);
    }
  }

  private void splitVariable(LeafBuilder rows, int count, List<FieldVector> children) {
    byte[] data;
    int[] positions = new int[count + 1];
    try (VarBinaryVector whole = new VarBinaryVector("rows", allocator)) {
      rows.finish(whole, null);
      for (int i = 0; i <= count; i++) {
        positions[i] = count == 0 ? 0 : whole.getOffsetBuffer().getInt(i * 4L);
      }
      data = new byte[positions[count]];
      whole.getDataBuffer().getBytes(0, data);
    }
    Bytes bytes = Bytes.of(data);
    int[] at = positions.clone();
    for (int c = 0; c < shape.children().size(); c++) {
      LeafShape child = shape.children().get(c);
      int target = shape.targets().get(c);
      FieldVector vector = target < 0 ? null : children.get(target);
      if (child.kind() == LeafShape.Kind.VARIABLE) {
        variableChild(bytes, positions, at, child, vector);
      } else {
        fixedChild(bytes, positions, at, child, vector);
      }
    }
    for (int i = 0; i < count; i++) {
      if (at[i] != positions[i + 1]) {
        throw new DecodeException(
            -1, "bytes of a packed row", at[i] - positions[i], positions[i + 1] - positions[i]);
      }
    }
  }

  /**
   * @param vector to fill, or null to step over the child
   */
  private void fixedChild(
      Bytes rows, int[] positions, int[] at, LeafShape child, @Nullable FieldVector vector) {
    int count = positions.length - 1;
    int width = PackedShape.bytes(child);
    byte[] column = new byte[Math.multiplyExact(count, width)];
    for (int i = 0; i < count; i++) {
      if (positions[i] < positions[i + 1]) { // otherwise a null row, which stays zero
        requireInRow(at[i], width, positions[i + 1]);
        System.arraycopy(rows.array(), at[i], column, i * width, width);
        at[i] += width;
      }
    }
    if (vector != null) {
      finishFixed(child, column, count, vector);
    }
  }

  /**
   * @param vector to fill, or null to step over the child
   */
  private void variableChild(
      Bytes rows, int[] positions, int[] at, LeafShape child, @Nullable FieldVector vector) {
    int count = positions.length - 1;
    byte[] column = new byte[rows.length()];
    int[] ends = new int[count + 1];
    int end = 0;
    for (int i = 0; i < count; i++) {
      if (positions[i] < positions[i + 1]) {
        requireInRow(at[i], LENGTH_BYTES, positions[i + 1]);
        long length = rows.u32(at[i]);
        at[i] += LENGTH_BYTES;
        requireInRow(at[i], length, positions[i + 1]);
        System.arraycopy(rows.array(), at[i], column, end, (int) length);
        at[i] += (int) length;
        end += (int) length;
      }
      ends[i + 1] = end;
    }
    if (vector == null) {
      return;
    }
    ValueBlock block = new ValueBlock();
    block.count = count;
    block.bits = 0;
    block.data = column;
    block.offsets = ends;
    finish(child, block, vector);
  }

  private static void requireInRow(int at, long bytes, int end) {
    if (bytes > end - at) {
      throw new DecodeException(-1, "child of a packed row", bytes + " bytes", end - at);
    }
  }
}
