package io.github.lancecalcite.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.NotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One test per later fix of the reference implementation that concerns files, by its number. Those
 * that concern vectors are in the test of the same name of the varlena room.
 */
class LaterFixesTest {
  @TempDir Path folder;

  private static byte[] content(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private static ChecksummedFile open(byte[] file) throws IOException {
    return ChecksummedFile.of(new BytesReader("f", file), new ChecksummedLayout(64));
  }

  @Test
  void pr25272RawAndFramedBytesAreNotTakenForEachOther() throws IOException {
    byte[] raw = content(1000);
    ChecksummedFile rawAsBlocks = open(raw);
    assertThatThrownBy(() -> rawAsBlocks.read(0, 1)).isInstanceOf(CorruptFileException.class);
    byte[] twice = BlockOracle.file(BlockOracle.file(raw, 64), 64);
    ChecksummedFile once = open(twice);
    ChecksummedFile both = ChecksummedFile.of(once, new ChecksummedLayout(64));
    assertThat(both.read(0, raw.length)).isEqualTo(raw);
  }

  @Test
  void pr25659WhatIsNotAFileHasANamedError() throws IOException {
    Files.createDirectory(folder.resolve("d"));
    Files.write(folder.resolve("f"), new byte[3]);
    assertThatThrownBy(() -> LocalFile.open(folder.resolve("missing")))
        .isInstanceOf(NotFoundException.class);
    assertThatThrownBy(() -> LocalFile.open(folder.resolve("d")))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("there is a folder of that name");
    assertThatThrownBy(() -> LocalFile.open(folder.resolve("f").resolve("below")))
        .isInstanceOf(IOException.class);
  }

  @Test
  void pr25767OffsetsAreThoseOfTheContentOnEveryPath() throws IOException {
    byte[] content = content(64 * 7 + 5);
    ChecksummedFile file = open(BlockOracle.file(content, 64));
    for (int at = 0; at < content.length; at++) {
      assertThat(file.read(at, 1)[0]).isEqualTo(content[at]);
      ByteBuffer buffer = ByteBuffer.allocate(3);
      file.readSome(at, buffer);
      int there = Math.min(3, content.length - at);
      assertThat(Arrays.copyOf(buffer.array(), there))
          .isEqualTo(Arrays.copyOfRange(content, at, at + there));
    }
  }

  @Test
  void pr25767ABufferIsGivenBackOnceWhateverHappens() throws IOException {
    byte[] bytes = BlockOracle.file(content(1000), 64);
    bytes[500] ^= 1;
    ChecksummedFile file = open(bytes);
    for (int i = 0; i < 200; i++) {
      assertThatThrownBy(() -> file.read(0, 1000)).isInstanceOf(CorruptFileException.class);
      assertThat(ReadBuffers.out()).isZero();
    }
  }

  @Test
  void pr27170WindowsAroundTheEndOfAFullRead() throws IOException {
    ChecksummedLayout layout = new ChecksummedLayout(64);
    int chunk = layout.blocksPerRead() * 64;
    byte[] content = content(3 * chunk + 64 + 7);
    ChecksummedFile file = open(BlockOracle.file(content, 64));
    for (int offset : new int[] {0, 1, 63, 64, content.length / 2}) {
      for (int length : new int[] {chunk - 1, chunk, chunk + 1, 2 * chunk}) {
        int n = Math.min(length, content.length - offset);
        assertThat(Arrays.equals(file.read(offset, n), 0, n, content, offset, offset + n)).isTrue();
      }
    }
    assertThat(file.readSome(content.length, ByteBuffer.allocate(1))).isEqualTo(-1);
    assertThat(file.readSome(content.length + 1, ByteBuffer.allocate(1))).isEqualTo(-1);
  }
}
