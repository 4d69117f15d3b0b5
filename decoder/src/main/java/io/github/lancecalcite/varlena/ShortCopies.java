package io.github.lancecalcite.varlena;

import org.apache.arrow.memory.util.MemoryUtil;

/** Copies of single values, most of which are short, between places that do not overlap. */
final class ShortCopies {
  /** What {@link #copyBlock} reads and writes. */
  static final long BLOCK_BYTES = 32;

  /** Up to so many bytes, stores by hand beat the call of a copy. */
  private static final long SHORT_BYTES = 256;

  private ShortCopies() {}

  /** Copies {@code bytes}, and touches none beyond. */
  static void copy(long from, long to, long bytes) {
    if (bytes > SHORT_BYTES) {
      MemoryUtil.copyMemory(from, to, bytes);
    } else if (bytes >= BLOCK_BYTES) {
      // the last block may overlap the one before
      int last = (int) (bytes - BLOCK_BYTES);
      for (int i = 0; i < last; i += (int) BLOCK_BYTES) {
        copyBlock(from + i, to + i);
      }
      copyBlock(from + last, to + last);
    } else if (bytes >= Long.BYTES) {
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

  /** Copies a whole block: for shorter values too, where there is room on both sides. */
  static void copyBlock(long from, long to) {
    long a = MemoryUtil.getLong(from);
    long b = MemoryUtil.getLong(from + 8);
    long c = MemoryUtil.getLong(from + 16);
    long d = MemoryUtil.getLong(from + 24);
    MemoryUtil.putLong(to, a);
    MemoryUtil.putLong(to + 8, b);
    MemoryUtil.putLong(to + 16, c);
    MemoryUtil.putLong(to + 24, d);
  }
}
