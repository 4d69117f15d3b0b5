package io.github.lancecalcite.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The unpacker against packing one bit at a time, for every word size and width. */
class FastLanesTest {
  @ParameterizedTest
  @ValueSource(ints = {8, 16, 32, 64})
  void everyWidthUnpacksToWhatWasPackedBitByBit(int bits) {
    Random random = new Random(7);
    FastLanes lanes = new FastLanes();
    for (int width = 0; width <= bits; width++) {
      long[] values = values(random, width);
      byte[] packed = FastLanesOracle.pack(values, bits, width);
      byte[] from = new byte[packed.length + 3];
      System.arraycopy(packed, 0, from, 3, packed.length);
      for (int count : new int[] {0, 1, 7, 64, 1000, 1023, 1024}) {
        byte[] to = new byte[5 + count * bits / 8 + 2];
        to[4] = 99;
        to[to.length - 2] = 98;
        lanes.unpack(bits, width, from, 3, to, 5, count);
        for (int i = 0; i < count; i++) {
          assertThat(FastLanesOracle.number(to, 5 + i * bits / 8, bits / 8))
              .as("T %d, W %d, value %d", bits, width, i)
              .isEqualTo(values[i]);
        }
        assertThat(to[4]).isEqualTo((byte) 99);
        assertThat(to[to.length - 2]).isEqualTo((byte) 98);
      }
    }
  }

  @Test
  void levelsUnpackStraightIntoTheirArray() {
    Random random = new Random(8);
    FastLanes lanes = new FastLanes();
    for (int width = 0; width <= 16; width++) {
      long[] values = values(random, width);
      byte[] packed = FastLanesOracle.pack(values, 16, width);
      short[] to = new short[1030];
      lanes.unpackShorts(width, packed, 0, to, 3, 1024);
      for (int i = 0; i < 1024; i++) {
        assertThat(to[3 + i] & 0xffffL).as("W %d, value %d", width, i).isEqualTo(values[i]);
      }
    }
  }

  private static long[] values(Random random, int width) {
    long[] values = new long[FastLanes.BLOCK];
    for (int i = 0; i < values.length; i++) {
      long mask = width == 64 ? -1 : (1L << width) - 1;
      values[i] = (i & 3) == 0 ? mask : random.nextLong() & mask;
    }
    return values;
  }
}
