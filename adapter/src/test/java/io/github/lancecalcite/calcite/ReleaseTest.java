package io.github.lancecalcite.calcite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who closes what: every way a scan can end releases its memory and files. */
class ReleaseTest {
  private static final String SCAN = "select id, s, _rowid from data";

  @Test
  void readToTheEnd() throws SQLException {
    try (Sql sql = Sql.on("versions_stable_21");
        Statement statement = sql.connection().createStatement()) {
      ResultSet result = statement.executeQuery(SCAN);
      assertThat(Sql.rows(result)).hasSize(48);
      assertThat(sql.folder().openScans()).isZero();
      assertThat(sql.folder().allocatedBytes()).isZero();
    }
  }

  @Test
  void closedInTheMiddle() throws SQLException {
    try (Sql sql = Sql.on("versions_stable_21");
        Statement statement = sql.connection().createStatement()) {
      ResultSet result = statement.executeQuery(SCAN);
      assertThat(result.next()).isTrue();
      assertThat(sql.folder().openScans()).isEqualTo(1);
      result.close();
      assertThat(sql.folder().openScans()).isZero();
      assertThat(sql.folder().allocatedBytes()).isZero();
    }
  }

  @Test
  void closedBeforeTheFirstRow() throws SQLException {
    try (Sql sql = Sql.on("versions_stable_21");
        Statement statement = sql.connection().createStatement()) {
      statement.executeQuery(SCAN).close();
      assertThat(sql.folder().openScans()).isZero();
    }
  }

  @Test
  void connectionCloseAloneEndsAbandonedResultSets() throws SQLException {
    Sql sql = Sql.on("versions_stable_21");
    LanceFolder folder = sql.folder();
    List<ResultSet> abandoned = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ResultSet result = sql.connection().createStatement().executeQuery(SCAN);
      assertThat(result.next()).isTrue();
      abandoned.add(result);
    }
    ResultSet join =
        sql.connection()
            .createStatement()
            .executeQuery("select a.id from data a join data b on a._rowid = b._rowid");
    assertThat(join.next()).isTrue();
    assertThat(folder.openScans()).isGreaterThanOrEqualTo(5);
    assertThat(folder.allocatedBytes()).isPositive();
    sql.connection().close();
    assertThat(folder.openScans()).isZero();
    assertThat(folder.allocatedBytes()).isZero();
    assertThat(abandoned).hasSize(5);
  }

  @Test
  void closedConnectionRefusesFurtherRows() throws SQLException {
    Sql sql = Sql.on("delmany_unstable_21");
    try (Connection connection = sql.connection()) {
      ResultSet result = connection.createStatement().executeQuery("select * from data");
      assertThat(result.next()).isTrue();
      connection.close();
      assertThatThrownBy(
              () -> {
                while (result.next()) {
                  assertThat(result.getRow()).isNotNegative();
                }
              })
          .isInstanceOf(SQLException.class)
          .hasMessage("the connection is closed");
    }
  }

  @Test
  void cancelEndsAScan() throws SQLException {
    try (Sql sql = Sql.on("delmany_unstable_21");
        Statement statement = sql.connection().createStatement()) {
      ResultSet result = statement.executeQuery("select * from data");
      assertThat(result.next()).isTrue();
      statement.cancel();
      assertThatThrownBy(
              () -> {
                while (result.next()) {
                  assertThat(result.getRow()).isNotNegative();
                }
              })
          .isInstanceOf(SQLException.class)
          .hasMessage("Statement canceled");
    }
  }

  @Test
  void theCleanerReleasesScansOfAnAbandonedModelConnection() throws Exception {
    try (LanceFolder folder = abandonedModel()) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (folder.openScans() > 0 && System.nanoTime() < deadline) {
        System.gc();
        Thread.sleep(20);
      }
      assertThat(folder.openScans()).isZero();
      assertThat(folder.allocatedBytes()).isZero();
    }
  }

  /** The folder beneath a connection that is forgotten with an open result set. */
  private static LanceFolder abandonedModel() throws SQLException {
    Sql sql = Sql.model(Sql.fixture("versions_stable_21"));
    ResultSet result = sql.connection().createStatement().executeQuery(SCAN);
    assertThat(result.next()).isTrue();
    assertThat(sql.folder().openScans()).isEqualTo(1);
    return sql.folder();
  }

  @Test
  void closingAConnectionTwiceIsHarmless() throws SQLException {
    Sql sql = Sql.on("versions_stable_21");
    sql.connection().close();
    sql.connection().close();
    assertThat(sql.connection().isClosed()).isTrue();
  }
}
