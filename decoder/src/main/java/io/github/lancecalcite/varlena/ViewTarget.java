package io.github.lancecalcite.varlena;

import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseVariableWidthViewVector;

/**
 * Where the long values of one append to a view vector go: into the destination's last data buffer
 * while nobody else holds it and it has room, then into new ones. Values are first {@linkplain
 * #plan planned}, then the new buffers are added, then each piece is {@linkplain #start started}
 * and {@linkplain #end ended} in the same order.
 */
final class ViewTarget {
  private static final long LEAST_BUFFER_BYTES = 64 * 1024;

  private final BaseVariableWidthViewVector to;
  private final long mostBufferBytes;

  /** Bytes that the destination's last data buffer holds already if it is written on, else 0. */
  private final long reusedBytes;

  private final boolean reuses;

  /** The destination's data buffer that gets the first value. */
  private final int firstBuffer;

  /** Bytes planned for each buffer from the first on. */
  private long[] planned = new long[4];

  private int buffers = 1;

  /** Room in the buffer that was planned last. */
  private long room;

  private int index;
  private long base;

  ViewTarget(BaseVariableWidthViewVector to, long mostBufferBytes) {
    this.to = to;
    this.mostBufferBytes = mostBufferBytes;
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
    room = reuses ? free : mostBufferBytes;
    index = firstBuffer;
    base = reusedBytes;
  }

  /** Whether values of so many bytes in all go into the buffer that was planned last. */
  boolean fits(long bytes) {
    return bytes <= room;
  }

  /**
   * Plans values that stay together.
   *
   * @return whether they are the first in a buffer that is not the append's first one
   */
  boolean plan(long bytes) {
    OwnBuffers.checkBytes(0, bytes, mostBufferBytes);
    boolean isNext = bytes > room;
    if (isNext) {
      if (buffers == planned.length) {
        planned = Arrays.copyOf(planned, 2 * buffers);
      }
      buffers++;
      room = mostBufferBytes;
    }
    planned[buffers - 1] += bytes;
    room -= bytes;
    return isNext;
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

  /** Turns to the next buffer. */
  void next() {
    index++;
    base = 0;
  }

  /** Second half of the view of a value that lies so many bytes behind the started piece. */
  long reference(long fill) {
    return index | base + fill << 32;
  }

  /** Address of the next value; 0 when there is no buffer because there is no value. */
  long start() {
    List<ArrowBuf> own = to.getDataBuffers();
    return index < own.size() ? own.get(index).memoryAddress() + base : 0;
  }

  /** Bytes from that address on that are the buffer's. */
  long capacity() {
    List<ArrowBuf> own = to.getDataBuffers();
    return index < own.size() ? own.get(index).capacity() - base : 0;
  }

  /** Says how many bytes were written from the started address on. */
  void end(long bytes) {
    if (bytes > 0) {
      base += bytes;
      to.getDataBuffers().get(index).writerIndex(base);
    }
  }
}
