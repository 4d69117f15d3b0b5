package io.github.lancecalcite.dataset;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import org.apache.arrow.memory.util.MemoryUtil;

/** Copies of single values, most of which are short, from arrays to raw memory. */
final class ShortCopies {
  /** Up to so many bytes, stores by hand beat the call of a copy. */
  private static final int SHORT_BYTES = 64;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private ShortCopies() {}

  /**
   * Copies {@code length} bytes.
   *
   * @throws IndexOutOfBoundsException if the array has no such bytes
   */
  static void copy(byte[] from, int offset, long to, int length) {
    Objects.checkFromIndexSize(offset, length, from.length);
    if (length > SHORT_BYTES) {
      MemoryUtil.copyToMemory(from, offset, to, length);
    } else if (length >= Long.BYTES) {
      // the last eight bytes may overlap those before
      int last = length - Long.BYTES;
      for (int i = 0; i < last; i += Long.BYTES) {
        MemoryUtil.putLong(to + i, (long) LONGS.get(from, offset + i));
      }
      MemoryUtil.putLong(to + last, (long) LONGS.get(from, offset + last));
    } else {
      for (int i = 0; i < length; i++) {
        MemoryUtil.putByte(to + i, from[offset + i]);
      }
    }
  }

  /** Copies 16 bytes. */
  static void copy16(byte[] from, int offset, long to) {
    MemoryUtil.putLong(to, (long) LONGS.get(from, offset));
    MemoryUtil.putLong(to + Long.BYTES, (long) LONGS.get(from, offset + Long.BYTES));
  }
}
