package io.github.lancecalcite.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.DecodeException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PackedBitsTest {
  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private static int bit(byte[] bytes, long i) {
    return bytes[(int) (i / 8)] >>> (i % 8) & 1;
  }

  @Test
  void alignedBitsAreThoseFromTheStartOn() {
    byte[] array = random(20);
    Bytes in = new Bytes(array, 3, 15);
    for (int first = 0; first < 120; first++) {
      for (int count = 0; first + count <= 120; count++) {
        Bytes out = PackedBits.align(in, first, count);
        assertThat(out.length()).isEqualTo((count + 7) / 8);
        for (int i = 0; i < count; i++) {
          if ((out.u8(i / 8) >>> (i % 8) & 1) != bit(array, 24 + first + i)) {
            throw new AssertionError("bit " + i + " of " + count + " from " + first);
          }
        }
      }
    }
  }

  @Test
  void bitsBeyondTheEndAreRefused() {
    Bytes in = new Bytes(random(20), 3, 15);
    assertThatThrownBy(() -> PackedBits.align(in, 113, 8)).isInstanceOf(DecodeException.class);
    assertThatThrownBy(() -> PackedBits.align(in, -8, 8)).isInstanceOf(DecodeException.class);
    assertThatThrownBy(() -> PackedBits.unpack(in, 1, 40, 3, 8, false))
        .isInstanceOf(DecodeException.class);
    assertThatThrownBy(() -> PackedBits.unpack(in, 0, 64, Integer.MAX_VALUE, 8, false))
        .isInstanceOf(DecodeException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1", "7, 1", "8, 1", "9, 2", "13, 4", "31, 4", "32, 4", "33, 8", "63, 8", "64, 8", "5, 16",
    "64, 16"
  })
  void valuesOfAnyWidthAreUnpackedFromAnyBit(int bits, int width) {
    byte[] array = random(200);
    Bytes in = new Bytes(array, 2, 198);
    for (int first = 0; first < 40; first++) {
      int count = Math.min(10, (198 * 8 - first) / bits);
      for (boolean signed : new boolean[] {false, true}) {
        byte[] out = PackedBits.unpack(in, first, bits, count, width, signed);
        assertThat(out).hasSize(count * width);
        for (int i = 0; i < count; i++) {
          long at = 16 + first + (long) i * bits;
          for (int b = 0; b < width * 8; b++) {
            int expected = b < bits ? bit(array, at + b) : signed ? bit(array, at + bits - 1) : 0;
            assertThat(bit(out, (long) i * width * 8 + b))
                .as("bit %d of value %d from %d, signed %s", b, i, first, signed)
                .isEqualTo(expected);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 8, 64", "65, 16, 64", "9, 1, 8", "-1, 8, 64"})
  void widthsThatCannotBeAreRefused(int bits, int width, int most) {
    assertThatThrownBy(() -> PackedBits.unpack(Bytes.of(new byte[99]), 0, bits, 1, width, false))
        .isInstanceOf(DecodeException.class)
        .hasMessage("packed bits at +0: expected 1 to " + most + ", found " + bits);
  }
}
