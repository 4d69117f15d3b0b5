package io.github.lancecalcite.rowid;

import io.github.lancecalcite.ValueRanges;
import io.github.lancecalcite.format.EncodedU64Array;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Ids one by one, {@code base + value}, stored in 16, 32 or 64 bits. */
abstract class ArraySegment extends IdSegment {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  final byte[] bytes;

  /**
   * Whether the segment says that its ids ascend. Believed only after {@link #bounds} has looked.
   */
  private final boolean declaredSorted;

  /** Made at the first look-up; a scan never needs it. Racy on purpose, it is immutable. */
  private @Nullable Bounds bounds;

  private record Bounds(long min, long max, boolean sorted) {}

  private ArraySegment(byte[] bytes, int width, boolean declaredSorted) {
    super(bytes.length / width);
    this.bytes = bytes;
    this.declaredSorted = declaredSorted;
  }

  static ArraySegment of(EncodedU64Array values, boolean sorted) {
    if (values instanceof EncodedU64Array.U16 u16) {
      return new U16(u16.base(), u16.offsets().clone(), sorted);
    }
    if (values instanceof EncodedU64Array.U32 u32) {
      return new U32(u32.base(), u32.offsets().clone(), sorted);
    }
    return new U64(((EncodedU64Array.U64) values).values().clone(), sorted);
  }

  /** Writes the ids of indexes {@code [index, index + count)}. */
  abstract void copy(int index, long[] destination, int offset, int count);

  private Bounds bounds() {
    Bounds known = bounds;
    if (known == null) {
      long min = -1L;
      long max = 0;
      boolean sorted = declaredSorted;
      long previous = 0;
      for (int i = 0; i < length(); i++) {
        long id = get(i);
        min = Long.compareUnsigned(id, min) < 0 ? id : min;
        max = Long.compareUnsigned(id, max) > 0 ? id : max;
        sorted &= Long.compareUnsigned(previous, id) <= 0;
        previous = id;
      }
      known = new Bounds(min, max, sorted);
      bounds = known;
    }
    return known;
  }

  @Override
  final long min() {
    return bounds().min;
  }

  @Override
  final long max() {
    return bounds().max;
  }

  @Override
  final long indexOf(long id) {
    if (!mayHold(id, id)) {
      return -1;
    }
    if (bounds().sorted) {
      long index = lowerBound(id);
      return index < length() && get(index) == id ? index : -1;
    }
    for (long i = 0; i < length(); i++) {
      if (get(i) == id) {
        return i;
      }
    }
    return -1;
  }

  /** First index whose id is at least {@code id}, of ascending ids. */
  private long lowerBound(long id) {
    long low = 0;
    long high = length();
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (Long.compareUnsigned(get(middle), id) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  final void collect(long low, long high, long base, RowRanges into) {
    if (!mayHold(low, high)) {
      return;
    }
    if (bounds().sorted) {
      into.add(base + lowerBound(low), base + (high == -1L ? length() : lowerBound(high + 1)));
      return;
    }
    collectUnsorted(ValueRanges.closed(low, high), base, into);
  }

  @Override
  final void collect(ValueRanges values, long base, RowRanges into) {
    if (length() > 0 && values.intersects(min(), max())) {
      if (bounds().sorted) {
        super.collect(values, base, into);
      } else {
        collectUnsorted(values, base, into);
      }
    }
  }

  private void collectUnsorted(ValueRanges values, long base, RowRanges into) {
    for (long i = 0; i < length(); i++) {
      if (values.contains(get(i))) {
        into.add(base + i, base + i + 1);
      }
    }
  }

  @Override
  final IdStream stream() {
    return new Stream(this);
  }

  private static final class U16 extends ArraySegment {
    private final long base;

    U16(long base, byte[] bytes, boolean sorted) {
      super(bytes, Short.BYTES, sorted);
      this.base = base;
    }

    @Override
    long get(long index) {
      return base + ((short) SHORT.get(bytes, (int) index * Short.BYTES) & 0xFFFFL);
    }

    @Override
    void copy(int index, long[] destination, int offset, int count) {
      for (int i = 0; i < count; i++) {
        destination[offset + i] =
            base + ((short) SHORT.get(bytes, (index + i) * Short.BYTES) & 0xFFFFL);
      }
    }
  }

  private static final class U32 extends ArraySegment {
    private final long base;

    U32(long base, byte[] bytes, boolean sorted) {
      super(bytes, Integer.BYTES, sorted);
      this.base = base;
    }

    @Override
    long get(long index) {
      return base + Integer.toUnsignedLong((int) INT.get(bytes, (int) index * Integer.BYTES));
    }

    @Override
    void copy(int index, long[] destination, int offset, int count) {
      for (int i = 0; i < count; i++) {
        destination[offset + i] =
            base + Integer.toUnsignedLong((int) INT.get(bytes, (index + i) * Integer.BYTES));
      }
    }
  }

  private static final class U64 extends ArraySegment {
    U64(byte[] bytes, boolean sorted) {
      super(bytes, Long.BYTES, sorted);
    }

    @Override
    long get(long index) {
      return (long) LONG.get(bytes, (int) index * Long.BYTES);
    }

    @Override
    void copy(int index, long[] destination, int offset, int count) {
      for (int i = 0; i < count; i++) {
        destination[offset + i] = (long) LONG.get(bytes, (index + i) * Long.BYTES);
      }
    }
  }

  private static final class Stream extends IdStream {
    private final ArraySegment segment;
    private int next;

    Stream(ArraySegment segment) {
      this.segment = segment;
    }

    @Override
    void seek(long index) {
      next = (int) index;
    }

    @Override
    void fill(long[] destination, int offset, int count) {
      segment.copy(next, destination, offset, count);
      next += count;
    }
  }
}
