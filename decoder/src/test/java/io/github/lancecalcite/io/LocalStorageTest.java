package io.github.lancecalcite.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.NotFoundException;
import io.github.lancecalcite.UnsupportedFormatException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalStorageTest {
  @TempDir Path folder;

  @Test
  void readsLargerThanOnePieceAreWhole() throws Exception {
    byte[] content = new byte[3 * LocalFile.PIECE_BYTES + 17];
    new Random(1).nextBytes(content);
    Files.write(folder.resolve("f"), content);
    try (PositionalReader file = LocalStorage.of(folder).open("f")) {
      assertThat(file.size()).isEqualTo(content.length);
      assertThat(file.read(0, content.length)).isEqualTo(content);
      byte[] some = new byte[LocalFile.PIECE_BYTES + 10];
      file.read(5, some, 3, LocalFile.PIECE_BYTES + 1);
      for (int i = 0; i < LocalFile.PIECE_BYTES + 1; i++) {
        assertThat(some[i + 3]).isEqualTo(content[i + 5]);
      }
      assertThat(some[2]).isZero();
      assertThat(some[LocalFile.PIECE_BYTES + 4]).isZero();
    }
  }

  @Test
  void emptyReadIsAllowedUpToTheEnd() throws Exception {
    Files.write(folder.resolve("f"), new byte[3]);
    try (PositionalReader file = LocalStorage.of(folder).open("f")) {
      assertThat(file.read(3, 0)).isEmpty();
      assertThatThrownBy(() -> file.read(4, 0)).isInstanceOf(CorruptFileException.class);
    }
  }

  @Test
  void rangeBeyondTheFileIsCorruptAndAllocatesNothing() throws Exception {
    Path path = folder.resolve("f");
    Files.write(path, new byte[10]);
    try (PositionalReader file = LocalStorage.of(folder).open("f")) {
      assertThatThrownBy(() -> file.read(8, 3))
          .isInstanceOf(CorruptFileException.class)
          .hasMessage(
              "corrupt file "
                  + path
                  + " at offset 8: byte range: expected a range inside the file's 10 bytes, found 3"
                  + " bytes at 8");
      assertThatThrownBy(() -> file.read(0, Integer.MAX_VALUE))
          .isInstanceOf(CorruptFileException.class);
      assertThatThrownBy(() -> file.read(Long.MAX_VALUE, 1))
          .isInstanceOf(CorruptFileException.class);
      assertThatThrownBy(() -> file.read(-1, 1)).isInstanceOf(CorruptFileException.class);
    }
  }

  @Test
  void fileThatShrinksWhileOpenIsCorrupt() throws Exception {
    Path path = folder.resolve("f");
    Files.write(path, new byte[100]);
    try (PositionalReader file = LocalStorage.of(folder).open("f")) {
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
        channel.truncate(50);
      }
      assertThatThrownBy(() -> file.read(40, 20))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("at offset 50")
          .hasMessageContaining("the 100 bytes it had when it was opened");
    }
  }

  @Test
  void manyThreadsShareOneFile() throws Exception {
    byte[] content = new byte[1 << 20];
    new Random(2).nextBytes(content);
    Files.write(folder.resolve("f"), content);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (PositionalReader file = LocalStorage.of(folder).open("f")) {
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        long seed = t;
        done.add(
            threads.submit(
                () -> {
                  Random random = new Random(seed);
                  for (int i = 0; i < 200; i++) {
                    int offset = random.nextInt(content.length);
                    int length = random.nextInt(Math.min(5000, content.length - offset) + 1);
                    byte[] expected =
                        java.util.Arrays.copyOfRange(content, offset, offset + length);
                    assertThat(file.read(offset, length)).isEqualTo(expected);
                  }
                  return null;
                }));
      }
      for (Future<?> future : done) {
        future.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void missingFileAndFolderAreNotFound() throws Exception {
    Storage storage = LocalStorage.of(folder);
    assertThatThrownBy(() -> storage.open("nothing"))
        .isInstanceOf(NotFoundException.class)
        .hasMessage(
            "file not found in " + folder.resolve("nothing") + " (there is nothing of that name)");
    Files.createDirectory(folder.resolve("d"));
    assertThatThrownBy(() -> storage.open("d")).isInstanceOf(NotFoundException.class);
    assertThat(storage.list("nothing")).isEmpty();
    assertThat(storage.exists("nothing")).isFalse();
    assertThat(storage.exists("d")).isTrue();
  }

  @Test
  void listNamesEntriesAndTakesAFileForNoFolder() throws Exception {
    Files.createDirectories(folder.resolve("d/e"));
    Files.write(folder.resolve("d/f"), new byte[1]);
    Storage storage = LocalStorage.of(folder);
    assertThat(storage.list("d")).containsExactlyInAnyOrder("e", "f");
    assertThat(storage.list("d/f")).isEmpty();
  }

  @Test
  void namesThatLeaveTheRootAreRefused() throws Exception {
    Files.write(folder.resolve("secret"), new byte[1]);
    Files.createDirectory(folder.resolve("root"));
    Storage storage = LocalStorage.of(folder.resolve("root"));
    for (String name :
        List.of("../secret", "a/../../secret", folder.resolve("secret").toString(), "a\0b")) {
      assertThatThrownBy(() -> storage.open(name))
          .as(name)
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("file name");
      assertThatThrownBy(() -> storage.list(name)).isInstanceOf(CorruptFileException.class);
    }
    // the prefix of a sibling's name is not the root itself
    Files.createDirectory(folder.resolve("root2"));
    assertThatThrownBy(() -> storage.exists("../root2")).isInstanceOf(CorruptFileException.class);
  }

  @Test
  void linksInsideTheFolderAreFollowedWithoutChangingHowDotsResolve() throws Exception {
    Files.createDirectories(folder.resolve("elsewhere/sub"));
    Files.write(folder.resolve("elsewhere/x"), new byte[] {1});
    Files.createDirectory(folder.resolve("root"));
    Files.write(folder.resolve("root/x"), new byte[] {2});
    Files.createSymbolicLink(folder.resolve("root/link"), folder.resolve("elsewhere/sub"));
    Files.createSymbolicLink(folder.resolve("root/y"), folder.resolve("elsewhere/x"));
    Storage storage = LocalStorage.of(folder.resolve("root"));
    try (PositionalReader file = storage.open("link/../x")) {
      assertThat(file.read(0, 1)).containsExactly(2);
    }
    try (PositionalReader file = storage.open("y")) {
      assertThat(file.read(0, 1)).containsExactly(1);
    }
  }

  @Test
  void rootsAreNamedByPathOrFileUri() throws Exception {
    Path spaced = Files.createDirectory(folder.resolve("a b"));
    String uri = spaced.toUri().toString();
    assertThat(LocalStorage.of(uri).root()).isEqualTo(spaced);
    assertThat(LocalStorage.of("file:" + spaced).root()).isEqualTo(spaced);
    assertThat(LocalStorage.of("file://" + spaced).root()).isEqualTo(spaced);
    assertThat(LocalStorage.of("file://localhost" + spaced).root()).isEqualTo(spaced);
    assertThat(LocalStorage.of(spaced.toString()).root()).isEqualTo(spaced);
    assertThat(LocalStorage.of("x/y").root()).isEqualTo(Path.of("x/y").toAbsolutePath());
    assertThatThrownBy(() -> LocalStorage.of("s3://bucket/x"))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessage(
            "unsupported storage in s3://bucket/x: found s3, supported local paths and file: URIs");
  }

  @Test
  void resolveTakesRelativeAbsoluteAndUri() throws Exception {
    Storage storage = LocalStorage.of(folder.resolve("a"));
    assertThat(storage.resolve("b/c").path()).isEqualTo(folder.resolve("a/b/c").toString());
    assertThat(storage.resolve("..").path()).isEqualTo(folder.toString());
    assertThat(storage.resolve(folder.resolve("z").toString()).path())
        .isEqualTo(folder.resolve("z").toString());
    assertThat(storage.resolve(folder.resolve("z").toUri().toString()).path())
        .isEqualTo(folder.resolve("z").toString());
  }
}
