package io.github.lancecalcite.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.DecodeException;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Levels in every block form against their writer, written out plainly here. */
class LevelDecoderTest {
  private static final int[] COUNTS = {1, 5, 1023, 1024, 1025, 2048, 2500, 3071};

  @Test
  void bitPackedLevelsHaveAPackedOrARawTail() {
    Random random = new Random(1);
    for (int width = 1; width <= 15; width++) {
      for (int count : COUNTS) {
        short[] levels = levels(random, count, width);
        for (boolean raw : new boolean[] {false, true}) {
          byte[] bytes = pack(levels, width, raw);
          int tail = count % 1024;
          if (raw && tail * 2 == 128 * width) {
            continue; // a packed tail of that size cannot be told from a raw one
          }
          assertThat(decode(LevelDecoder.bitpacked(width), bytes, count))
              .as("W %d, %d levels, raw tail %s", width, count, raw)
              .isEqualTo(levels);
        }
      }
    }
  }

  @Test
  void oneBlockHasItsWidthInFront() {
    Random random = new Random(2);
    for (int count : new int[] {1, 63, 1024}) {
      short[] levels = levels(random, count, 3);
      byte[] packed = pack(levels, 3, false);
      byte[] bytes = new byte[2 + packed.length];
      bytes[0] = 3;
      System.arraycopy(packed, 0, bytes, 2, packed.length);
      assertThat(decode(LevelDecoder.inlineBitpacked(), bytes, count)).isEqualTo(levels);
    }
    byte[] wide = new byte[2 + 128 * 17];
    wide[0] = 17;
    assertThatThrownBy(() -> decode(LevelDecoder.inlineBitpacked(), wide, 5))
        .isInstanceOf(DecodeException.class)
        .hasMessage("packed width at +0: expected 0 to 16 bits, found 17");
    assertThatThrownBy(() -> decode(LevelDecoder.inlineBitpacked(), new byte[2], 1025))
        .isInstanceOf(DecodeException.class);
  }

  @Test
  void runsAreCutAtTheNumberOfLevels() {
    // the format sheet's example: 1 twice, 0 three times
    byte[] bytes = {4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 3};
    assertThat(decode(LevelDecoder.rle(), bytes, 5)).containsExactly(1, 1, 0, 0, 0);
    assertThat(decode(LevelDecoder.rle(), bytes, 4)).containsExactly(1, 1, 0, 0);
    assertThatThrownBy(() -> decode(LevelDecoder.rle(), bytes, 6))
        .isInstanceOf(DecodeException.class)
        .hasMessage("run lengths at +14: expected runs of 6 levels, found 5");
    bytes[0] = 99;
    assertThatThrownBy(() -> decode(LevelDecoder.rle(), bytes, 5))
        .isInstanceOf(DecodeException.class);
  }

  @Test
  void flatAndConstantLevelsAreWhatTheySay() {
    assertThat(decode(LevelDecoder.flat(), new byte[] {1, 0, 2, 1}, 2)).containsExactly(1, 258);
    assertThat(decode(LevelDecoder.constant(7), new byte[0], 3)).containsExactly(7, 7, 7);
    assertThatThrownBy(() -> decode(LevelDecoder.flat(), new byte[5], 3))
        .isInstanceOf(DecodeException.class);
  }

  private static short[] decode(LevelDecoder decoder, byte[] bytes, int count) {
    byte[] shifted = new byte[bytes.length + 4];
    System.arraycopy(bytes, 0, shifted, 4, bytes.length);
    short[] out = new short[count + 2];
    Arrays.fill(out, (short) -9);
    decoder.decode(new Bytes(shifted, 4, bytes.length), count, out, 1);
    assertThat(out[0]).isEqualTo((short) -9);
    assertThat(out[count + 1]).isEqualTo((short) -9);
    return Arrays.copyOfRange(out, 1, count + 1);
  }

  private static short[] levels(Random random, int count, int width) {
    short[] levels = new short[count];
    for (int i = 0; i < count; i++) {
      levels[i] = (short) random.nextInt(1 << width);
    }
    return levels;
  }

  private static byte[] pack(short[] levels, int width, boolean rawTail) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int from = 0; from < levels.length; from += 1024) {
      int n = Math.min(1024, levels.length - from);
      if (rawTail && n < 1024) {
        for (int i = 0; i < n; i++) {
          out.write(levels[from + i]);
          out.write(levels[from + i] >> 8);
        }
      } else {
        long[] block = new long[1024];
        for (int i = 0; i < n; i++) {
          block[i] = levels[from + i] & 0xffff;
        }
        out.writeBytes(FastLanesOracle.pack(block, 16, width));
      }
    }
    return out.toByteArray();
  }
}
