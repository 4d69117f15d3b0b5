package io.github.lancecalcite.dataset;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Validity buffers of Arrow vectors from bit words. */
final class ValidityBuffers {
  private ValidityBuffers() {}

  /**
   * A new buffer owned by the caller.
   *
   * @param words bit i: value i is valid; null when all are
   * @param count number of values
   */
  static ArrowBuf of(long @Nullable [] words, int count, BufferAllocator allocator) {
    int n = (int) ((count + 63L) >>> 6);
    ArrowBuf buffer = allocator.buffer(Math.max(8, n * 8L));
    for (int i = 0; i < n; i++) {
      buffer.setLong(i * 8L, words == null ? -1L : words[i]);
    }
    int tail = count & 63;
    if (tail != 0) { // bits past the end are zero
      long at = (n - 1) * 8L;
      buffer.setLong(at, buffer.getLong(at) & -1L >>> (64 - tail));
    }
    buffer.writerIndex((count + 7L) >>> 3);
    return buffer;
  }
}
