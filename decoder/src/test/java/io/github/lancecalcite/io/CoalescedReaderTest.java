package io.github.lancecalcite.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.CorruptFileException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CoalescedReaderTest {
  private final byte[] bytes = new byte[1 << 20];
  private final CountingReader file = new CountingReader(new BytesReader("f", bytes));

  CoalescedReaderTest() {
    new Random(1).nextBytes(bytes);
  }

  private void assertRead(CoalescedReader reader, int offset, int length) throws IOException {
    byte[] wanted = Arrays.copyOfRange(bytes, offset, offset + length);
    assertThat(reader.read(offset, length)).isEqualTo(wanted);
    byte[] into = new byte[length + 2];
    reader.read(offset, into, 1, length);
    assertThat(Arrays.copyOfRange(into, 1, length + 1)).isEqualTo(wanted);
  }

  @Test
  void smallNeighboursTakeOneRead() throws IOException {
    long[][] pages = new long[100][];
    for (int i = 0; i < 100; i++) {
      pages[i] = new long[] {i * 1024L, i * 1024L + 1000};
    }
    CoalescedReader reader = new CoalescedReader(file, pages);
    for (long[] page : pages) {
      assertRead(reader, (int) page[0], 1000);
    }
    assertThat(file.reads).hasValue(1);
  }

  @Test
  void holesAboveTheGapAreNotReadOver() throws IOException {
    int gap = CoalescedReader.GAP_BYTES;
    long[][] pages = {{0, 100}, {100 + gap, 200 + gap}, {201 + 2 * gap, 300 + 2 * gap}};
    CoalescedReader reader = new CoalescedReader(file, pages);
    assertRead(reader, 0, 100);
    assertRead(reader, 100 + gap, 100);
    assertThat(file.reads).hasValue(1);
    assertRead(reader, 201 + 2 * gap, 99);
    assertThat(file.reads).hasValue(3); // alone it is passed through, both times
  }

  @Test
  void theWindowIsBounded() throws IOException {
    long[][] pages = {{0, 1000}, {1000, 1 << 19}, {1 << 19, 1 << 20}};
    CoalescedReader reader = new CoalescedReader(file, pages);
    assertRead(reader, 0, 1000);
    assertRead(reader, 1000, (1 << 19) - 1000);
    assertThat(file.reads).hasValue(4);
  }

  @Test
  void anyReadGivesTheFilesBytes() throws IOException {
    Random random = new Random(2);
    for (int round = 0; round < 200; round++) {
      long[][] pages = new long[random.nextInt(40)][];
      for (int i = 0; i < pages.length; i++) {
        int start = random.nextInt(bytes.length);
        pages[i] = new long[] {start, Math.min(bytes.length, start + random.nextInt(30_000))};
      }
      CoalescedReader reader = new CoalescedReader(file, pages);
      for (int i = 0; i < 20; i++) {
        int offset = random.nextInt(bytes.length);
        int most = Math.min(bytes.length - offset, 1 << random.nextInt(19));
        assertRead(reader, offset, random.nextInt(most + 1));
      }
    }
  }

  @Test
  void rangesOutsideOfTheFileAreCorruptAsBefore() {
    CoalescedReader reader = new CoalescedReader(file, new long[][] {{0, 100}});
    for (long offset : new long[] {-1, bytes.length - 1, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> reader.read(offset, 2)).isInstanceOf(CorruptFileException.class);
    }
  }
}
