package io.github.lancecalcite.dataset;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Loops that write longs to memory outside the heap. The caller has checked that the memory is
 * there. How each is written was measured (ADR 3).
 */
final class OffHeapLongs {
  /** So many values of a fill are stored one by one, the others copied from them. */
  private static final int FILLED_BY_HAND = 128;

  /** Values copied at a time: 4 KiB, so that what is copied is still in L1. */
  private static final int FILLED_AT_ONCE = 512;

  private OffHeapLongs() {}

  /** {@code first, first + 1, …}. */
  static void iota(long address, int count, long first) {
    long end = address + (long) count * Long.BYTES;
    long value = first;
    for (long at = address; at < end; at += Long.BYTES) {
      MemoryUtil.putLong(at, value++);
    }
  }

  /** The same value again and again. */
  static void fill(long address, int count, long value) {
    int done = Math.min(count, FILLED_BY_HAND);
    for (int i = 0; i < done; i++) {
      MemoryUtil.putLong(address + (long) i * Long.BYTES, value);
    }
    while (done < count) {
      int run = Math.min(count - done, Math.min(done, FILLED_AT_ONCE));
      MemoryUtil.copyMemory(address, address + (long) done * Long.BYTES, (long) run * Long.BYTES);
      done += run;
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
