package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.DecodeException;
import java.io.ByteArrayOutputStream;
import java.util.BitSet;
import java.util.Random;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GrowingBufferTest {
  private final RootAllocator allocator = new RootAllocator();

  @AfterEach
  void noMemoryIsLeft() {
    allocator.close();
  }

  @Test
  void bytesAndNumbersStandOneAfterTheOther() {
    Random random = new Random(1);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    try (GrowingBuffer buffer = new GrowingBuffer(allocator, 0)) {
      for (int i = 0; i < 300; i++) {
        byte[] bytes = new byte[random.nextInt(40)];
        random.nextBytes(bytes);
        int offset = random.nextInt(bytes.length + 1);
        buffer.append(bytes, offset, bytes.length - offset);
        expected.write(bytes, offset, bytes.length - offset);
        buffer.appendInt(i * 0x01010101);
        number(expected, i * 0x01010101L, 4);
        buffer.appendLong(i * 0x0101010101010101L);
        number(expected, i * 0x0101010101010101L, 8);
        assertThat(buffer.bytes()).isEqualTo(expected.size());
      }
      try (ArrowBuf taken = buffer.take()) {
        assertThat(taken.readableBytes()).isEqualTo(expected.size());
        byte[] found = new byte[expected.size()];
        taken.getBytes(0, found);
        assertThat(found).isEqualTo(expected.toByteArray());
      }
      assertThat(buffer.bytes()).isZero();
    }
  }

  private static void number(ByteArrayOutputStream out, long value, int size) {
    for (int i = 0; i < size; i++) {
      out.write((int) (value >>> (8 * i)));
    }
  }

  @Test
  void bitsStandOneAfterTheOtherWhateverTheirStart() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      BitSet expected = new BitSet();
      int count = 0;
      try (GrowingBuffer buffer = new GrowingBuffer(allocator, 0)) {
        for (int step = 0; step < 20; step++) {
          int n = random.nextInt(30);
          if (random.nextBoolean()) {
            boolean value = random.nextBoolean();
            buffer.appendBits(value, n);
            expected.set(count, count + n, value);
          } else {
            byte[] from = new byte[8];
            random.nextBytes(from);
            int start = random.nextInt(30) & (random.nextBoolean() ? -8 : -1);
            buffer.appendBits(from, start, n);
            for (int i = 0; i < n; i++) {
              int bit = start + i;
              expected.set(count + i, (from[bit >> 3] >> (bit & 7) & 1) != 0);
            }
          }
          count += n;
          assertThat(buffer.bits()).isEqualTo(count);
        }
        try (ArrowBuf taken = buffer.take()) {
          assertThat(taken.readableBytes()).isEqualTo((count + 7) / 8);
          for (int i = 0; i < (count + 7) / 8 * 8; i++) { // bits past the end are zero
            assertThat(taken.getByte(i / 8) >> (i % 8) & 1)
                .as("bit %d of %d, seed %d", i, count, seed)
                .isEqualTo(expected.get(i) ? 1 : 0);
          }
        }
      }
    }
  }

  @Test
  void aSourceThatIsTooShortIsRefused() {
    try (GrowingBuffer buffer = new GrowingBuffer(allocator, 64)) {
      assertThatThrownBy(() -> buffer.append(new byte[4], 2, 3))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> buffer.append(new byte[4], -1, 2))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> buffer.appendBits(new byte[4], 16, 17))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> buffer.appendBits(new byte[4], 17, 17))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void moreThanTwoGibibytesAreRefusedBeforeTheyAreAllocated() {
    try (GrowingBuffer buffer = new GrowingBuffer(allocator, 8)) {
      buffer.appendInt(1);
      assertThatThrownBy(() -> buffer.reserve(Integer.MAX_VALUE))
          .isInstanceOf(DecodeException.class)
          .hasMessage(
              "size of a batch's column: expected below 2 GiB; ask for smaller batches, found"
                  + " 2147483651");
      assertThat(allocator.getPeakMemoryAllocation()).isLessThan(1024);
      assertThat(buffer.bytes()).isEqualTo(4);
    }
  }

  @Test
  void aBufferThatCannotGrowIsStillReleased() {
    allocator.setLimit(1000);
    try (GrowingBuffer buffer = new GrowingBuffer(allocator, 512)) {
      assertThatThrownBy(() -> buffer.reserve(5000)).isInstanceOf(OutOfMemoryException.class);
    }
    assertThat(allocator.getAllocatedMemory()).isZero();
  }
}
