package io.github.lancecalcite.varlena;

import org.apache.arrow.memory.util.MemoryUtil;

/** Copies of single values, most of which are short. */
final class ShortCopies {
  /** Up to so many bytes, stores by hand beat the call of a copy. */
  private static final long SHORT_BYTES = 128;

  private ShortCopies() {}

  /** Copies {@code bytes} between places that do not overlap. */
  static void copy(long from, long to, long bytes) {
    if (bytes > SHORT_BYTES) {
      MemoryUtil.copyMemory(from, to, bytes);
    } else if (bytes >= Long.BYTES) {
      // the last eight bytes may overlap those before
      long last = bytes - Long.BYTES;
      for (long i = 0; i < last; i += Long.BYTES) {
        MemoryUtil.putLong(to + i, MemoryUtil.getLong(from + i));
      }
      MemoryUtil.putLong(to + last, MemoryUtil.getLong(from + last));
    } else {
      for (long i = 0; i < bytes; i++) {
        MemoryUtil.putByte(to + i, MemoryUtil.getByte(from + i));
      }
    }
  }
}
