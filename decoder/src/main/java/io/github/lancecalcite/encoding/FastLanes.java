package io.github.lancecalcite.encoding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Unpacks FastLanes blocks: 1,024 values of T ∈ {8, 16, 32, 64} bits, packed to W ≤ T bits in
 * {@code 128·W} bytes.
 *
 * <p>Byte map: words of T bits, little-endian. With L = 1024 / T lanes, lane ℓ owns the words ℓ, ℓ
 * + L, ℓ + 2L, …; it holds T values back to back, least significant bit first, and its r-th value
 * has index {@code ORDER[r / 8]·16 + (r mod 8)·128 + ℓ}.
 *
 * <p>Holds scratch; not safe for threads.
 */
public final class FastLanes {
  /** Values of a block. */
  public static final int BLOCK = 1024;

  private static final int[] ORDER = {0, 4, 2, 6, 1, 5, 3, 7};

  private final byte[] bytes = new byte[BLOCK];
  private final byte[] packedBytes = new byte[BLOCK];
  private final short[] shorts = new short[BLOCK];
  private final short[] packedShorts = new short[BLOCK];
  private final int[] ints = new int[BLOCK];
  private final int[] packedInts = new int[BLOCK];
  private final long[] longs = new long[BLOCK];
  private final long[] packedLongs = new long[BLOCK];

  /** Bytes of a packed block. */
  public static int packedBytes(int width) {
    return BLOCK / 8 * width;
  }

  /**
   * Unpacks one block and writes its first {@code count} values, T bits each, little-endian.
   *
   * @param bits T
   * @param width W, from 0 to T; the caller has checked that {@link #packedBytes} bytes are there
   */
  public void unpack(
      int bits, int width, byte[] from, int fromOffset, byte[] to, int toOffset, int count) {
    ByteBuffer in =
        ByteBuffer.wrap(from, fromOffset, packedBytes(width)).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer out =
        ByteBuffer.wrap(to, toOffset, count * (bits / 8)).order(ByteOrder.LITTLE_ENDIAN);
    switch (bits) {
      case 8 -> {
        in.get(packedBytes, 0, 128 * width);
        unpack8(packedBytes, width, bytes);
        out.put(bytes, 0, count);
      }
      case 16 -> {
        in.asShortBuffer().get(packedShorts, 0, 64 * width);
        unpack16(packedShorts, width, shorts);
        out.asShortBuffer().put(shorts, 0, count);
      }
      case 32 -> {
        in.asIntBuffer().get(packedInts, 0, 32 * width);
        unpack32(packedInts, width, ints);
        out.asIntBuffer().put(ints, 0, count);
      }
      case 64 -> {
        in.asLongBuffer().get(packedLongs, 0, 16 * width);
        unpack64(packedLongs, width, longs);
        out.asLongBuffer().put(longs, 0, count);
      }
      default -> throw new IllegalArgumentException("no FastLanes block of " + bits + " bits");
    }
  }

  /** As {@link #unpack} for 16 bits, straight into an array of levels. */
  public void unpackShorts(
      int width, byte[] from, int fromOffset, short[] to, int toOffset, int count) {
    ByteBuffer.wrap(from, fromOffset, packedBytes(width))
        .order(ByteOrder.LITTLE_ENDIAN)
        .asShortBuffer()
        .get(packedShorts, 0, 64 * width);
    unpack16(packedShorts, width, shorts);
    System.arraycopy(shorts, 0, to, toOffset, count);
  }

  // One loop per word size. The inner loop runs over the lanes, which lie next to each other on
  // both
  // sides, with everything else constant: the shape that HotSpot turns into vector instructions.

  private static void unpack8(byte[] in, int width, byte[] out) {
    int mask = (1 << width) - 1;
    for (int r = 0; r < 8; r++) {
      int base = r * 128;
      int p = r * width;
      int k = (p >>> 3) * 128;
      int s = p & 7;
      if (width == 0) {
        Arrays.fill(out, base, base + 128, (byte) 0);
      } else if (s + width <= 8) {
        for (int l = 0; l < 128; l++) {
          out[base + l] = (byte) ((in[k + l] & 0xff) >>> s & mask);
        }
      } else {
        for (int l = 0; l < 128; l++) {
          out[base + l] =
              (byte) (((in[k + l] & 0xff) >>> s | (in[k + 128 + l] & 0xff) << (8 - s)) & mask);
        }
      }
    }
  }

  private static void unpack16(short[] in, int width, short[] out) {
    int mask = (1 << width) - 1;
    for (int r = 0; r < 16; r++) {
      int base = ORDER[r >>> 3] * 16 + (r & 7) * 128;
      int p = r * width;
      int k = (p >>> 4) * 64;
      int s = p & 15;
      if (width == 0) {
        Arrays.fill(out, base, base + 64, (short) 0);
      } else if (s + width <= 16) {
        for (int l = 0; l < 64; l++) {
          out[base + l] = (short) ((in[k + l] & 0xffff) >>> s & mask);
        }
      } else {
        for (int l = 0; l < 64; l++) {
          out[base + l] =
              (short) (((in[k + l] & 0xffff) >>> s | (in[k + 64 + l] & 0xffff) << (16 - s)) & mask);
        }
      }
    }
  }

  private static void unpack32(int[] in, int width, int[] out) {
    int mask = width == 32 ? -1 : (1 << width) - 1;
    for (int r = 0; r < 32; r++) {
      int base = ORDER[r >>> 3] * 16 + (r & 7) * 128;
      int p = r * width;
      int k = (p >>> 5) * 32;
      int s = p & 31;
      if (width == 0) {
        Arrays.fill(out, base, base + 32, 0);
      } else if (s + width <= 32) {
        for (int l = 0; l < 32; l++) {
          out[base + l] = in[k + l] >>> s & mask;
        }
      } else {
        for (int l = 0; l < 32; l++) {
          out[base + l] = (in[k + l] >>> s | in[k + 32 + l] << (32 - s)) & mask;
        }
      }
    }
  }

  private static void unpack64(long[] in, int width, long[] out) {
    long mask = width == 64 ? -1 : (1L << width) - 1;
    for (int r = 0; r < 64; r++) {
      int base = ORDER[r >>> 3] * 16 + (r & 7) * 128;
      int p = r * width;
      int k = (p >>> 6) * 16;
      int s = p & 63;
      if (width == 0) {
        Arrays.fill(out, base, base + 16, 0);
      } else if (s + width <= 64) {
        for (int l = 0; l < 16; l++) {
          out[base + l] = in[k + l] >>> s & mask;
        }
      } else {
        for (int l = 0; l < 16; l++) {
          out[base + l] = (in[k + l] >>> s | in[k + 16 + l] << (64 - s)) & mask;
        }
      }
    }
  }
}
