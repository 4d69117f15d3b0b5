package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.NotFoundException;
import io.github.lancecalcite.format.DataFile;
import io.github.lancecalcite.format.Manifest;
import io.github.lancecalcite.format.ManifestFiles;
import io.github.lancecalcite.format.proto.TableProto;
import io.github.lancecalcite.io.LocalStorage;
import io.github.lancecalcite.io.PositionalReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetFilesTest {
  @TempDir Path folder;

  @Test
  void dataFilesLieInTheRootOrInTheirBase() throws IOException {
    write("here.lance/data/f", "own");
    write("there.lance/data/f", "root base");
    write("plain/f", "plain base");
    write("beside.lance/data/f", "relative base");
    DatasetFiles files =
        files(
            base(0, true, folder.resolve("there.lance").toUri().toString()),
            base(1, false, folder.resolve("plain").toString()),
            base(2, true, "beside.lance"),
            base(3, true, "nowhere.lance"));
    assertThat(read(files, null)).isEqualTo("own");
    assertThat(read(files, 0)).isEqualTo("root base");
    assertThat(read(files, 1)).isEqualTo("plain base");
    assertThat(read(files, 2)).isEqualTo("relative base");
    assertThatThrownBy(() -> read(files, 3))
        .isInstanceOf(NotFoundException.class)
        .hasMessage(
            "base path nowhere.lance not found in "
                + folder.resolve("here.lance")
                + " (files of this dataset lie there)");
  }

  @Test
  void missingDataFileIsNotFoundByItsPath() throws IOException {
    DatasetFiles files = files();
    assertThatThrownBy(() -> read(files, null))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining(folder.resolve("here.lance/data/f").toString());
  }

  private DatasetFiles files(TableProto.BasePath... bases) throws IOException {
    TableProto.Manifest.Builder stored = ManifestFiles.small();
    for (TableProto.BasePath base : bases) {
      stored.addBasePaths(base);
    }
    Manifest manifest = ManifestFiles.read(folder, stored.build());
    return new DatasetFiles(LocalStorage.of(folder.resolve("here.lance")), manifest);
  }

  private static TableProto.BasePath base(int id, boolean root, String path) {
    return TableProto.BasePath.newBuilder().setId(id).setIsDatasetRoot(root).setPath(path).build();
  }

  private static String read(DatasetFiles files, @Nullable Integer base) throws IOException {
    DataFile file = new DataFile("f", List.of(), List.of(), 2, 1, 0, base);
    try (PositionalReader reader = files.open(file)) {
      return new String(reader.read(0, (int) reader.size()), StandardCharsets.UTF_8);
    }
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
