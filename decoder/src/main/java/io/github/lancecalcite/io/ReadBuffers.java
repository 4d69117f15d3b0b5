package io.github.lancecalcite.io;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Direct, little-endian buffers of {@link ChecksummedLayout#READ_BYTES} that are checked out and
 * in.
 *
 * <p>Not thread-local: a reader that stands on another reader holds two at a time, and virtual
 * threads would each keep one. Direct, because the JDK reads into an array through a hidden direct
 * buffer of the thread and copies once more.
 */
final class ReadBuffers {
  /** 8 MiB: more threads than this read at once only briefly; the rest is left to the collector. */
  private static final int MOST_KEPT = 64;

  private static final ConcurrentLinkedQueue<ByteBuffer> FREE = new ConcurrentLinkedQueue<>();
  private static final AtomicInteger KEPT = new AtomicInteger();
  private static final AtomicInteger OUT = new AtomicInteger();

  private ReadBuffers() {}

  /** A buffer to be given back with {@link #checkIn}, of unknown content. */
  static ByteBuffer checkOut() {
    OUT.incrementAndGet();
    ByteBuffer buffer = FREE.poll();
    if (buffer != null) {
      KEPT.decrementAndGet();
      return buffer.clear();
    }
    return ByteBuffer.allocateDirect(ChecksummedLayout.READ_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  static void checkIn(ByteBuffer buffer) {
    OUT.decrementAndGet();
    if (KEPT.incrementAndGet() <= MOST_KEPT) {
      FREE.add(buffer);
    } else {
      KEPT.decrementAndGet();
    }
  }

  /** Buffers checked out now. */
  static int out() {
    return OUT.get();
  }
}
