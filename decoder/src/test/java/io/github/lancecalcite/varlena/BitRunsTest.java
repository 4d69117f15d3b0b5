package io.github.lancecalcite.varlena;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

class BitRunsTest {
  private static boolean bit(ArrowBuf bits, long i) {
    return (bits.getByte(i >>> 3) >>> (i & 7) & 1) != 0;
  }

  @Test
  void bitsAreCopiedFromAnyPositionToAnyPositionAndNoOthersChange() {
    Random random = new Random(3);
    byte[] source = new byte[40];
    random.nextBytes(source);
    try (BufferAllocator allocator = new RootAllocator();
        ArrowBuf from = allocator.buffer(source.length);
        ArrowBuf to = allocator.buffer(64)) {
      from.setBytes(0, source);
      for (int fromBit = 0; fromBit < 17; fromBit++) {
        for (int toBit = 0; toBit < 17; toBit++) {
          for (int count : new int[] {0, 1, 3, 7, 8, 9, 63, 64, 65, 200, 320 - fromBit}) {
            to.setZero(0, 64);
            to.setByte(0, toBit >= 2 ? 3 : 0); // set bits before the stretch
            BitRuns.copy(from.memoryAddress(), fromBit, to.memoryAddress(), toBit, count);
            for (int i = 0; i < 512; i++) {
              boolean inside = i >= toBit && i < toBit + count;
              boolean expected = inside ? bit(from, fromBit + i - toBit) : i < 2 && toBit >= 2;
              if (bit(to, i) != expected) {
                assertThat(bit(to, i))
                    .as("bit %d, from %d to %d, %d bits", i, fromBit, toBit, count)
                    .isEqualTo(expected);
              }
            }
          }
        }
      }
    }
  }

  @Test
  void equalBitsAreWrittenAndNoOthersBelowChange() {
    try (BufferAllocator allocator = new RootAllocator();
        ArrowBuf to = allocator.buffer(32)) {
      for (boolean value : new boolean[] {false, true}) {
        for (int toBit = 0; toBit < 17; toBit++) {
          for (int count : new int[] {0, 1, 3, 7, 8, 9, 63, 64, 65, 200}) {
            for (int at = 0; at < 32; at++) {
              to.setByte(at, 0x55);
            }
            BitRuns.fill(to.memoryAddress(), toBit, count, value);
            assertThat(BitRuns.count(to.memoryAddress(), toBit, count))
                .as("%s from %d, %d bits", value, toBit, count)
                .isEqualTo(value ? count : 0);
            for (int i = 0; i < toBit; i++) {
              assertThat(bit(to, i)).isEqualTo((i & 1) == 0);
            }
          }
        }
      }
    }
  }

  @Test
  void runsThatFollowEachOtherDoNotDisturbEachOther() {
    try (BufferAllocator allocator = new RootAllocator();
        ArrowBuf from = allocator.buffer(8);
        ArrowBuf to = allocator.buffer(8)) {
      from.setLong(0, 0b1011_0110_1101L);
      to.setLong(0, 0);
      BitRuns.copy(from.memoryAddress(), 0, to.memoryAddress(), 0, 3);
      BitRuns.copy(from.memoryAddress(), 5, to.memoryAddress(), 3, 2);
      BitRuns.copy(from.memoryAddress(), 8, to.memoryAddress(), 5, 4);
      assertThat(to.getLong(0)).isEqualTo(0b1011_11_101L);
    }
  }
}
