package io.github.lancecalcite.varlena;

import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BaseVariableWidthViewVector;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one append to a view vector: the long values are sized in a first pass over the views
 * and copied in a second, which must see the same views.
 */
final class ViewPayload {
  static final int VIEW_BYTES = 16;
  private static final int MOST_INLINE = 12;
  private static final long LEAST_BUFFER_BYTES = 64 * 1024;

  /** No view refers to data buffer −1. */
  private static final long NO_REFERENCE = -1;

  /** Which bits of an inline view belong to a value, by its length: first and second long. */
  private static final long[] FIRST_BITS = new long[MOST_INLINE + 1];

  private static final long[] SECOND_BITS = new long[MOST_INLINE + 1];

  static {
    for (int length = 0; length <= MOST_INLINE; length++) {
      FIRST_BITS[length] = length >= 4 ? -1 : (1L << 32 + 8 * length) - 1;
      SECOND_BITS[length] =
          length == MOST_INLINE ? -1 : length <= 4 ? 0 : (1L << 8 * (length - 4)) - 1;
    }
  }

  private final BaseVariableWidthViewVector to;
  private final long mostBufferBytes;

  /** The source's data buffers; as numbers, because the source may be the destination. */
  private final long[] addresses;

  private final long[] capacities;

  /** Bytes that the destination's last data buffer holds already if it is written on, else 0. */
  private final long reusedBytes;

  private final boolean reuses;

  /** The destination's data buffer that gets the first value, and the room in it. */
  private final int firstBuffer;

  private final long firstRoom;

  /** Bytes planned for each buffer from the first on. */
  private long[] planned = new long[4];

  private int buffers = 1;

  ViewPayload(List<ArrowBuf> from, BaseVariableWidthViewVector to, long mostBufferBytes) {
    this.to = to;
    this.mostBufferBytes = mostBufferBytes;
    this.addresses = from.stream().mapToLong(ArrowBuf::memoryAddress).toArray();
    this.capacities = from.stream().mapToLong(ArrowBuf::capacity).toArray();
    List<ArrowBuf> own = to.getFieldBuffers();
    int last = own.size() - 1;
    long used = 0;
    long free = 0;
    if (last >= 2 && !OwnBuffers.isShared(own, last)) {
      used = own.get(last).writerIndex();
      free = Math.min(own.get(last).capacity(), mostBufferBytes) - used;
    }
    reuses = free > 0;
    reusedBytes = reuses ? used : 0;
    firstBuffer = last - 2 + (reuses ? 0 : 1);
    firstRoom = reuses ? free : mostBufferBytes;
  }

  private static boolean isInline(int length) {
    return length >= 0 && length <= MOST_INLINE;
  }

  /** Checks and counts the long values of the rows that are valid. */
  void plan(long views, long validity, int @Nullable [] rows, int from, int count) {
    long fill = 0;
    long room = firstRoom;
    long reference = NO_REFERENCE;
    int length = 0;
    for (int i = from; i < from + count; i++) {
      int row = rows == null ? i : rows[i];
      if (!Rows.isValid(validity, row)) {
        continue;
      }
      long view = views + (long) row * VIEW_BYTES;
      int bytes = MemoryUtil.getInt(view);
      if (isInline(bytes)) {
        continue;
      }
      long at = MemoryUtil.getLong(view + 8);
      if (at == reference && bytes == length) {
        continue;
      }
      check(bytes, at);
      if (bytes > room - fill) {
        planned[buffers - 1] = fill;
        if (buffers == planned.length) {
          planned = Arrays.copyOf(planned, 2 * buffers);
        }
        buffers++;
        fill = 0;
        room = mostBufferBytes;
      }
      fill += bytes;
      reference = at;
      length = bytes;
    }
    planned[buffers - 1] = fill;
  }

  private void check(int bytes, long reference) {
    int index = (int) reference;
    int offset = (int) (reference >> 32);
    if (bytes < 0
        || index < 0
        || index >= capacities.length
        || offset < 0
        || (long) offset + bytes > capacities[index]) {
      throw new IndexOutOfBoundsException(
          "view of " + bytes + " bytes at " + offset + " of data buffer " + index);
    }
    if (bytes > mostBufferBytes) {
      OwnBuffers.checkBytes(0, bytes, mostBufferBytes);
    }
  }

  /** Sizes of the buffers to open. */
  long[] newBuffers() {
    long[] sizes = new long[buffers];
    int count = 0;
    for (int i = reuses ? 1 : 0; i < buffers; i++) {
      long bytes = planned[i];
      if (bytes > 0 && i == buffers - 1) {
        // room for the appends to come, more with each buffer
        long roomy = Math.max(LEAST_BUFFER_BYTES, Math.min(2 * lastCapacity(), 16 * bytes));
        bytes = Math.min(Math.max(bytes, roomy), mostBufferBytes);
      }
      if (bytes > 0) {
        sizes[count++] = bytes;
      }
    }
    return Arrays.copyOf(sizes, count);
  }

  private long lastCapacity() {
    List<ArrowBuf> own = to.getDataBuffers();
    return own.isEmpty() ? 0 : own.get(own.size() - 1).capacity();
  }

  /**
   * Writes the views of the rows, and the values that {@link #plan} counted; neighbours in memory
   * are copied in one go. The buffers are there by now.
   *
   * @param firstRow the destination's row that gets the first one
   */
  void copy(long views, long validity, int @Nullable [] rows, int from, int count, int firstRow) {
    long out = to.getDataBuffer().memoryAddress() + (long) firstRow * VIEW_BYTES;
    Target target = new Target();
    long fill = 0;
    long place = 0;
    long reference = NO_REFERENCE;
    int length = 0;
    // neighbours that are not copied yet
    long runFrom = 0;
    long runBytes = 0;
    for (int i = from; i < from + count; i++, out += VIEW_BYTES) {
      int row = rows == null ? i : rows[i];
      if (!Rows.isValid(validity, row)) {
        MemoryUtil.putLong(out, 0);
        MemoryUtil.putLong(out + 8, 0);
        continue;
      }
      long view = views + (long) row * VIEW_BYTES;
      long first = MemoryUtil.getLong(view);
      long at = MemoryUtil.getLong(view + 8);
      int bytes = (int) first;
      if (isInline(bytes)) {
        // views compare by their 16 bytes, so that what lies behind a short value must be zero
        MemoryUtil.putLong(out, first & FIRST_BITS[bytes]);
        MemoryUtil.putLong(out + 8, at & SECOND_BITS[bytes]);
        continue;
      }
      if (at != reference || bytes != length) {
        long value = addresses[(int) at] + (at >>> 32);
        boolean fits = bytes <= target.room - fill;
        if (!fits || value != runFrom + runBytes) {
          ShortCopies.copy(runFrom, target.address + fill - runBytes, runBytes);
          runFrom = value;
          runBytes = 0;
          if (!fits) {
            target.next(fill);
            fill = 0;
          }
        }
        place = target.base + fill;
        fill += bytes;
        runBytes += bytes;
        reference = at;
        length = bytes;
      }
      MemoryUtil.putLong(out, first); // length and prefix
      MemoryUtil.putLong(out + 8, target.index | place << 32);
    }
    ShortCopies.copy(runFrom, target.address + fill - runBytes, runBytes);
    target.end(fill);
  }

  /** The destination's data buffer that values go to. */
  private final class Target {
    private int index = firstBuffer;

    /** Bytes before the first value, which lies at the address. */
    private long base = reusedBytes;

    private long address = address();
    private long room = firstRoom;

    private long address() {
      List<ArrowBuf> own = to.getDataBuffers();
      return index < own.size() ? own.get(index).memoryAddress() + base : 0;
    }

    void end(long fill) {
      if (fill > 0) {
        to.getDataBuffers().get(index).writerIndex(base + fill);
      }
    }

    void next(long fill) {
      end(fill);
      index++;
      base = 0;
      address = address();
      room = mostBufferBytes;
    }
  }
}
