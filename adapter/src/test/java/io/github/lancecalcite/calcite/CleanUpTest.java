package io.github.lancecalcite.calcite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.NotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A version that another process cleans up is an error of one line, never a shorter result. */
class CleanUpTest {
  private static final String ALL = "select id, s, _rowid from data";

  @TempDir Path temp;
  private Path dataset;

  @BeforeEach
  void copy() throws IOException {
    dataset = Sql.copy(Sql.fixture("versions_stable_21"), temp.resolve("f")).resolve("data.lance");
  }

  private void delete(String folder) throws IOException {
    try (Stream<Path> files = Files.list(dataset.resolve(folder))) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }

  private void assertGone(ThrowingRead read, String named) {
    assertThatThrownBy(read::run)
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("not found in")
        .hasMessageContaining(named)
        .message()
        .doesNotContain("\n");
    assertThatThrownBy(read::run).satisfies(CleanUpTest::assertTyped);
  }

  private static void assertTyped(Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof NotFoundException)) {
      cause = cause.getCause();
    }
    assertThat(cause).isInstanceOf(NotFoundException.class);
  }

  private interface ThrowingRead {
    void run() throws Exception;
  }

  @Test
  void manifestGoneBeforeOpening() throws Exception {
    Files.delete(dataset.resolve("_versions/18446744073709551613.manifest")); // version 2
    try (Sql sql = Sql.on(temp.resolve("f"))) {
      assertGone(() -> sql.rows("select * from \"data@2\""), "version 2");
      assertThat(sql.rows("select count(*) from \"data@3\"")).containsExactly("42");
    }
  }

  @Test
  void dataFilesGoneBeforeOpening() throws Exception {
    delete("data");
    try (Sql sql = Sql.on(temp.resolve("f"))) {
      assertGone(() -> sql.rows(ALL), ".lance");
    }
  }

  @Test
  void deletionFilesGoneBeforeOpening() throws Exception {
    delete("_deletions");
    try (Sql sql = Sql.on(temp.resolve("f"))) {
      assertGone(() -> sql.rows(ALL), "_deletions");
      assertGone(() -> sql.rows("select _rowid from data"), "_deletions");
    }
  }

  @Test
  void everythingGoneBetweenPrepareAndExecute() throws Exception {
    try (Sql sql = Sql.on(temp.resolve("f"));
        PreparedStatement statement = sql.connection().prepareStatement(ALL)) {
      delete("data");
      delete("_deletions");
      delete("_versions");
      assertGone(() -> Sql.rows(statement.executeQuery()), "data.lance");
    }
  }

  @Test
  void dataFilesGoneDuringTheScan() throws Exception {
    assertGoneDuringTheScan("data", ".lance");
  }

  @Test
  void deletionFilesGoneDuringTheScan() throws Exception {
    assertGoneDuringTheScan("_deletions", "_deletions");
  }

  private void assertGoneDuringTheScan(String folder, String named) throws Exception {
    try (Sql sql = Sql.on(temp.resolve("f"));
        PreparedStatement statement = sql.connection().prepareStatement(ALL);
        ResultSet rows = statement.executeQuery()) {
      assertThat(rows.next()).isTrue();
      delete(folder);
      assertThatThrownBy(() -> Sql.rows(rows))
          .isInstanceOf(SQLException.class)
          .satisfies(CleanUpTest::assertTyped)
          .hasMessageContaining("not found in")
          .hasMessageContaining(named);
    }
  }

  /** What was read into memory when the statement was prepared needs no manifest any more. */
  @Test
  void manifestsGoneDuringTheScanDoNotMatter() throws Exception {
    try (Sql sql = Sql.on(temp.resolve("f"));
        PreparedStatement statement = sql.connection().prepareStatement(ALL);
        ResultSet rows = statement.executeQuery()) {
      delete("_versions");
      List<String> all = Sql.rows(rows);
      assertThat(all).hasSize(48);
    }
  }
}
