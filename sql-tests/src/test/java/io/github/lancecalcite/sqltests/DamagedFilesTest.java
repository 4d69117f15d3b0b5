package io.github.lancecalcite.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.NotFoundException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.dataset.BatchCursor;
import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.dataset.FieldColumn;
import io.github.lancecalcite.dataset.ScanColumn;
import io.github.lancecalcite.dataset.ScanRequest;
import io.github.lancecalcite.dataset.SystemColumn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Datasets with one damaged file: a scan gives as many rows as the manifest promises (Lance files
 * have no checksums, so a flipped value bit goes unnoticed), or one of our three errors; never
 * another one, never a leaked byte. {@code -Ddamage.rounds=N} tries more damages per file.
 */
class DamagedFilesTest {
  private static final List<String> FIXTURES =
      List.of(
          "types_scalar_21",
          "types_scalar_22",
          "types_nested_20",
          "types_nested_21",
          "dict_20",
          "dict_22",
          "enc_strs_20",
          "enc_strs_21",
          "enc_ints_20",
          "enc_ints_21",
          "enc_wide_21",
          "odd_map_c_22",
          "seg_mixed_21",
          "versions_stable_21",
          "delmany_stable_21");

  private static final int ROUNDS = Integer.getInteger("damage.rounds", 25);

  @TempDir private Path temp;

  @TestFactory
  @Timeout(600)
  Stream<DynamicTest> damagedFilesAreNamedOrReadWhole() {
    return FIXTURES.stream().map(name -> DynamicTest.dynamicTest(name, () -> damage(name)));
  }

  private void damage(String name) throws IOException {
    Path original =
        Checkout.root()
            .resolve("sql-tests/src/test/resources/fixtures")
            .resolve(name)
            .resolve("data.lance");
    Path copy = temp.resolve(name);
    List<Path> files = copy(original, copy);
    assertThat(readAll(copy)).as("undamaged").isNull();
    Random random = new Random(name.hashCode());
    for (Path file : files) {
      byte[] whole = Files.readAllBytes(file);
      for (int round = 0; round < ROUNDS; round++) {
        byte[] damaged = damaged(whole, random);
        Files.write(file, damaged);
        try {
          readAll(copy);
        } catch (AssertionError | RuntimeException e) {
          throw new AssertionError(
              String.format(
                  "%s, round %d, first difference at %d of %d, length %d: %s",
                  copy.relativize(file),
                  round,
                  Arrays.mismatch(whole, damaged),
                  whole.length,
                  damaged.length,
                  e),
              e);
        }
      }
      Files.write(file, whole);
    }
  }

  /** Every file that a reader of the latest version may open. */
  private static List<Path> copy(Path from, Path to) throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : paths.toList()) {
        Path target = to.resolve(from.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(target);
        } else {
          Files.copy(path, target);
          String text = target.toString();
          if (!text.contains("_transactions") && !text.endsWith(".json")) {
            files.add(target);
          }
        }
      }
    }
    files.sort(null);
    return files;
  }

  private static byte[] damaged(byte[] whole, Random random) {
    switch (random.nextInt(6)) {
      case 0: // truncated
        return Arrays.copyOf(whole, random.nextInt(whole.length));
      case 1: // the tail, where all offsets are
        return flipped(
            whole, whole.length - 1 - random.nextInt(Math.min(40, whole.length)), random);
      case 2: // a whole word
        byte[] copy = whole.clone();
        int at = random.nextInt(whole.length);
        Arrays.fill(
            copy, at, Math.min(at + 8, copy.length), (byte) (random.nextBoolean() ? -1 : 0));
        return copy;
      case 3: // something appended
        return Arrays.copyOf(whole, whole.length + 1 + random.nextInt(20));
      case 4: // metadata, which lies in the second half
        return flipped(
            whole, whole.length / 2 + random.nextInt(whole.length - whole.length / 2), random);
      default:
        return flipped(whole, random.nextInt(whole.length), random);
    }
  }

  private static byte[] flipped(byte[] whole, int at, Random random) {
    byte[] copy = whole.clone();
    copy[at] ^= (byte) (1 << random.nextInt(8));
    return copy;
  }

  /** Null when every row could be read, otherwise the error, which must be one of ours. */
  private static @Nullable IOException readAll(Path root) {
    try (BufferAllocator allocator = new RootAllocator(1L << 30);
        Dataset dataset = Dataset.open(root, allocator)) {
      List<ScanColumn> columns = new ArrayList<>();
      dataset.fields().forEach(field -> columns.add(new FieldColumn(field.id())));
      columns.add(SystemColumn.ROW_ID);
      columns.add(SystemColumn.ROW_LAST_UPDATED_AT_VERSION);
      long rows = 0;
      try (BatchCursor cursor = dataset.scan(ScanRequest.of(columns).withBatchSize(512))) {
        while (cursor.next()) {
          for (var vector : cursor.batch().getFieldVectors()) {
            for (int i = 0; i < cursor.batch().getRowCount(); i++) {
              ArrowCells.get(vector, i);
            }
          }
          rows += cursor.batch().getRowCount();
        }
      }
      assertThat(rows).isEqualTo(dataset.countRows());
      return null;
    } catch (CorruptFileException | UnsupportedFormatException | NotFoundException e) {
      assertThat(e.getMessage()).contains(root.toString()).doesNotContain("\n");
      return e;
    } catch (IOException e) {
      throw new AssertionError("neither corrupt, unsupported nor missing: " + e, e);
    }
  }
}
