package io.github.lancecalcite.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.lancecalcite.CorruptFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChecksummedFileTest {
  /** More than one read's worth in a single block. */
  private static final int HUGE = 200_000;

  @AfterEach
  void everyBufferIsCheckedIn() {
    assertThat(ReadBuffers.out()).isZero();
  }

  @Test
  void goldenFileOfEightByteBlocks() throws IOException {
    byte[] file = HexFormat.of().parseHex("202322ac30313233343536379434" + "6a643839");
    assertThat(BlockOracle.file("0123456789".getBytes(StandardCharsets.US_ASCII), 8))
        .isEqualTo(file);
    assertThat(open(file, 8).read(0, 10)).asString().isEqualTo("0123456789");
  }

  @Test
  void goldenChecksumsOfTheUsualBlockSize() {
    byte[] content = new byte[5000];
    Arrays.fill(content, (byte) 'a');
    byte[] file = BlockOracle.file(content, 2044);
    assertThat(file).hasSize(5012);
    HexFormat hex = HexFormat.of();
    assertThat(hex.formatHex(file, 0, 4)).isEqualTo("a8e2ff1f");
    assertThat(hex.formatHex(file, 2048, 2052)).isEqualTo("a8e2ff1f");
    assertThat(hex.formatHex(file, 4096, 4100)).isEqualTo("a0b8b302");
    assertThat(ChecksummedLayout.crc("123456789".getBytes(StandardCharsets.US_ASCII), 0, 9))
        .isEqualTo(0xe3069283);
    assertThat(ChecksummedLayout.crc(new byte[2044], 0, 2044)).isEqualTo(0x954f7b20);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 2044, HUGE})
  void offsetsMapOneByOne(int contentBytes) {
    ChecksummedLayout layout = new ChecksummedLayout(contentBytes);
    long physical = 0;
    for (long content = 0; content <= 3L * contentBytes + 1; content++) {
      if (content % contentBytes == 0) {
        physical += 4;
      }
      assertThat(layout.physicalOffset(content)).isEqualTo(physical);
      physical++;
      assertThat(layout.physicalSize(content + 1)).isEqualTo(physical);
      assertThat(layout.contentSize(physical)).isEqualTo(content + 1);
    }
    assertThat(layout.physicalSize(0)).isZero();
    assertThat(layout.contentSize(0)).isZero();
  }

  @Test
  void sizesNearTheLimitOfLongDoNotWrap() {
    assertThatThrownBy(() -> new ChecksummedLayout(8).physicalOffset(Long.MAX_VALUE))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> new ChecksummedLayout(8).physicalSize(Long.MAX_VALUE))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> new ChecksummedLayout(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({"2044, 5242880", "64, 262144", "8, 20000", "200000, 1500000"})
  void threeThousandRandomWindows(int contentBytes, int size) throws IOException {
    Random random = new Random(42);
    byte[] content = random(random, size);
    ChecksummedFile file = open(BlockOracle.file(content, contentBytes), contentBytes);
    ChecksummedLayout layout = new ChecksummedLayout(contentBytes);
    int chunk = layout.blocksPerRead() * contentBytes;
    List<int[]> windows = new ArrayList<>();
    for (int length :
        new int[] {chunk - 1, chunk, chunk + 1, 3 * chunk + contentBytes, 3 << 20, 0, 1}) {
      windows.add(new int[] {0, length});
      windows.add(new int[] {size / 2, length});
      windows.add(new int[] {size, length});
      windows.add(new int[] {size + 1, length});
    }
    for (int i = 0; i < 3000; i++) {
      windows.add(new int[] {random.nextInt(size + 4096), 1 + random.nextInt(3 * chunk)});
    }
    for (int[] window : windows) {
      assertWindow(file, content, window[0], window[1]);
    }
  }

  /**
   * The contract of a read: as many bytes as there are, −1 only if there are none and some asked.
   */
  private static void assertWindow(ChecksummedFile file, byte[] content, int offset, int length)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length + 2).position(1).limit(length + 1);
    int count = file.readSome(offset, buffer);
    int there = Math.max(0, Math.min(length, content.length - offset));
    String where = "window " + offset + " + " + length;
    assertThat(count).as(where).isEqualTo(length == 0 ? 0 : there == 0 ? -1 : there);
    assertThat(buffer.position()).as(where).isEqualTo(1 + there);
    int from = Math.min(offset, content.length);
    boolean equal = Arrays.equals(buffer.array(), 1, 1 + there, content, from, from + there);
    assertThat(equal).as(where).isTrue();
    assertThat(buffer.array()[0] | buffer.array()[1 + there]).as("outside of " + where).isZero();
    if (offset + (long) length <= content.length) {
      assertThat(Arrays.equals(file.read(offset, length), 0, length, content, from, from + length))
          .as(where)
          .isTrue();
    } else {
      assertThatThrownBy(() -> file.read(offset, length)).isInstanceOf(CorruptFileException.class);
    }
  }

  @Test
  void everyContentLengthAndEverySuffixOfSmallBlocks() throws IOException {
    for (int length = 0; length < 32; length++) {
      byte[] content = random(new Random(length), length);
      byte[] bytes = BlockOracle.file(content, 8);
      assertThat(bytes).hasSize(length / 8 * 12 + (length % 8 == 0 ? 0 : 4 + length % 8));
      ChecksummedFile file = open(bytes, 8);
      assertThat(file.size()).isEqualTo(length);
      for (int from = 0; from <= length; from++) {
        assertThat(file.read(from, length - from))
            .isEqualTo(Arrays.copyOfRange(content, from, length));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 64, 2044, HUGE})
  void fourWrappersStand(int contentBytes) throws IOException {
    byte[] content = random(new Random(7), 3 * contentBytes + 5);
    byte[] bytes = content;
    for (int i = 0; i < 4; i++) {
      bytes = BlockOracle.file(bytes, contentBytes);
    }
    PositionalReader reader = new BytesReader("stack", bytes);
    for (int i = 0; i < 4; i++) {
      reader = ChecksummedFile.of(reader, new ChecksummedLayout(contentBytes));
    }
    assertThat(reader.size()).isEqualTo(content.length);
    assertThat(reader.read(0, content.length)).isEqualTo(content);
    assertThat(reader.read(contentBytes - 1, 3))
        .isEqualTo(Arrays.copyOfRange(content, contentBytes - 1, contentBytes + 2));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 2047, 100_000})
  void shortUnderlyingReadsAreContinued(int most) throws IOException {
    byte[] content = random(new Random(5), 300_000);
    CountingReader source =
        new CountingReader(new BytesReader("short", BlockOracle.file(content, 2044)), most);
    ChecksummedFile file = ChecksummedFile.of(source, ChecksummedLayout.DEFAULT);
    assertThat(file.read(0, content.length)).isEqualTo(content);
    assertThat(file.read(2043, 3)).isEqualTo(Arrays.copyOfRange(content, 2043, 2046));
  }

  @Test
  void twentyFourMebibytesTakeOneHundredNinetyThreeReads(@TempDir Path folder) throws IOException {
    byte[] content = random(new Random(1), 24 << 20);
    Path path = folder.resolve("f");
    try (ChecksummedWriter writer = ChecksummedWriter.create(path, ChecksummedLayout.DEFAULT)) {
      writer.write(content, 0, content.length);
      writer.commit();
    }
    CountingReader source = new CountingReader(LocalFile.open(path));
    try (ChecksummedFile file = ChecksummedFile.of(source, ChecksummedLayout.DEFAULT)) {
      assertThat(source.size()).isEqualTo(25_215_076);
      byte[] read = new byte[content.length];
      file.read(0, read, 0, read.length);
      assertThat(Arrays.equals(read, content)).isTrue();
      assertThat(source.reads).hasValue(193);
      assertThat(source.bytes).hasValue(25_215_076);
    }
    assertThat(source.closed).isTrue();
  }

  @Test
  void noBlockMoreThanNeededIsRead() throws IOException {
    byte[] content = random(new Random(3), 10 * 64);
    byte[] bytes = BlockOracle.file(content, 64);
    bytes[3 * 68 + 10] ^= 1;
    CountingReader source = new CountingReader(new BytesReader("neighbour", bytes));
    ChecksummedFile file = ChecksummedFile.of(source, new ChecksummedLayout(64));
    assertThat(file.read(0, 3 * 64)).isEqualTo(Arrays.copyOf(content, 3 * 64));
    assertThat(file.read(4 * 64, 6 * 64)).isEqualTo(Arrays.copyOfRange(content, 4 * 64, 10 * 64));
    assertThat(source.bytes).hasValue(9 * 68);
    assertThatThrownBy(() -> file.read(3 * 64 + 63, 1))
        .as("the whole block is verified for one byte")
        .isInstanceOf(CorruptFileException.class);
  }

  @Test
  void aDamagedBlockIsNamed() throws IOException {
    byte[] content = "0123456789".getBytes(StandardCharsets.US_ASCII);
    byte[] bytes = BlockOracle.file(content, 8);
    bytes[16] ^= 1;
    CorruptFileException e =
        catchThrowableOfType(CorruptFileException.class, () -> open(bytes, 8).read(9, 1));
    assertThat(e)
        .hasMessage(
            "corrupt file test at offset 12: checksum of block 1: expected CRC-32C 646a3494, found"
                + " CRC-32C "
                + String.format("%08x", BlockOracle.crc32c(bytes, 16, 18)));
    assertThat(e.offset()).isEqualTo(12);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 64})
  void everyFlippedBitOfEveryByteIsFound(int contentBytes) throws IOException {
    byte[] content = random(new Random(9), 150);
    byte[] good = BlockOracle.file(content, contentBytes);
    for (int i = 0; i < good.length * 8; i++) {
      byte[] bytes = good.clone();
      bytes[i / 8] ^= (byte) (1 << i % 8);
      ChecksummedFile file = open(bytes, contentBytes);
      int block = i / 8 / (contentBytes + 4);
      CorruptFileException e =
          catchThrowableOfType(CorruptFileException.class, () -> file.read(0, content.length));
      assertThat(e).as("bit " + i).isNotNull();
      assertThat(e.what()).isEqualTo("checksum of block " + block);
      assertThat(e.offset()).isEqualTo(block * (contentBytes + 4L));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void aTailWithoutContentIsCorrupt(int tail) {
    for (int blocks = 0; blocks < 3; blocks++) {
      byte[] full = BlockOracle.file(random(new Random(2), blocks * 8), 8);
      byte[] bytes = Arrays.copyOf(full, full.length + tail); // four zeros are the CRC of nothing
      CorruptFileException e =
          catchThrowableOfType(CorruptFileException.class, () -> open(bytes, 8));
      assertThat(e.offset()).isEqualTo(full.length);
      assertThat(e.what()).isEqualTo("block " + blocks);
      assertThat(e.actual())
          .isEqualTo(
              tail < 4
                  ? tail + " bytes at the end of the file"
                  : "CRC-32C 00000000 at the end of the file, and no content");
    }
  }

  @Test
  void everyTruncationInsideABlockIsFound() throws IOException {
    byte[] content = random(new Random(4), 30);
    byte[] good = BlockOracle.file(content, 8);
    for (int size = 0; size < good.length; size++) {
      byte[] bytes = Arrays.copyOf(good, size);
      if (size % 12 == 0) {
        // cut between blocks: the layout cannot know; a sealed dataset's marker does
        assertThat(open(bytes, 8).size()).isEqualTo(size / 12 * 8);
        continue;
      }
      assertThatThrownBy(
              () -> {
                ChecksummedFile file = open(bytes, 8);
                file.read(0, (int) file.size());
              })
          .as("size " + size)
          .isInstanceOf(CorruptFileException.class);
    }
  }

  @Test
  void readingWithAnotherBlockSizeIsCorrupt() throws IOException {
    byte[] bytes = BlockOracle.file(random(new Random(6), 4096), 64);
    assertThatThrownBy(() -> open(bytes, 2044).read(0, 1))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("checksum of block 0");
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, -8, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 3})
  void impossibleOffsetsAreRefused(long offset) {
    ChecksummedFile file = open(BlockOracle.file(new byte[20], 8), 8);
    assertThatThrownBy(() -> file.read(offset, 1)).isInstanceOf(CorruptFileException.class);
    if (offset < 0) {
      assertThatThrownBy(() -> file.readSome(offset, ByteBuffer.allocate(1)))
          .isInstanceOf(CorruptFileException.class);
    }
    assertThatThrownBy(() -> file.read(0, -1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aFileThatShrinksWhileOpenIsCorrupt(@TempDir Path folder) throws IOException {
    Path path = folder.resolve("f");
    Files.write(path, BlockOracle.file(new byte[100], 8));
    try (ChecksummedFile file =
        ChecksummedFile.of(LocalFile.open(path), new ChecksummedLayout(8))) {
      Files.write(path, new byte[0]);
      assertThatThrownBy(() -> file.read(50, 1))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("file end");
    }
  }

  @Test
  void manyThreadsReadAtOnce(@TempDir Path folder) throws Exception {
    byte[] content = random(new Random(8), 1 << 20);
    Path path = folder.resolve("f");
    Files.write(path, BlockOracle.file(content, 64));
    ExecutorService threads = Executors.newFixedThreadPool(16);
    try (ChecksummedFile file =
        ChecksummedFile.of(LocalFile.open(path), new ChecksummedLayout(64))) {
      List<Future<Boolean>> results = new ArrayList<>();
      for (int t = 0; t < 16; t++) {
        Random random = new Random(t);
        results.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 50; i++) {
                    int offset = random.nextInt(content.length);
                    int length = random.nextInt(content.length - offset + 1);
                    byte[] read = file.read(offset, length);
                    if (!Arrays.equals(read, 0, length, content, offset, offset + length)) {
                      return false;
                    }
                  }
                  return true;
                }));
      }
      for (Future<Boolean> result : results) {
        assertThat(result.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static ChecksummedFile open(byte[] bytes, int contentBytes) {
    try {
      return ChecksummedFile.of(
          new BytesReader("test", bytes), new ChecksummedLayout(contentBytes));
    } catch (IOException e) {
      throw sneaky(e);
    }
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException sneaky(Throwable e) throws E {
    throw (E) e;
  }

  private static byte[] random(Random random, int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }
}
