package io.github.lancecalcite.varlena;

import org.apache.arrow.memory.util.MemoryUtil;

/** Broadcast of one element: the filled prefix is copied behind itself, 1, 2, 4 … elements. */
final class Doubling {
  /** A prefix that still lies in the nearest cache; larger sources would be read from memory. */
  private static final long MOST_BYTES = 32 * 1024;

  private Doubling() {}

  /**
   * Fills {@code [address, address + bytes)} with copies of its first {@code filled} bytes.
   *
   * @param bytes a multiple of {@code filled}, which is above 0
   */
  static void fill(long address, long filled, long bytes) {
    long most = Math.max(filled, MOST_BYTES / filled * filled);
    while (filled < bytes) {
      long n = Math.min(Math.min(filled, most), bytes - filled);
      MemoryUtil.copyMemory(address, address + filled, n);
      filled += n;
    }
  }
}
