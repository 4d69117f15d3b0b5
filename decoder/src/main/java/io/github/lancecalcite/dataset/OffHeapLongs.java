package io.github.lancecalcite.dataset;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Loops that write longs to memory outside the heap. The caller has checked that the memory is
 * there. One store per value: HotSpot makes of them what it makes of a loop over a {@code long[]}
 * (measured in ADR 3).
 */
final class OffHeapLongs {
  private OffHeapLongs() {}

  /** {@code first, first + 1, …}. */
  static void iota(long address, int count, long first) {
    for (int i = 0; i < count; i++) {
      MemoryUtil.putLong(address + (long) i * Long.BYTES, first + i);
    }
  }

  /** The same value again and again. */
  static void fill(long address, int count, long value) {
    for (int i = 0; i < count; i++) {
      MemoryUtil.putLong(address + (long) i * Long.BYTES, value);
    }
  }

  /** The first {@code count} values of an array. */
  static void copy(long[] values, int count, long address) {
    for (int i = 0; i < count; i++) {
      MemoryUtil.putLong(address + (long) i * Long.BYTES, values[i]);
    }
  }

  /** The first {@code count} values of an array, each plus a constant. */
  static void copyPlus(long[] values, int count, long plus, long address) {
    for (int i = 0; i < count; i++) {
      MemoryUtil.putLong(address + (long) i * Long.BYTES, values[i] + plus);
    }
  }
}
