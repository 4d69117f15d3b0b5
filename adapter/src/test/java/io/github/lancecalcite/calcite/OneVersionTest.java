package io.github.lancecalcite.calcite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.calcite.runtime.Hook;
import org.apache.calcite.schema.impl.LongSchemaVersion;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A statement sees one version from prepare to close, whatever others commit meanwhile. */
class OneVersionTest {
  private static final String COUNT = "select count(*) from data";

  @TempDir Path temp;
  private Path versions;
  private Path later;

  /** A dataset at version 3 of 7, whose later manifests wait beside it. */
  @BeforeEach
  void rewind() throws IOException {
    Sql.copy(Sql.fixture("versions_stable_21"), temp.resolve("folder"));
    versions = temp.resolve("folder/data.lance/_versions");
    later = Files.createDirectory(temp.resolve("later"));
    for (Path manifest : manifests(versions)) {
      long inverted = Long.parseUnsignedLong(manifest.getFileName().toString().split("\\.")[0]);
      if (-1L - inverted > 3) {
        Files.move(manifest, later.resolve(manifest.getFileName()));
      }
    }
  }

  private static List<Path> manifests(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(f -> f.toString().endsWith(".manifest")).toList();
    }
  }

  /** What another process does when it commits versions 4 to 7. */
  private void commit() throws IOException {
    for (Path manifest : manifests(later)) {
      Files.move(manifest, versions.resolve(manifest.getFileName()));
    }
  }

  private Sql connect() throws SQLException {
    return Sql.on(temp.resolve("folder"));
  }

  @Test
  void commitBetweenPrepareAndExecuteIsNotSeen() throws Exception {
    try (Sql sql = connect();
        PreparedStatement statement = sql.connection().prepareStatement(COUNT)) {
      commit();
      try (ResultSet result = statement.executeQuery()) {
        assertThat(Sql.rows(result)).containsExactly("42");
      }
      try (ResultSet result = statement.executeQuery()) {
        assertThat(Sql.rows(result)).as("executed again").containsExactly("42");
      }
      assertThat(sql.rows(COUNT)).as("the next statement").containsExactly("48");
    }
  }

  @Test
  void tablesOfOneSnapshotAgree() throws Exception {
    try (Sql sql = connect()) {
      LanceSchema schema = LanceSchema.direct(sql.folder());
      LanceSchema snapshot = (LanceSchema) schema.snapshot(new LongSchemaVersion(0));
      LanceTable first = (LanceTable) snapshot.tables().get("data");
      assertThat(first.dataset().versionNumber()).isEqualTo(3);
      commit();
      assertThat(snapshot.tables().get("data")).isSameAs(first);
      LanceTable fragment = (LanceTable) snapshot.tables().get("data$fragment_0");
      assertThat(fragment.dataset()).isSameAs(first.dataset());
      LanceTable next = (LanceTable) schema.snapshot(new LongSchemaVersion(1)).tables().get("data");
      assertThat(next.dataset().versionNumber()).isEqualTo(7);
    }
  }

  @Test
  void selfJoinWithACommitDuringPlanningSeesOneVersion() throws Exception {
    try (Sql sql = connect();
        Hook.Closeable hook =
            Hook.CONVERTED.<Object>addThread(
                rel -> {
                  try {
                    commit();
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                })) {
      assertThat(hook).isNotNull();
      assertThat(sql.plan("select a.id from data a join data b on a._rowid = b._rowid"))
          .contains("version=[3]")
          .doesNotContain("version=[7]");
      assertThat(manifests(later)).as("the commit took place").isEmpty();
    }
  }

  @Test
  void versionOfTheConnectionIsTheDefault() throws Exception {
    commit();
    try (java.sql.Connection connection =
            java.sql.DriverManager.getConnection(
                "jdbc:lance:dir=" + temp.resolve("folder") + ";version=2");
        ResultSet result =
            connection
                .createStatement()
                .executeQuery(
                    "select (select count(*) from data), (select count(*) from \"data@7\")"
                        + " from (values (1))")) {
      assertThat(Sql.rows(result)).containsExactly("45|48");
    }
  }
}
