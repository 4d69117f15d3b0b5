package io.github.lancecalcite.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.RowIdSequences;
import io.github.lancecalcite.format.SequenceMetadata;
import io.github.lancecalcite.format.U64Segment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A manifest whose last fragment has one row id fewer than rows, asked through JDBC: every
 * statement that needs the ids fails with one line that says where, and none returns fewer rows.
 */
class TruncatedSequenceTest {
  @TempDir private Path folder;

  private String manifest = "";
  private long fragment;
  private long rows;

  /** Makes the last fragment's range end one id early, byte for byte in its place. */
  @BeforeEach
  void shortenTheLastSequence() throws IOException {
    Path fixture = Checkout.root().resolve("sql-tests/src/test/resources/fixtures/seg_range_21");
    Path copy = folder.resolve("data.lance");
    try (Stream<Path> paths = Files.walk(fixture.resolve("data.lance"))) {
      for (Path path : paths.toList()) {
        Files.copy(path, copy.resolve(fixture.resolve("data.lance").relativize(path).toString()));
      }
    }
    try (BufferAllocator allocator = new RootAllocator();
        Dataset dataset = Dataset.open(copy, allocator)) {
      manifest = dataset.manifest().path();
      List<DataFragment> fragments = dataset.manifest().fragments();
      DataFragment last = fragments.get(fragments.size() - 1);
      fragment = last.id();
      rows = last.physicalRows();
      SequenceMetadata.Inline ids = (SequenceMetadata.Inline) last.rowIds();
      U64Segment.Range range =
          (U64Segment.Range)
              RowIdSequences.parse(ids.bytes(), manifest, ids.manifestOffset()).get(0);
      byte[] shorter =
          RowIdSequences.serialize(List.of(new U64Segment.Range(range.start(), range.end() - 1)));
      assertThat(shorter).hasSameSizeAs(ids.bytes());
      Path file = copy.resolve(manifest);
      byte[] bytes = Files.readAllBytes(file);
      System.arraycopy(shorter, 0, bytes, (int) ids.manifestOffset(), shorter.length);
      Files.write(file, bytes);
    }
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:lance:" + folder);
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        assertThat(result.getObject(1)).isNotNull();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select _rowid from data",
        "select _rowid, d.* from data as d",
        "select sum(_rowid) from data",
        "select _rowid from data where _rowid = 1",
        "select _rowid, _rowaddr from data where _rowid > 1"
      })
  void everyUseOfTheIdsIsAnError(String sql) {
    SQLException error = catchThrowableOfType(SQLException.class, () -> run(sql));

    assertThat((Throwable) error).isNotNull();
    assertThat(error.getMessage().lines()).hasSize(1);
    assertThat((Throwable) error)
        .hasMessageContaining(manifest)
        .hasMessageContaining("fragment " + fragment)
        .hasMessageContaining("expected " + rows)
        .hasMessageContaining(Long.toString(rows - 1))
        .hasRootCauseInstanceOf(CorruptFileException.class);
  }

  @Test
  void statementsThatNeedNoIdsRun() throws SQLException {
    run("select count(*) from data");
    run("select _rowaddr, d.* from data as d");
  }
}
