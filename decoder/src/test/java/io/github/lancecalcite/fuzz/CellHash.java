package io.github.lancecalcite.fuzz;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/** A hash of a cell's value; reads every byte of it, so that a wrong offset is noticed. */
final class CellHash {
  private static final long NULL = 0x9e3779b97f4a7c15L;

  private CellHash() {}

  static long of(FieldVector vector, int i) {
    if (vector.isNull(i)) {
      return NULL;
    }
    if (vector instanceof StructVector v) {
      long hash = 3;
      for (FieldVector child : v.getChildrenFromFields()) {
        hash = mix(hash, of(child, i));
      }
      return hash;
    } else if (vector instanceof FixedSizeListVector v) {
      return items(v.getDataVector(), (long) i * v.getListSize(), (i + 1L) * v.getListSize());
    } else if (vector instanceof LargeListVector v) {
      return items(v.getDataVector(), v.getElementStartIndex(i), v.getElementEndIndex(i));
    } else if (vector instanceof ListVector v) {
      return items(v.getDataVector(), v.getElementStartIndex(i), v.getElementEndIndex(i));
    } else if (vector instanceof BitVector v) {
      return mix(5, v.get(i));
    } else if (vector instanceof BaseFixedWidthVector v) {
      long width = v.getTypeWidth();
      return bytes(v.getDataBuffer(), i * width, (i + 1) * width);
    } else if (vector instanceof BaseVariableWidthVector v) {
      return bytes(v.getDataBuffer(), v.getStartOffset(i), v.getEndOffset(i));
    } else if (vector instanceof BaseLargeVariableWidthVector v) {
      ArrowBuf offsets = v.getOffsetBuffer();
      return bytes(v.getDataBuffer(), offsets.getLong(8L * i), offsets.getLong(8L * i + 8));
    }
    throw new AssertionError("no hash for " + vector.getClass());
  }

  private static long items(FieldVector items, long from, long to) {
    if (from > to || to > items.getValueCount()) {
      throw new AssertionError("list [" + from + ", " + to + ") of " + items.getValueCount());
    }
    long hash = to - from;
    for (long i = from; i < to; i++) {
      hash = mix(hash, of(items, (int) i));
    }
    return hash;
  }

  private static long bytes(ArrowBuf buffer, long from, long to) {
    if (from < 0 || from > to || to > buffer.capacity()) {
      throw new AssertionError("bytes [" + from + ", " + to + ") of " + buffer.capacity());
    }
    long hash = to - from;
    long at = from;
    for (; at + 8 <= to; at += 8) {
      hash = mix(hash, buffer.getLong(at));
    }
    for (; at < to; at++) {
      hash = mix(hash, buffer.getByte(at));
    }
    return hash;
  }

  private static long mix(long hash, long value) {
    long mixed = (hash ^ value) * 0xbf58476d1ce4e5b9L;
    return mixed ^ mixed >>> 29;
  }
}
