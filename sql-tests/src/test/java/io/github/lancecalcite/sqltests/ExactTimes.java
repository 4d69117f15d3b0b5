package io.github.lancecalcite.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Checks what JDBC gives for the dataset {@code edges/instants.lance}, which lance-core wrote,
 * against java.time: to the nanosecond, on both sides of 1970, in the zone of this JVM.
 */
final class ExactTimes {
  private static final long[] NANOS = EdgeInstants.nanos();

  private static final List<ChronoUnit> UNITS =
      List.of(ChronoUnit.SECONDS, ChronoUnit.MILLIS, ChronoUnit.MICROS, ChronoUnit.NANOS);

  private final Connection connection;
  private final int step;
  private int checks;

  private ExactTimes(Connection connection, int step) {
    this.connection = connection;
    this.step = step;
  }

  static Path edges() {
    return Checkout.root().resolve("sql-tests/src/test/resources/edges");
  }

  /**
   * Runs all checks and gives their number.
   *
   * @param step of the values, which of them to compare with: 1 for all
   */
  static int check(int step) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:lance:" + edges())) {
      ExactTimes times = new ExactTimes(connection, step);
      for (ChronoUnit unit : UNITS) {
        times.values(unit);
        boolean instants = UNITS.indexOf(unit) % 2 == 1;
        times.comparisons(
            unit,
            instants ? "_utc" : "",
            instants ? "timestamp with local time zone" : "timestamp");
        times.order(unit);
        times.groups(unit);
        times.joins(unit);
        times.parameters(unit);
      }
      times.timesOfDay();
      return times.checks;
    }
  }

  private static String column(ChronoUnit unit) {
    String name = unit.name().toLowerCase(Locale.ROOT);
    return "ts_" + (unit == ChronoUnit.SECONDS ? "second" : name.replace("s", "") + "second");
  }

  private static LocalDateTime clock(int row, ChronoUnit unit) {
    long nanos = NANOS[row];
    LocalDateTime exact =
        LocalDateTime.ofEpochSecond(
            Math.floorDiv(nanos, 1_000_000_000L),
            (int) Math.floorMod(nanos, 1_000_000_000L),
            ZoneOffset.UTC);
    return exact.truncatedTo(unit);
  }

  private static int digits(ChronoUnit unit) {
    return 3 * UNITS.indexOf(unit);
  }

  private static String text(LocalDateTime clock, int digits) {
    String whole = clock.truncatedTo(ChronoUnit.SECONDS).toString().replace('T', ' ');
    String seconds = whole.length() == 16 ? whole + ":00" : whole;
    String nanos = String.format(Locale.ROOT, ".%09d", clock.getNano());
    return digits == 0 ? seconds : seconds + nanos.substring(0, digits + 1);
  }

  /** Every getter, whatever is pushed into the scan or stays above it. */
  private void values(ChronoUnit unit) throws SQLException {
    String select = "select id, " + column(unit) + ", " + column(unit) + "_utc from instants";
    for (String query :
        List.of(
            select,
            select + " where _rowid >= 0",
            select + " where id >= 0",
            select + " where id + 0 >= 0 order by id",
            select + " limit 100",
            "select * from (" + select + ") as t where id < 1000")) {
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(query)) {
        for (int row = 0; row < NANOS.length; row++) {
          assertThat(rows.next()).isTrue();
          value(rows, clock((int) rows.getLong(1), unit), digits(unit));
        }
        assertThat(rows.next()).isTrue();
        assertThat(rows.getTimestamp(2)).isNull();
        assertThat(rows.getObject(3, Instant.class)).isNull();
        assertThat(rows.wasNull()).isTrue();
        assertThat(rows.getString(2)).isNull();
        assertThat(rows.next()).isFalse();
      }
    }
  }

  private void value(ResultSet rows, LocalDateTime clock, int digits) throws SQLException {
    Instant instant = clock.toInstant(ZoneOffset.UTC);
    Calendar utc = Calendar.getInstance(TimeZone.getTimeZone("UTC"), Locale.ROOT);
    assertThat(rows.getString(2)).isEqualTo(text(clock, digits));
    assertThat(rows.getString(3)).isEqualTo(text(clock, digits));
    assertThat(rows.getObject(2, LocalDateTime.class)).isEqualTo(clock);
    assertThat(rows.getTimestamp(2)).isEqualTo(Timestamp.valueOf(clock));
    assertThat(rows.getObject(2)).isEqualTo(Timestamp.valueOf(clock));
    assertThat(rows.getTimestamp(2, utc).toInstant()).isEqualTo(instant);
    assertThat(rows.getTimestamp(3).toInstant()).isEqualTo(instant);
    assertThat(rows.getTimestamp(3, utc).toInstant()).isEqualTo(instant);
    assertThat(((Timestamp) rows.getObject(3)).toInstant()).isEqualTo(instant);
    assertThat(rows.getObject(3, Instant.class)).isEqualTo(instant);
    assertThat(rows.getObject(3, OffsetDateTime.class)).isEqualTo(instant.atOffset(ZoneOffset.UTC));
    checks += 11;
  }

  private record Comparison(String sql, BiPredicate<LocalDateTime, LocalDateTime> java) {}

  private static final List<Comparison> COMPARISONS =
      List.of(
          new Comparison("=", LocalDateTime::isEqual),
          new Comparison("<>", (a, b) -> !a.isEqual(b)),
          new Comparison("<", LocalDateTime::isBefore),
          new Comparison("<=", (a, b) -> !a.isAfter(b)),
          new Comparison(">", LocalDateTime::isAfter),
          new Comparison(">=", (a, b) -> !a.isBefore(b)),
          new Comparison("is distinct from", (a, b) -> !a.isEqual(b)));

  /** Each value with literals of nine digits: true, false, or null where the value is. */
  private void comparisons(ChronoUnit unit, String suffix, String type) throws SQLException {
    for (int literal = 0; literal < NANOS.length; literal += step) {
      LocalDateTime right = clock(literal, ChronoUnit.NANOS);
      String text = type + " '" + text(right, 9) + "'";
      String column = column(unit) + suffix;
      for (Comparison comparison : COMPARISONS) {
        String condition = column + " " + comparison.sql + " " + text;
        List<Integer> expected = new ArrayList<>();
        List<Integer> others = new ArrayList<>();
        for (int row = 0; row < NANOS.length; row++) {
          (comparison.java.test(clock(row, unit), right) ? expected : others).add(row);
        }
        if (comparison.sql.startsWith("is")) {
          expected.add(NANOS.length); // the null
        }
        assertThat(ids("select id from instants where " + condition))
            .as(condition)
            .isEqualTo(expected);
        assertThat(ids("select id from instants where not (" + condition + ")"))
            .as("not " + condition)
            .isEqualTo(others);
        checks += 2;
      }
    }
  }

  private List<Integer> ids(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<Integer> ids = new ArrayList<>();
      while (rows.next()) {
        ids.add(rows.getInt(1));
      }
      return ids;
    }
  }

  private void order(ChronoUnit unit) throws SQLException {
    List<Integer> sorted =
        IntStream.range(0, NANOS.length)
            .boxed()
            .sorted(
                (a, b) -> {
                  int byTime = clock(a, unit).compareTo(clock(b, unit));
                  return byTime == 0 ? a.compareTo(b) : byTime;
                })
            .toList();
    String query = "select id from instants where id < 17 order by " + column(unit) + ", id";
    assertThat(ids(query)).isEqualTo(sorted);
    assertThat(ids(query + " limit 5")).isEqualTo(sorted.subList(0, 5));
    checks += 2;
  }

  private void groups(ChronoUnit unit) throws SQLException {
    TreeMap<LocalDateTime, Long> counts =
        IntStream.range(0, NANOS.length)
            .boxed()
            .collect(
                Collectors.groupingBy(
                    row -> clock(row, unit), TreeMap::new, Collectors.counting()));
    String from = " from instants where id < 17";
    TreeMap<LocalDateTime, Long> actual = new TreeMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "select count(*), " + column(unit) + from + " group by " + column(unit))) {
      while (rows.next()) {
        actual.put(rows.getObject(2, LocalDateTime.class), rows.getLong(1));
      }
    }
    assertThat(actual).isEqualTo(counts);
    String distinct = "select distinct " + column(unit) + from;
    assertThat(ids("select count(*) from (" + distinct + ")")).containsExactly(counts.size());
    assertThat(
            ids("select count(*) from (" + distinct + " union select " + column(unit) + from + ")"))
        .containsExactly(counts.size());
    assertThat(ids("select count(*) from (" + distinct + " except " + distinct + ")"))
        .containsExactly(0);
    checks += 4;
  }

  private void joins(ChronoUnit unit) throws SQLException {
    int equal = 0;
    int before = 0;
    for (int a = 0; a < NANOS.length; a++) {
      for (int b = 0; b < NANOS.length; b++) {
        equal += clock(a, unit).isEqual(clock(b, unit)) ? 1 : 0;
        before += clock(a, unit).isBefore(clock(b, ChronoUnit.NANOS)) ? 1 : 0;
      }
    }
    String of = column(unit);
    assertThat(ids("select count(*) from instants a join instants b on a." + of + " = b." + of))
        .containsExactly(equal);
    assertThat(
            ids(
                "select count(*) from instants a join instants b on a."
                    + of
                    + " < b.ts_nanosecond"))
        .containsExactly(before);
    String last = "timestamp '" + text(clock(16, unit), digits(unit)) + "'";
    assertThat(
            ids(
                "select id from instants where id in (select id from instants where "
                    + of
                    + " >= "
                    + last
                    + ")"))
        .containsExactly(16);
    // a maximum is computed in milliseconds, and what is compared with it is too
    assertThat(
            ids(
                "select id from instants where "
                    + of
                    + " = (select max("
                    + of
                    + ") from instants)"))
        .containsExactly(16);
    checks += 4;
  }

  /** Instants and wall clocks of the column's own digits, as far as a parameter holds them. */
  private void parameters(ChronoUnit unit) throws SQLException {
    try (PreparedStatement local =
            connection.prepareStatement("select id from instants where " + column(unit) + " >= ?");
        PreparedStatement instant =
            connection.prepareStatement(
                "select id from instants where " + column(unit) + "_utc >= ?")) {
      for (int row = 0; row < NANOS.length; row++) {
        LocalDateTime clock = clock(row, ChronoUnit.MILLIS);
        List<Integer> expected =
            IntStream.range(0, NANOS.length)
                .filter(r -> !clock(r, unit).isBefore(clock))
                .boxed()
                .toList();
        for (Object value : new Object[] {clock, Timestamp.valueOf(clock)}) {
          local.setObject(1, value);
          assertThat(ids(local)).isEqualTo(expected);
        }
        Instant of = clock.toInstant(ZoneOffset.UTC);
        for (Object value :
            new Object[] {of, Timestamp.from(of), of.atOffset(ZoneOffset.ofHours(5))}) {
          instant.setObject(1, value);
          assertThat(ids(instant)).isEqualTo(expected);
        }
        instant.setTimestamp(1, Timestamp.from(of));
        assertThat(ids(instant)).isEqualTo(expected);
        checks += 6;
      }
    }
  }

  private static List<Integer> ids(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      List<Integer> ids = new ArrayList<>();
      while (rows.next()) {
        ids.add(rows.getInt(1));
      }
      return ids;
    }
  }

  private void timesOfDay() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("select t_us, t_ns, id from instants where id < 17")) {
      while (rows.next()) {
        LocalTime time = clock(rows.getInt(3), ChronoUnit.NANOS).toLocalTime();
        LocalTime micros = time.truncatedTo(ChronoUnit.MICROS);
        assertThat(rows.getObject(1, LocalTime.class)).isEqualTo(micros);
        assertThat(rows.getObject(2, LocalTime.class)).isEqualTo(time);
        assertThat(rows.getString(2))
            .isEqualTo(text(time.atDate(java.time.LocalDate.EPOCH), 9).substring(11));
        assertThat(rows.getTime(2).toLocalTime()).isEqualTo(time.truncatedTo(ChronoUnit.SECONDS));
        String literal = text(time.atDate(java.time.LocalDate.EPOCH), 9).substring(11);
        String count = "select count(*) from instants where t_ns < time '" + literal + "'";
        long before =
            IntStream.range(0, NANOS.length)
                .filter(r -> clock(r, ChronoUnit.NANOS).toLocalTime().isBefore(time))
                .count();
        assertThat(ids(count)).containsExactly((int) before);
        checks += 5;
      }
    }
  }
}
