package io.github.lancecalcite.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.CorruptFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChecksummedWriterTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {8, 64, 2044, 200_000})
  void writesWhatTheDescriptionSays(int contentBytes) throws IOException {
    Random random = new Random(contentBytes);
    int step = ChecksummedLayout.READ_BYTES;
    for (int size :
        new int[] {0, 1, contentBytes - 1, contentBytes, contentBytes + 1, step, 3 * step + 5}) {
      byte[] content = new byte[size];
      random.nextBytes(content);
      Path path = folder.resolve("f");
      try (ChecksummedWriter writer =
          ChecksummedWriter.create(path, new ChecksummedLayout(contentBytes))) {
        for (int done = 0; done < size; ) {
          int n = Math.min(size - done, random.nextInt(size / 3 + 2));
          writer.write(content, done, n);
          done += n;
        }
        assertThat(writer.size()).isEqualTo(size);
        writer.commit();
      }
      assertThat(Arrays.equals(Files.readAllBytes(path), BlockOracle.file(content, contentBytes)))
          .as("content of " + size)
          .isTrue();
    }
  }

  @Test
  void withoutCommitNothingAppearsAndNothingStays() throws IOException {
    Path path = folder.resolve("f");
    Files.writeString(path, "old");
    try (ChecksummedWriter writer = ChecksummedWriter.create(path, ChecksummedLayout.DEFAULT)) {
      writer.write(new byte[300_000], 0, 300_000);
      assertThat(path).hasContent("old");
    }
    assertThat(path).hasContent("old");
    try (Stream<Path> entries = Files.list(folder)) {
      assertThat(entries).containsExactly(path);
    }
  }

  @Test
  void editsEqualTheSameFileWrittenAnew() throws IOException {
    Random random = new Random(11);
    for (int contentBytes : new int[] {8, 64, 2044}) {
      byte[] content = new byte[0];
      Path path = folder.resolve("edit" + contentBytes);
      try (ChecksummedEditor editor =
          ChecksummedEditor.open(path, new ChecksummedLayout(contentBytes))) {
        for (int i = 0; i < 300; i++) {
          byte[] patch = new byte[random.nextInt(5 * contentBytes)];
          random.nextBytes(patch);
          int at = random.nextInt(content.length + 1);
          content = Arrays.copyOf(content, Math.max(content.length, at + patch.length));
          System.arraycopy(patch, 0, content, at, patch.length);
          editor.writeAt(at, patch, 0, patch.length);
          assertThat(editor.size()).isEqualTo(content.length);
          assertThat(
                  Arrays.equals(Files.readAllBytes(path), BlockOracle.file(content, contentBytes)))
              .as("edit " + i + " of blocks of " + contentBytes)
              .isTrue();
          if (content.length > 40 * contentBytes) {
            content = new byte[0];
            Files.write(path, content);
          }
        }
      }
    }
  }

  @Test
  void everySuffixOfSmallFilesIsRewritten() throws IOException {
    Path path = folder.resolve("suffix");
    for (int length = 0; length < 32; length++) {
      for (int from = 0; from <= length; from++) {
        byte[] content = new byte[length];
        new Random(length).nextBytes(content);
        Files.write(path, BlockOracle.file(content, 8));
        byte[] fresh = new byte[length - from];
        new Random(from + 100).nextBytes(fresh);
        try (ChecksummedEditor editor = ChecksummedEditor.open(path, new ChecksummedLayout(8))) {
          editor.writeAt(from, fresh, 0, fresh.length);
        }
        System.arraycopy(fresh, 0, content, from, fresh.length);
        assertThat(Files.readAllBytes(path)).isEqualTo(BlockOracle.file(content, 8));
      }
    }
  }

  @Test
  void gapsAndNegativeOffsetsAreRefused() throws IOException {
    Path path = folder.resolve("gap");
    Files.write(path, BlockOracle.file(new byte[10], 8));
    byte[] before = Files.readAllBytes(path);
    try (ChecksummedEditor editor = ChecksummedEditor.open(path, new ChecksummedLayout(8))) {
      for (long offset : new long[] {-1, 11, 16, 100, Long.MAX_VALUE}) {
        assertThatThrownBy(() -> editor.writeAt(offset, new byte[1], 0, 1))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("cannot write at " + offset + ": the content of " + path + " ends at 10");
      }
    }
    assertThat(Files.readAllBytes(path)).isEqualTo(before);
  }

  @Test
  void anyCrashBetweenChecksumAndContentIsDetected() throws IOException {
    byte[] old = new byte[20];
    new Random(1).nextBytes(old);
    byte[] fresh = old.clone();
    new Random(2).nextBytes(fresh);
    byte[] before = BlockOracle.file(old, 32);
    Path path = folder.resolve("crash");
    Files.write(path, before);
    try (ChecksummedEditor editor = ChecksummedEditor.open(path, new ChecksummedLayout(32))) {
      editor.writeAt(0, fresh, 0, 20);
    }
    byte[] after = Files.readAllBytes(path);
    for (int cut = 1; cut < after.length; cut++) {
      assertTorn(after, before, cut); // the first bytes arrived
      assertTorn(before, after, cut); // the last bytes arrived
    }
  }

  @Test
  void aCrashWhileTheLastBlockGrowsIsDetected() throws IOException {
    byte[] old = new byte[20];
    new Random(1).nextBytes(old);
    Path path = folder.resolve("grow");
    byte[] before = BlockOracle.file(old, 32);
    Files.write(path, before);
    try (ChecksummedEditor editor = ChecksummedEditor.open(path, new ChecksummedLayout(32))) {
      editor.writeAt(20, new byte[] {1, 2, 3, 4, 5}, 0, 5);
    }
    byte[] after = Files.readAllBytes(path);
    for (int cut = 1; cut < after.length; cut++) {
      byte[] torn = Arrays.copyOf(after, cut);
      if (cut < before.length) {
        // the file keeps its old bytes behind those that arrived
        torn = before.clone();
        System.arraycopy(after, 0, torn, 0, cut);
      }
      if (!Arrays.equals(torn, before)) {
        assertCorrupt(torn, cut);
      }
    }
  }

  private static void assertTorn(byte[] head, byte[] tail, int cut) {
    byte[] torn = tail.clone();
    System.arraycopy(head, 0, torn, 0, cut);
    if (!Arrays.equals(torn, tail) && !Arrays.equals(torn, head)) {
      assertCorrupt(torn, cut);
    }
  }

  private static void assertCorrupt(byte[] torn, int cut) {
    assertThatThrownBy(
            () -> {
              ChecksummedFile file =
                  ChecksummedFile.of(new BytesReader("torn", torn), new ChecksummedLayout(32));
              file.read(0, (int) file.size());
            })
        .as("cut " + cut)
        .isInstanceOf(CorruptFileException.class);
  }

  @Test
  void aDamagedBlockStopsAPartialEditAndIsRepairedByAWholeOne() throws IOException {
    Path path = folder.resolve("damaged");
    byte[] bytes = BlockOracle.file(new byte[20], 8);
    bytes[14] ^= 1;
    Files.write(path, bytes);
    try (ChecksummedEditor editor = ChecksummedEditor.open(path, new ChecksummedLayout(8))) {
      assertThatThrownBy(() -> editor.writeAt(9, new byte[1], 0, 1))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("at offset 12: checksum of block 1");
      assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
      editor.writeAt(8, new byte[8], 0, 8);
    }
    assertThat(Files.readAllBytes(path)).isEqualTo(BlockOracle.file(new byte[20], 8));
  }

  @Test
  void aTornFileIsNotEdited() throws IOException {
    Path path = folder.resolve("torn");
    Files.write(path, Arrays.copyOf(BlockOracle.file(new byte[8], 8), 15));
    assertThatThrownBy(() -> ChecksummedEditor.open(path, new ChecksummedLayout(8)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("at offset 12: block 1: expected checksum and content");
  }
}
