package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.ManifestFiles;
import io.github.lancecalcite.format.proto.TableProto;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A type in the manifest that is far wider than what the files hold costs nothing but an error. */
class LyingTypesTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "enc_ints_20, bp, fixed_size_list:int64:2147483639",
    "enc_ints_20, bp, fixed_size_list:int64:1000000",
    "enc_ints_20, bp, fixed_size_binary:2147483639",
    "enc_ints_20, bp, fixed_size_list:fixed_size_list:int64:65536:65536",
    "enc_ints_21, bp, fixed_size_list:int64:2147483639",
    "enc_ints_21, bp, fixed_size_list:int64:1000000",
    "enc_ints_21, bp, fixed_size_binary:1000000",
    "enc_ints_21, bp, fixed_size_list:fixed_size_list:int64:65536:65536",
    "evo_addnull_20, newcol, fixed_size_list:int64:2147483639",
    "evo_addnull_21, newcol, fixed_size_list:int64:20000000",
    "evo_addnull_21, newcol, fixed_size_binary:200000000",
  })
  void typesThatAreTooWideAreRefusedBeforeTheyCost(String fixture, String column, String type)
      throws IOException {
    Path copy = Fixtures.copy(fixture, folder);
    lie(copy, column, type);
    try (RootAllocator allocator = new RootAllocator(4 << 20)) {
      Throwable refusal =
          catchThrowable(
              () -> {
                try (Dataset dataset = Dataset.open(copy, allocator);
                    BatchCursor cursor =
                        dataset.scan(ScanRequest.of(List.of(dataset.column(column))))) {
                  while (cursor.next()) {}
                }
              });
      assertThat(refusal)
          .isInstanceOfAny(CorruptFileException.class, UnsupportedFormatException.class)
          .hasMessageContaining(copy.toString());
    }
  }

  private static void lie(Path root, String column, String type) throws IOException {
    Path manifest;
    try (Dataset dataset = Dataset.open(root)) {
      manifest = Path.of(dataset.manifest().path());
    }
    byte[] bytes = Files.readAllBytes(manifest);
    int at = (int) ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(bytes.length - 16);
    TableProto.Manifest.Builder stored =
        TableProto.Manifest.parser()
            .parseFrom(bytes, at + 4, bytes.length - 16 - at - 4)
            .toBuilder();
    stored.getFieldsBuilderList().stream()
        .filter(field -> field.getName().equals(column))
        .findFirst()
        .orElseThrow()
        .setLogicalType(type);
    Files.write(manifest, ManifestFiles.bytes(stored.build()));
  }
}
