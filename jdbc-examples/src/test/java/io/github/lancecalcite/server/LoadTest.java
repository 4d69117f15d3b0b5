package io.github.lancecalcite.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.calcite.avatica.remote.Driver.Serialization;
import org.junit.jupiter.api.Test;

/**
 * Many clients at once, each with a connection of its own and queries of every kind; each answer is
 * compared with that of the driver in this process. {@code -Dload.clients=64 -Dload.seconds=180} is
 * the long form, {@code -Dload.serialization=JSON} the other wire; {@code -Dload.seed} repeats one.
 */
class LoadTest {
  private static final int CLIENTS = Integer.getInteger("load.clients", 8);
  private static final int SECONDS = Integer.getInteger("load.seconds", 2);
  private static final Serialization SERIALIZATION =
      Serialization.valueOf(System.getProperty("load.serialization", "PROTOBUF"));
  private static final long SEED = Long.getLong("load.seed", 1);
  private static final Path OPEN_FILES = Path.of("/proc/self/fd");

  /** Files that may come and go by themselves: sockets on their way, jars, the random source. */
  private static final int FILES_IN_MOTION = 16;

  /** A kind of query: the statement, and for a prepared one the values of its parameter. */
  private enum Kind {
    COUNT("SELECT COUNT(*) FROM quakes"),
    SCAN("SELECT * FROM airports"),
    SYSTEM_SCAN("SELECT _rowid, _row_last_updated_at_version FROM quakes"),
    FILTER("SELECT * FROM weather WHERE weather = 'snow'"),
    LOOKUP("SELECT id, occurred, magnitude, place, felt, products FROM quakes WHERE _rowid = ?"),
    PREPARED("SELECT \"date\", weather FROM weather WHERE _rowid < ? ORDER BY \"date\" DESC"),
    GROUP("SELECT weather, COUNT(*), MIN(\"date\") FROM weather GROUP BY weather ORDER BY weather"),
    LINEAGE(
        "SELECT w.\"date\", o.weather, w.weather FROM \"weather@2\" AS o JOIN weather AS w"
            + " ON o._rowid = w._rowid WHERE o.weather IS DISTINCT FROM w.weather"
            + " ORDER BY w.\"date\""),
    VERSIONS("SELECT version, \"rows\", operation FROM \"weather$versions\""),
    METADATA("getTables, getColumns");

    final String sql;

    Kind(String sql) {
      this.sql = sql;
    }

    List<String> run(Connection connection, int parameter) throws SQLException {
      if (this == METADATA) {
        DatabaseMetaData metaData = connection.getMetaData();
        List<String> all = rows(metaData.getTables(null, null, "%", null));
        all.addAll(rows(metaData.getColumns(null, "lance", "weather", "%")));
        return all;
      }
      if (sql.contains("?")) {
        try (PreparedStatement prepared = connection.prepareStatement(sql)) {
          prepared.setLong(1, parameter);
          return rows(prepared.executeQuery());
        }
      }
      try (Statement statement = connection.createStatement()) {
        statement.setFetchSize(1_000);
        return rows(statement.executeQuery(sql));
      }
    }

    private static List<String> rows(ResultSet rows) throws SQLException {
      try (rows) {
        int columns = rows.getMetaData().getColumnCount();
        List<String> all = new ArrayList<>();
        while (rows.next()) {
          StringBuilder line = new StringBuilder();
          for (int i = 1; i <= columns; i++) {
            line.append(rows.getString(i)).append('|');
          }
          all.add(line.toString());
        }
        return all;
      }
    }
  }

  private static final int PARAMETERS = 8;

  /** Parameters spread over the ids of both tables. */
  private static int parameter(int index) {
    return index * 150;
  }

  @Test
  void everyAnswerIsRightAndNothingIsLeft() throws Exception {
    // the stock client opens at most 25 HTTP connections per JVM and server otherwise
    System.setProperty("avatica.pooled.connections.per.route", Integer.toString(CLIENTS));
    System.setProperty("avatica.pooled.connections.max", Integer.toString(4 * CLIENTS));
    String local = "jdbc:lance:" + Clients.SAMPLES;
    Map<Kind, List<List<String>>> expected = expected(local);
    ExecutorService pool = Executors.newFixedThreadPool(CLIENTS);
    try (RunningServer server = RunningServer.start(local, ServerSettings.local(SERIALIZATION))) {
      CyclicBarrier together = new CyclicBarrier(CLIENTS, new FileCount());
      List<Future<Map<Kind, List<Long>>>> running = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Random random = new Random(SEED + i);
        running.add(pool.submit(new Client(server.clientUrl(), expected, random, together)));
      }
      Map<Kind, List<Long>> times = new EnumMap<>(Kind.class);
      for (Future<Map<Kind, List<Long>>> client : running) {
        client.get().forEach((kind, of) -> times.merge(kind, of, LoadTest::joined));
      }
      print(times);

      assertThat(server.openResults()).isZero();
      assertThat(server.openStatements()).isZero();
      assertThat(server.openConnections()).isZero();
      assertThat(server.scanUse()).isEqualTo(ScanUse.NONE);
    } finally {
      pool.shutdownNow();
    }
  }

  /** Answers of the driver in this process, by kind and index of the parameter. */
  private static Map<Kind, List<List<String>>> expected(String local) throws SQLException {
    Map<Kind, List<List<String>>> expected = new EnumMap<>(Kind.class);
    try (Connection connection = DriverManager.getConnection(local)) {
      for (Kind kind : Kind.values()) {
        List<List<String>> answers = new ArrayList<>();
        for (int i = 0; i < PARAMETERS; i++) {
          answers.add(
              i > 0 && !kind.sql.contains("?")
                  ? answers.get(0)
                  : kind.run(connection, parameter(i)));
        }
        expected.put(kind, answers);
      }
    }
    assertThat(expected.get(Kind.LINEAGE).get(0)).hasSize(61);
    return expected;
  }

  /** Compares the number of open files when all have warmed up with that when all have done. */
  private static final class FileCount implements Runnable {
    private long warm = -1;

    @Override
    public void run() {
      long now = openFiles();
      if (warm < 0) {
        warm = now;
      } else {
        System.out.printf(
            Locale.ROOT, "open files: %d after warming up, %d at the end%n", warm, now);
        assertThat(now).as("open files, %d before", warm).isLessThan(warm + FILES_IN_MOTION);
      }
    }

    /** 0 where the system does not tell. */
    private static long openFiles() {
      if (!Files.isDirectory(OPEN_FILES)) {
        return 0;
      }
      try (Stream<Path> files = Files.list(OPEN_FILES)) {
        return files.count();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** One client: every kind once, a rest for all, then any kind until the time is over. */
  private record Client(
      String url, Map<Kind, List<List<String>>> expected, Random random, CyclicBarrier together)
      implements Callable<Map<Kind, List<Long>>> {
    @Override
    public Map<Kind, List<Long>> call() throws Exception {
      Map<Kind, List<Long>> times = new EnumMap<>(Kind.class);
      try (Connection connection = DriverManager.getConnection(url)) {
        for (Kind kind : Kind.values()) {
          query(connection, kind);
        }
        together.await();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (System.nanoTime() - end < 0) {
          Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
          times.computeIfAbsent(kind, k -> new ArrayList<>()).add(query(connection, kind));
        }
        together.await();
      } catch (Exception | AssertionError e) {
        together.reset(); // nobody is to wait for this one
        throw e;
      }
      return times;
    }

    /** Returns nanoseconds. */
    private long query(Connection connection, Kind kind) throws SQLException {
      int parameter = random.nextInt(PARAMETERS);
      long start = System.nanoTime();
      List<String> rows = kind.run(connection, parameter(parameter));
      long time = System.nanoTime() - start;
      assertThat(rows)
          .as("%s with %d, seed %d", kind, parameter(parameter), SEED)
          .isEqualTo(expected.get(kind).get(parameter));
      return time;
    }
  }

  private static List<Long> joined(List<Long> a, List<Long> b) {
    a.addAll(b);
    return a;
  }

  private static void print(Map<Kind, List<Long>> times) {
    long total = times.values().stream().mapToLong(List::size).sum();
    System.out.printf(
        Locale.ROOT,
        "%s: %d clients, %d s, %d queries, %.0f a second%n",
        SERIALIZATION,
        CLIENTS,
        SECONDS,
        total,
        (double) total / SECONDS);
    times.forEach(
        (kind, of) -> {
          long[] sorted = of.stream().mapToLong(Long::longValue).sorted().toArray();
          System.out.printf(
              Locale.ROOT,
              "  %-12s %7d   p50 %7.1f ms   p95 %7.1f ms   p99 %7.1f ms   max %7.1f ms%n",
              kind,
              sorted.length,
              percentile(sorted, 0.50),
              percentile(sorted, 0.95),
              percentile(sorted, 0.99),
              percentile(sorted, 1));
        });
  }

  private static double percentile(long[] sorted, double share) {
    int index = (int) Math.ceil(share * sorted.length) - 1;
    return sorted[Math.max(0, index)] / 1e6;
  }
}
