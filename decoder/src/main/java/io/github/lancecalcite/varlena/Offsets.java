package io.github.lancecalcite.varlena;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Offset buffers of variable-length vectors in raw memory: n + 1 ends of 4 or 8 bytes, in the
 * machine's byte order, of which the first need not be 0.
 */
final class Offsets {
  private Offsets() {}

  static long get(long address, boolean large, long i) {
    return large ? MemoryUtil.getLong(address + i * 8) : MemoryUtil.getInt(address + i * 4);
  }

  static void put(long address, boolean large, long i, long value) {
    if (large) {
      MemoryUtil.putLong(address + i * 8, value);
    } else {
      MemoryUtil.putInt(address + i * 4, (int) value);
    }
  }

  /** Copies {@code count} ends and adds {@code delta} to each. */
  static void rebase(long from, long to, boolean large, int count, long delta) {
    if (delta == 0) {
      MemoryUtil.copyMemory(from, to, (long) count * (large ? 8 : 4));
    } else if (large) {
      for (int i = 0; i < count; i++) {
        MemoryUtil.putLong(to + i * 8L, MemoryUtil.getLong(from + i * 8L) + delta);
      }
    } else {
      int shift = (int) delta;
      for (int i = 0; i < count; i++) {
        MemoryUtil.putInt(to + i * 4L, MemoryUtil.getInt(from + i * 4L) + shift);
      }
    }
  }

  /** Writes {@code base + step}, {@code base + 2 · step} and so on. */
  static void ramp(long to, boolean large, int count, long base, long step) {
    if (large) {
      for (int i = 0; i < count; i++) {
        MemoryUtil.putLong(to + i * 8L, base + (i + 1) * step);
      }
    } else {
      for (int i = 0; i < count; i++) {
        MemoryUtil.putInt(to + i * 4L, (int) (base + (i + 1) * step));
      }
    }
  }
}
