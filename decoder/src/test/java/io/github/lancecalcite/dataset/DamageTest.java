package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.SchemaField;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Damaged data files are read, refused with a typed error, or read as other values; never does a
 * reader fail in another way, hang or keep memory.
 */
class DamageTest {
  private static final int FLIPS = 50;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "struct_null_21",
        "types_nested_21",
        "enc_strs_21",
        "enc_ints_21",
        "enc_zstd_22",
        "enc_lz4_22",
        "enc_fullzip_22",
        "enc_packed_21",
        "enc_blob_21",
        "blobv2_22",
        "dict_22",
        "odd_map_c_22",
        "types_nested_20",
        "enc_strs_20",
        "enc_packed_20",
        "enc_zstd_20",
        "dict_20",
        "enc_blob_20"
      })
  void flippedBytesGiveTypedErrorsOnly(String name) throws Exception {
    Path dataset = Fixtures.copy(name, folder);
    Path file = dataFile(dataset);
    byte[] good = Files.readAllBytes(file);
    Random random = new Random(name.hashCode());
    int refused = 0;
    for (int i = 0; i < FLIPS; i++) {
      // every second flip in the metadata at the end, where the sizes are
      int tail = Math.min(good.length, 2500);
      int at = (i & 1) == 0 ? random.nextInt(good.length) : good.length - 1 - random.nextInt(tail);
      byte[] bad = good.clone();
      bad[at] ^= (byte) (i % 3 == 0 ? 0xff : 1 << random.nextInt(8));
      Files.write(file, bad);
      refused += read(dataset, name + ", byte " + at + " of " + good.length + ": " + bad[at]);
    }
    assertThat(refused).as("reads refused").isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"types_scalar_22", "types_nested_21", "types_nested_20"})
  void truncatedFilesAreRefused(String name) throws Exception {
    Path dataset = Fixtures.copy(name, folder);
    Path file = dataFile(dataset);
    byte[] good = Files.readAllBytes(file);
    for (int size = 0; size < good.length; size += 1 + good.length / 25) {
      Files.write(file, Arrays.copyOf(good, size));
      assertThat(read(dataset, name + " cut to " + size)).as("cut to %d", size).isPositive();
    }
  }

  private static Path dataFile(Path dataset) throws IOException {
    try (Stream<Path> files = Files.list(dataset.resolve("data"))) {
      return files.filter(path -> path.toString().endsWith(".lance")).sorted().findFirst().get();
    }
  }

  /** Reads every column; returns how many were refused. */
  private static int read(Path path, String what) {
    return Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(20), () -> readAll(path, what), what);
  }

  private static int readAll(Path path, String what) throws IOException {
    List<Throwable> wrong = new ArrayList<>();
    int refused = 0;
    try (BufferAllocator allocator = new RootAllocator(2L << 30);
        Dataset dataset = Dataset.open(path, allocator)) {
      for (SchemaField field : dataset.fields()) {
        ScanRequest request = ScanRequest.of(List.of(new FieldColumn(field.id())));
        try (BatchCursor cursor = dataset.scan(request)) {
          while (cursor.next()) {
            assertThat(cursor.batch().getRowCount()).isPositive();
          }
        } catch (CorruptFileException | UnsupportedFormatException e) {
          refused++;
        } catch (RuntimeException | Error e) {
          wrong.add(e);
        }
      }
      assertThat(allocator.getAllocatedMemory()).as(what).isZero();
    }
    if (!wrong.isEmpty()) {
      fail(what, wrong.get(0));
    }
    return refused;
  }
}
