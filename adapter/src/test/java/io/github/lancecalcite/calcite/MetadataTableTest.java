package io.github.lancecalcite.calcite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.CorruptFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetadataTableTest {
  @TempDir Path folder;

  /** The table of the README: a name in italics may be NULL. */
  @Test
  void theReadmeNamesEveryColumnAndTellsWhichMayBeNull() throws SQLException, IOException {
    List<String> readme =
        Files.readAllLines(Path.of(System.getProperty("repo.root", "..")).resolve("README.md"));
    try (Sql sql = Sql.on("versions_stable_21")) {
      for (TableName.Part part : TableName.METADATA) {
        String start = "| `t$" + part.suffix() + "` |";
        List<String> lines = readme.stream().filter(line -> line.startsWith(start)).toList();
        assertThat(lines).as(start).hasSize(1);
        List<String> told = new ArrayList<>();
        Matcher names = Pattern.compile("(\\*?)`([a-z_]+)`").matcher(lines.get(0).split("\\|")[3]);
        while (names.find()) {
          told.add(names.group(2) + (names.group(1).isEmpty() ? "" : " or NULL"));
        }
        List<String> columns = new ArrayList<>();
        try (PreparedStatement statement =
            sql.connection().prepareStatement("select * from \"data$" + part.suffix() + "\"")) {
          ResultSetMetaData metaData = statement.getMetaData();
          for (int i = 1; i <= metaData.getColumnCount(); i++) {
            boolean nullable = metaData.isNullable(i) == ResultSetMetaData.columnNullable;
            columns.add(metaData.getColumnLabel(i) + (nullable ? " or NULL" : ""));
          }
        }
        told.removeAll(List.of("data", "deletions")); // values, not columns
        assertThat(told).as(start).isEqualTo(columns);
      }
    }
  }

  @Test
  void theyAreThereForATagAndForEveryVersionInAModel() throws SQLException {
    try (Sql sql = Sql.on("tags_21")) {
      assertThat(sql.rows("select fragment_id, kind from \"data@first$files\""))
          .containsExactly("0|data");
    }
    try (Sql sql = Sql.model(Sql.fixture("tags_21"))) {
      assertThat(sql.rows("select count(*) from \"data@first$files\"")).containsExactly("1");
      assertThat(sql.rows("select count(*) from \"data@3$rowid_segments\"")).containsExactly("2");
      assertThat(sql.rows("select count(*) from \"data$transactions\"")).containsExactly("3");
    }
  }

  @Test
  void aTransactionWhoseFileIsGoneIsNull() throws SQLException, IOException {
    Path copy = Sql.copy(Sql.fixture("versions_stable_21"), folder.resolve("f"));
    Path dataset = copy.resolve("data.lance");
    withoutTransactionSection(dataset);
    try (Sql sql = Sql.on(copy)) {
      assertThat(sql.rows("select operation from \"data$versions\" where version = 7"))
          .containsExactly("Delete"); // from its file
    }
    try (Stream<Path> files = Files.list(dataset.resolve("_transactions"))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.delete(file);
      }
    }
    try (Sql sql = Sql.on(copy)) {
      assertThat(sql.rows("select version, operation from \"data$versions\" where version > 5"))
          .containsExactly("6|Update", "7|null");
      assertThat(sql.rows("select max(version) from \"data$transactions\"")).containsExactly("6");
    }
  }

  @Test
  void aDamagedTransactionIsOneLineThatNamesItsFile() throws SQLException, IOException {
    Path copy = Sql.copy(Sql.fixture("versions_stable_21"), folder.resolve("f"));
    Path dataset = copy.resolve("data.lance");
    withoutTransactionSection(dataset);
    Path file = dataset.resolve("_transactions/6-5d1b31ba-739b-486d-9bc7-8aa7cad88721.txn");
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(whole, whole.length - 1));
    try (Sql sql = Sql.on(copy)) {
      assertThatThrownBy(() -> sql.rows("select * from \"data$transactions\""))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining(file.toString())
          .hasMessageContaining("transaction: expected a protobuf message")
          .message()
          .doesNotContain("\n");
      assertThatThrownBy(() -> sql.rows("select * from \"data$transactions\""))
          .hasRootCauseInstanceOf(com.google.protobuf.InvalidProtocolBufferException.class)
          .satisfies(
              e ->
                  assertThat(Stream.iterate((Throwable) e, t -> t != null, Throwable::getCause))
                      .anyMatch(CorruptFileException.class::isInstance));
      assertThat(sql.rows("select count(*) from data")).containsExactly("48");
    }
  }

  /**
   * Takes the mark of the transaction section out of the newest manifest: field 21 with position 0
   * ({@code a8 01 00}) becomes field 250 with the same value, which no reader knows.
   */
  private static void withoutTransactionSection(Path dataset) throws IOException {
    Path manifest = dataset.resolve("_versions/18446744073709551608.manifest");
    byte[] bytes = Files.readAllBytes(manifest);
    int end = bytes.length - 16;
    int found = -1;
    for (int i = 0; i + 3 <= end; i++) {
      if (bytes[i] == (byte) 0xA8 && bytes[i + 1] == 1 && bytes[i + 2] == 0) {
        found = i;
      }
    }
    assertThat(found).isEqualTo(end - 3);
    bytes[found] = (byte) 0xD0;
    bytes[found + 1] = 0x0F;
    Files.write(manifest, bytes);
  }
}
