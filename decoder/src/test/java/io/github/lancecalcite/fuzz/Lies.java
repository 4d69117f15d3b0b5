package io.github.lancecalcite.fuzz;

import java.util.Random;

/** Numbers that files lie with. */
final class Lies {
  private static final long[] BORDERS = {
    0,
    1,
    2,
    3,
    7,
    8,
    9,
    15,
    16,
    31,
    32,
    33,
    63,
    64,
    65,
    127,
    128,
    129,
    255,
    256,
    1023,
    1024,
    1025,
    4095,
    4096,
    32767,
    32768,
    65535,
    65536,
    1 << 20,
    1 << 24,
    1 << 28,
    (1 << 30) - 1,
    1 << 30,
    Integer.MAX_VALUE - 8,
    Integer.MAX_VALUE,
    1L << 31,
    (1L << 32) - 1,
    1L << 32,
    1L << 33,
    1L << 40,
    1L << 48,
    1L << 61,
    1L << 62,
    Long.MAX_VALUE - 1,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    -1,
    -2,
    -8
  };

  private Lies() {}

  /** Another number instead of {@code truth}. */
  static long number(long truth, Random random) {
    while (true) {
      long lie =
          switch (random.nextInt(10)) {
            case 0 -> truth + 1;
            case 1 -> truth - 1;
            case 2 -> truth * 2;
            case 3 -> truth / 2;
            case 4 -> -truth;
            case 5 -> truth ^ 1L << random.nextInt(64);
            case 6 -> truth + random.nextInt(129) - 64;
            case 7 -> truth + (1L << 32);
            default -> BORDERS[random.nextInt(BORDERS.length)];
          };
      if (lie != truth) {
        return lie;
      }
    }
  }
}
