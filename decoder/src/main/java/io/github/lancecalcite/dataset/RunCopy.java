package io.github.lancecalcite.dataset;

import io.github.lancecalcite.varlena.BitRuns;
import io.github.lancecalcite.varlena.VectorUnion;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.VariableWidthFieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.jspecify.annotations.Nullable;

/**
 * Copies the rows of some {@link Runs} of a vector, whatever its type, into a new vector. One bulk
 * copy per run and buffer; a run of lists is a run of its items.
 *
 * <p>Equals: for each row of each run, append the row's value to an empty vector.
 */
final class RunCopy {
  private final BufferAllocator allocator;

  RunCopy(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /** A new vector of {@code runs.rows()} rows, owned by the caller; the source stays as it is. */
  FieldVector copy(FieldVector source, Runs runs) {
    FieldVector copy = source.getField().createVector(allocator);
    try {
      copyInto(copy, source, runs);
    } catch (RuntimeException | Error e) {
      copy.close();
      throw e;
    }
    return copy;
  }

  private void copyInto(FieldVector to, FieldVector from, Runs runs) {
    if (from instanceof NullVector) {
      to.setValueCount(runs.rows());
      return;
    }
    if (from instanceof VariableWidthFieldVector) {
      VectorUnion.into(to).appendSelected(from, runs.toRows(), 0, runs.rows());
      return;
    }
    List<ArrowBuf> buffers = new ArrayList<>(3);
    try {
      buffers.add(bits(from.getValidityBuffer(), runs));
      Runs items = ownBuffers(from, runs, buffers);
      to.loadFieldBuffers(new ArrowFieldNode(runs.rows(), -1), buffers);
      if (items != null) {
        List<FieldVector> sourceChildren = from.getChildrenFromFields();
        List<FieldVector> children = to.getChildrenFromFields();
        for (int i = 0; i < children.size(); i++) {
          copyInto(children.get(i), sourceChildren.get(i), items);
        }
      }
    } finally {
      buffers.forEach(ArrowBuf::close);
    }
  }

  /** Adds the buffers after validity; the rows to copy of each child, or null without children. */
  private @Nullable Runs ownBuffers(FieldVector from, Runs runs, List<ArrowBuf> buffers) {
    if (from instanceof BitVector) {
      buffers.add(bits(from.getDataBuffer(), runs));
      return null;
    }
    if (from instanceof BaseFixedWidthVector fixed) {
      buffers.add(fixed(from.getDataBuffer(), fixed.getTypeWidth(), runs));
      return null;
    }
    if (from instanceof ListVector) { // maps are lists, too
      return offsets(from.getOffsetBuffer(), runs, buffers);
    }
    if (from instanceof LargeListVector) {
      return largeOffsets(from.getOffsetBuffer(), runs, buffers);
    }
    if (from instanceof FixedSizeListVector list) {
      Runs items = new Runs();
      for (int i = 0; i < runs.count(); i++) {
        items.add(
            Math.multiplyExact(runs.start(i), list.getListSize()),
            Math.multiplyExact(runs.length(i), list.getListSize()));
      }
      return items;
    }
    if (from instanceof StructVector) {
      return runs;
    }
    throw new IllegalArgumentException("no way to copy runs of " + from.getField());
  }

  private ArrowBuf fixed(ArrowBuf from, int width, Runs runs) {
    ArrowBuf to = allocator.buffer((long) runs.rows() * width);
    long at = 0;
    for (int i = 0; i < runs.count(); i++) {
      long bytes = (long) runs.length(i) * width;
      to.setBytes(at, from, (long) runs.start(i) * width, bytes);
      at += bytes;
    }
    to.writerIndex(at);
    return to;
  }

  private ArrowBuf bits(ArrowBuf from, Runs runs) {
    long size = (runs.rows() + 7L) >>> 3;
    ArrowBuf to = allocator.buffer((runs.rows() + 63L) >>> 6 << 3);
    to.setZero(0, to.capacity());
    long in = from.memoryAddress();
    long out = to.memoryAddress();
    long at = 0;
    for (int i = 0; i < runs.count(); i++) {
      BitRuns.copy(in, runs.start(i), out, at, runs.length(i));
      at += runs.length(i);
    }
    to.writerIndex(size);
    return to;
  }

  private Runs offsets(ArrowBuf from, Runs runs, List<ArrowBuf> buffers) {
    ArrowBuf to = allocator.buffer((runs.rows() + 1L) * Integer.BYTES);
    buffers.add(to);
    Runs items = new Runs();
    to.setInt(0, 0);
    long out = to.memoryAddress() + Integer.BYTES;
    int end = 0;
    for (int i = 0; i < runs.count(); i++) {
      long in = from.memoryAddress() + (long) runs.start(i) * Integer.BYTES;
      int first = MemoryUtil.getInt(in);
      int delta = end - first;
      int n = runs.length(i);
      for (int row = 1; row <= n; row++) {
        MemoryUtil.putInt(out, MemoryUtil.getInt(in + (long) row * Integer.BYTES) + delta);
        out += Integer.BYTES;
      }
      int last = MemoryUtil.getInt(in + (long) n * Integer.BYTES);
      items.add(first, last - first);
      end += last - first;
    }
    to.writerIndex((runs.rows() + 1L) * Integer.BYTES);
    return items;
  }

  private Runs largeOffsets(ArrowBuf from, Runs runs, List<ArrowBuf> buffers) {
    ArrowBuf to = allocator.buffer((runs.rows() + 1L) * Long.BYTES);
    buffers.add(to);
    Runs items = new Runs();
    to.setLong(0, 0);
    long out = to.memoryAddress() + Long.BYTES;
    long end = 0;
    for (int i = 0; i < runs.count(); i++) {
      long in = from.memoryAddress() + (long) runs.start(i) * Long.BYTES;
      long first = MemoryUtil.getLong(in);
      long delta = end - first;
      int n = runs.length(i);
      for (int row = 1; row <= n; row++) {
        MemoryUtil.putLong(out, MemoryUtil.getLong(in + (long) row * Long.BYTES) + delta);
        out += Long.BYTES;
      }
      long last = MemoryUtil.getLong(in + (long) n * Long.BYTES);
      // a batch holds fewer than 2^31 bytes or items in one vector, large or not
      items.add(Math.toIntExact(first), Math.toIntExact(last - first));
      end += last - first;
    }
    to.writerIndex((runs.rows() + 1L) * Long.BYTES);
    return items;
  }
}
