package io.github.lancecalcite.calcite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.NotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bad input ends in a one-line SQLException whose cause says where and what. */
class BadInputTest {
  @TempDir Path temp;

  private static <T extends IOException> T cause(SQLException failure, Class<T> type) {
    assertThat(failure.getMessage()).doesNotContain("\n");
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (type.isInstance(t)) {
        return type.cast(t);
      }
    }
    throw new AssertionError("no " + type.getSimpleName() + " behind", failure);
  }

  private static SQLException failure(Sql sql, String query) {
    SQLException failure = catchThrowableOfType(SQLException.class, () -> sql.rows(query));
    assertThat((Throwable) failure).as(query).isNotNull();
    return failure;
  }

  @Test
  void unknownVersionTagAndFragmentAreNamed() throws SQLException {
    Path folder = Sql.fixture("versions_stable_21");
    try (Sql sql = Sql.on(folder)) {
      SQLException version = failure(sql, "select * from \"data@99\"");
      assertThat((Throwable) version)
          .hasMessage(
              "Error while executing SQL \"select * from \"data@99\"\": version 99 not found in "
                  + folder.resolve("data.lance")
                  + " (versions 1 to 7)");
      assertThat(cause(version, NotFoundException.class).what()).isEqualTo("version 99");
      SQLException tag = failure(sql, "select * from \"data@best\"");
      assertThat(cause(tag, NotFoundException.class).what()).isEqualTo("tag 'best'");
      SQLException fragment = failure(sql, "select * from \"data$fragment_12\"");
      assertThat((Throwable) cause(fragment, NotFoundException.class))
          .hasMessage(
              "fragment 12 of version 7 not found in "
                  + folder.resolve("data.lance")
                  + " (fragments 0, 1, 2, 3, 4, 5, 6, 7)");
    }
  }

  @Test
  void aTableThatIsNotThereIsCalcitesError() throws SQLException {
    try (Sql sql = Sql.on("versions_stable_21")) {
      for (String name : new String[] {"nothing", "Data", "DATA", "../versions_stable_21/data"}) {
        assertThat((Throwable) failure(sql, "select * from \"" + name + "\""))
            .hasMessageContaining("Object '" + name + "' not found");
      }
    }
  }

  @Test
  void truncatedManifestIsCorrupt() throws Exception {
    Path folder = Sql.copy(Sql.fixture("seg_range_21"), temp.resolve("f"));
    Path manifest = newest(folder.resolve("data.lance/_versions"));
    byte[] bytes = Files.readAllBytes(manifest);
    Files.write(manifest, java.util.Arrays.copyOf(bytes, bytes.length / 2));
    try (Sql sql = Sql.on(folder)) {
      CorruptFileException corrupt =
          cause(failure(sql, "select count(*) from data"), CorruptFileException.class);
      assertThat(corrupt.path()).endsWith(manifest.getFileName().toString());
      assertThat(sql.connection().getMetaData().getTables(null, null, "%", null).next())
          .as("other tables can still be listed")
          .isTrue();
    }
  }

  @Test
  void truncatedDataFileIsCorruptAndLeaksNothing() throws Exception {
    Path folder = Sql.copy(Sql.fixture("seg_range_21"), temp.resolve("f"));
    Path data = newest(folder.resolve("data.lance/data"));
    byte[] bytes = Files.readAllBytes(data);
    Files.write(data, java.util.Arrays.copyOf(bytes, bytes.length / 2));
    try (Sql sql = Sql.on(folder)) {
      for (String query :
          new String[] {
            "select * from data",
            "select max(id) from data",
            "select id from data order by id",
            "select a.id from data a join data b on a.id = b.id"
          }) {
        CorruptFileException corrupt = cause(failure(sql, query), CorruptFileException.class);
        assertThat(corrupt.path()).as(query).endsWith(data.getFileName().toString());
        assertThat(sql.folder().openScans()).as(query).isZero();
        assertThat(sql.folder().allocatedBytes()).as(query).isZero();
      }
    }
  }

  @Test
  void missingDataFileIsNamed() throws Exception {
    Path folder = Sql.copy(Sql.fixture("seg_range_21"), temp.resolve("f"));
    Path data = newest(folder.resolve("data.lance/data"));
    Files.delete(data);
    try (Sql sql = Sql.on(folder)) {
      IOException missing = cause(failure(sql, "select id from data"), IOException.class);
      assertThat(missing.getMessage()).contains(data.getFileName().toString());
    }
  }

  private static Path newest(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).sorted().findFirst().orElseThrow();
    }
  }
}
