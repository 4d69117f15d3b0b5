package io.github.lancecalcite.rowid;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.lancecalcite.ValueRanges;
import io.github.lancecalcite.format.VersionRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VersionCursorTest {
  /** One row at a time: each run gives its version as often as its span has values. */
  private static long[] oracle(List<VersionRun> runs, int rows) {
    long[] versions = new long[rows];
    Arrays.fill(versions, 1);
    int row = 0;
    for (VersionRun run : runs) {
      for (int i = SequenceOracle.values(run.span()).size(); i > 0 && row < rows; i--) {
        versions[row++] = run.version();
      }
    }
    return versions;
  }

  private static void check(String name, List<VersionRun> runs, int rows, long seed) {
    long[] expected = oracle(runs, rows);
    VersionSequence sequence = VersionSequence.of(runs, rows);
    AccessPattern.walkAll(
        () -> VersionSequence.of(runs, rows).cursor(), expected, name + ", no index yet", seed);
    AccessPattern.walkAll(sequence::cursor, expected, name, seed);
    for (int i = 0; i < rows; i++) {
      assertThat(sequence.get(i)).as(name).isEqualTo(expected[i]);
    }
  }

  @Test
  void everyAccessEqualsTheOracleOnRandomRuns() {
    for (int seed = 0; seed < 150; seed++) {
      Random random = new Random(seed);
      List<VersionRun> runs = new ArrayList<>();
      int longest = 1 << random.nextInt(8);
      int total = 0;
      for (int i = random.nextInt(60); i > 0; i--) {
        int slots = random.nextInt(5) == 0 ? 0 : random.nextInt(longest) + 1;
        VersionRun run =
            new VersionRun(
                random.nextBoolean()
                    ? Segments.range(0, slots)
                    : Segments.random(random, random.nextInt(9), slots),
                1 + random.nextInt(4));
        runs.add(run);
        total += SequenceOracle.values(run.span()).size();
      }
      int rows = Math.max(0, total + (random.nextInt(3) - 1) * random.nextInt(20));
      check("seed " + seed, runs, rows, seed);
    }
  }

  @Test
  void oneRunIsAConstant() {
    check("one run", List.of(new VersionRun(Segments.range(0, 1000), 9)), 1000, 1);
    check("single rows", List.of(new VersionRun(Segments.range(0, 1), 9)), 1, 1);
    check("no rows", List.of(new VersionRun(Segments.range(0, 0), 9)), 0, 1);
  }

  @Test
  void everyRowARunOfItsOwn() {
    List<VersionRun> runs = new ArrayList<>();
    for (int i = 0; i < 777; i++) {
      runs.add(new VersionRun(Segments.range(i, i + 1), 1000 - i));
    }
    check("777 runs", runs, 777, 3);
  }

  @Test
  void rowsThatNoRunCoversHaveVersionOne() {
    VersionSequence none = VersionSequence.missing(5);
    long[] versions = new long[5];
    assertThat(none.cursor().next(versions, 0, 5)).isEqualTo(5);
    assertThat(versions).containsOnly(1);
    check("short", List.of(new VersionRun(Segments.range(0, 3), 4)), 8, 1);
    check("long", List.of(new VersionRun(Segments.range(0, 30), 4)), 8, 1);
  }

  @Test
  void theRunIndexIsBuiltByTheFirstBackwardSeek() {
    List<VersionRun> runs = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      runs.add(new VersionRun(Segments.range(0, 10), i));
    }
    VersionSequence sequence = VersionSequence.of(runs, 500);
    VersionCursor cursor = sequence.cursor();
    cursor.next(new long[100], 0, 100);
    cursor.seek(300);
    cursor.next(new long[15], 0, 15);
    cursor.seek(311);
    assertThat(sequence.hasIndex()).isFalse();
    cursor.seek(20);
    assertThat(sequence.hasIndex()).isTrue();
    long[] version = new long[1];
    cursor.seek(499);
    cursor.next(version, 0, 1);
    assertThat(version).containsExactly(49);
  }

  @Test
  void neighboursOfOneVersionAreOneRun() {
    VersionSequence sequence =
        VersionSequence.of(
            List.of(
                new VersionRun(Segments.range(0, 4), 2),
                new VersionRun(Segments.range(0, 0), 7),
                new VersionRun(Segments.bitmap(0, 9, i -> i < 3), 2),
                new VersionRun(Segments.array(5, 4), 6)),
            9);
    assertThat(sequence.runCount()).isEqualTo(2);
    VersionCursor cursor = sequence.cursor();
    assertThat(cursor.runRemaining()).isEqualTo(7);
    assertThat(cursor.nextOfRun(6)).isEqualTo(2);
    assertThat(cursor.runRemaining()).isEqualTo(1);
    assertThat(cursor.nextOfRun(1)).isEqualTo(2);
    assertThat(cursor.runRemaining()).isEqualTo(2);
    assertThat(cursor.nextOfRun(2)).isEqualTo(6);
    assertThat(cursor.runRemaining()).isZero();
  }

  @Test
  void runsAreChosenByVersion() {
    VersionSequence sequence =
        VersionSequence.of(
            List.of(
                new VersionRun(Segments.range(0, 4), 2),
                new VersionRun(Segments.range(0, 3), 7),
                new VersionRun(Segments.range(0, 5), 8),
                new VersionRun(Segments.range(0, 5), 2)),
            20);
    assertThat(sequence.positionsIn(ValueRanges.closed(6, -1L))).hasToString("[4, 12)");
    assertThat(sequence.runsIn(ValueRanges.closed(6, -1L))).isEqualTo(2);
    assertThat(sequence.positionsIn(ValueRanges.of(1, 2))).hasToString("[0, 4) [12, 20)");
    assertThat(sequence.positionsIn(ValueRanges.of(99))).hasToString("");
  }
}
