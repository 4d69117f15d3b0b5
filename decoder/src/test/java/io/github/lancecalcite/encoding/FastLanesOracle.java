package io.github.lancecalcite.encoding;

/** Packs FastLanes blocks one bit at a time, as the format describes them. */
public final class FastLanesOracle {
  private FastLanesOracle() {}

  public static byte[] pack(long[] values, int bits, int width) {
    byte[] packed = new byte[128 * width];
    int lanes = 1024 / bits;
    int[] order = {0, 4, 2, 6, 1, 5, 3, 7};
    for (int lane = 0; lane < lanes; lane++) {
      for (int row = 0; row < bits; row++) {
        int index = order[row / 8] * 16 + (row % 8) * 128 + lane;
        for (int bit = 0; bit < width; bit++) {
          int position = row * width + bit; // in the lane
          int word = position / bits * lanes + lane;
          int inFile = word * bits + position % bits;
          if ((values[index] >>> bit & 1) != 0) {
            packed[inFile / 8] |= (byte) (1 << (inFile % 8));
          }
        }
      }
    }
    return packed;
  }

  static long number(byte[] bytes, int at, int size) {
    long value = 0;
    for (int i = size - 1; i >= 0; i--) {
      value = value << 8 | (bytes[at + i] & 0xff);
    }
    return value;
  }

  static void put(byte[] bytes, int at, long value, int size) {
    for (int i = 0; i < size; i++) {
      bytes[at + i] = (byte) (value >>> (8 * i));
    }
  }
}
