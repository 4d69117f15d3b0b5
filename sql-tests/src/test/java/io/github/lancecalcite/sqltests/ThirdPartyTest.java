package io.github.lancecalcite.sqltests;

import static java.util.Comparator.comparingDouble;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.UnsupportedFormatException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** SQL over TPC-H and other datasets written by others; skipped where they are absent. */
class ThirdPartyTest {
  private Path data = Path.of("");

  @BeforeEach
  void findData() {
    Path folder = ThirdParty.folder();
    Assumptions.assumeTrue(folder != null, "no third-party data; give -Dthirdparty=DIR");
    data = folder;
  }

  private Connection connect(String folder) throws SQLException {
    Path path = data.resolve(folder);
    Assumptions.assumeTrue(Files.isDirectory(path), "there is no " + path);
    return DriverManager.getConnection("jdbc:lance:" + path);
  }

  /** Rows as text, columns joined by a bar. */
  private static List<String> query(Connection connection, String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<String> cells = new ArrayList<>();
        for (int c = 1; c <= columns; c++) {
          cells.add(String.valueOf(result.getObject(c)));
        }
        rows.add(String.join("|", cells));
      }
    }
    return rows;
  }

  @Test
  void tpchTablesHaveTheirKnownRowCounts() throws SQLException {
    Map<String, Integer> known =
        new TreeMap<>(
            Map.of(
                "customer",
                1500,
                "nation",
                25,
                "orders",
                15_000,
                "part",
                2000,
                "partsupp",
                8000,
                "region",
                5,
                "supplier",
                100));
    try (Connection tpch = connect("tpch_sf0_01")) {
      for (Map.Entry<String, Integer> table : known.entrySet()) {
        String count = table.getValue().toString();
        assertThat(query(tpch, "select count(*) from " + table.getKey())).containsExactly(count);
        // the same again by reading rows
        assertThat(
                query(
                    tpch,
                    "select count(*) from (select * from " + table.getKey() + " limit 1000000)"))
            .containsExactly(count);
      }
    }
  }

  /** TPC-H orders lie between 1992-01-01 and 1998-08-02 by definition of its generator. */
  @Test
  void ordersCoverTheSevenYearsOfTpch() throws SQLException {
    try (Connection tpch = connect("tpch_sf0_01")) {
      assertThat(query(tpch, "select count(*), min(o_orderdate), max(o_orderdate) from orders"))
          .containsExactly("15000|1992-01-01|1998-08-02");
    }
  }

  /** Keys of TPC-H: every order has a customer, a third of the customers have no order. */
  @Test
  void ordersJoinTheirCustomersNationsAndRegions() throws SQLException {
    try (Connection tpch = connect("tpch_sf0_01")) {
      assertThat(
              query(
                  tpch,
                  "select count(*), count(distinct c_custkey) from orders"
                      + " join customer on o_custkey = c_custkey"
                      + " join nation on c_nationkey = n_nationkey"
                      + " join region on n_regionkey = r_regionkey"))
          .containsExactly("15000|1000");
      assertThat(
              query(
                  tpch,
                  "select r_name, count(*) from nation join region on n_regionkey = r_regionkey"
                      + " group by r_name order by r_name"))
          .containsExactly("AFRICA|5", "AMERICA|5", "ASIA|5", "EUROPE|5", "MIDDLE EAST|5");
      assertThat(
              query(
                  tpch,
                  "select count(*) from partsupp join part on ps_partkey = p_partkey"
                      + " join supplier on ps_suppkey = s_suppkey"))
          .containsExactly("8000");
    }
  }

  /** Nearest neighbours found by brute force are those that the data set lists as exact. */
  @Test
  void vectorsGiveTheirListedNearestNeighbours() throws SQLException {
    try (Connection vectors = connect("bigann_tiny")) {
      Map<Long, float[]> base = vectors(vectors, "select id, vec from base");
      Map<Long, float[]> queries = vectors(vectors, "select qid, vec from queries");
      assertThat(base).hasSize(2048);
      assertThat(queries).hasSize(32);
      List<String> nearest = new ArrayList<>();
      queries.forEach(
          (qid, query) ->
              nearest.add(
                  qid
                      + "|"
                      + base.keySet().stream()
                          .min(comparingDouble(id -> distance(query, base.get(id))))
                          .orElseThrow()));
      assertThat(nearest)
          .containsExactlyElementsOf(
              query(
                  vectors,
                  "select qid, id from groundtruth_all_top10 where \"rank\" = 0 order by qid"));
    }
  }

  private static Map<Long, float[]> vectors(Connection connection, String sql) throws SQLException {
    Map<Long, float[]> vectors = new TreeMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        Object[] items = (Object[]) rows.getArray(2).getArray();
        float[] vector = new float[items.length];
        for (int i = 0; i < items.length; i++) {
          vector[i] = (Float) items[i];
        }
        vectors.put(rows.getLong(1), vector);
      }
    }
    return vectors;
  }

  private static double distance(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (a[i] - b[i]) * (double) (a[i] - b[i]);
    }
    return sum;
  }

  @Test
  void filesBeforeVersion2AreRefusedByName() throws SQLException {
    try (Connection examples = connect("trino_examples")) {
      assertRefused(examples, "test_table1", "legacy");
      // older still: its manifest does not say how many rows a fragment has
      assertRefused(examples, "test_table3", "writers from 0.8.1 on");
      assertThat(query(examples, "select x, b from test_table5 order by x limit 2"))
          .containsExactly("1|100", "2|200");
      assertThat(
              query(examples, "select id, col_uint64, col_float16, col_date from wide_types_table"))
          .containsExactly("1|42|3.5|2024-01-15", "2|99|-3.5|2024-06-30");
    }
  }

  private static void assertRefused(Connection connection, String table, String why) {
    assertThatThrownBy(() -> query(connection, "select * from " + table))
        .isInstanceOf(SQLException.class)
        .hasStackTraceContaining(UnsupportedFormatException.class.getName())
        .hasStackTraceContaining(table + ".lance")
        .hasStackTraceContaining(why);
  }
}
