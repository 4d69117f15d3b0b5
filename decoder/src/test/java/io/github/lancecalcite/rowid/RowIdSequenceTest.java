package io.github.lancecalcite.rowid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.ValueRanges;
import io.github.lancecalcite.format.U64Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowIdSequenceTest {
  @Test
  void everyOperationEqualsTheOracleOnRandomSequences() {
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      List<U64Segment> segments = new ArrayList<>();
      long start = random.nextBoolean() ? random.nextInt(100) : -random.nextInt(1 << 20);
      for (int i = random.nextInt(5); i >= 0; i--) {
        int slots = random.nextInt(4) == 0 ? 0 : random.nextInt(300);
        segments.add(Segments.random(random, start, slots));
        start += slots + random.nextInt(10);
      }
      long[] expected = SequenceOracle.values(segments);
      RowIdSequence sequence = RowIdSequence.of(segments);
      assertThat(sequence.length()).as("seed %d", seed).isEqualTo(expected.length);
      check(sequence, expected, random, seed);
      if (expected.length > 0) {
        int offset = random.nextInt(expected.length);
        int length = random.nextInt(expected.length - offset + 1);
        long[] cut = java.util.Arrays.copyOfRange(expected, offset, offset + length);
        check(sequence.slice(offset, length), cut, random, seed);
      }
    }
  }

  private static void check(RowIdSequence sequence, long[] expected, Random random, int seed) {
    for (int i = 0; i < expected.length; i++) {
      assertThat(sequence.get(i)).as("seed %d, position %d", seed, i).isEqualTo(expected[i]);
      assertThat(sequence.positionOf(expected[i]))
          .as("seed %d, id %d", seed, expected[i])
          .isEqualTo(indexOf(expected, expected[i]));
    }
    for (int i = 0; i < 20 && expected.length > 0; i++) {
      long probe = expected[random.nextInt(expected.length)] + random.nextInt(9) - 4;
      assertThat(sequence.positionOf(probe))
          .as("seed %d, id %d", seed, probe)
          .isEqualTo(indexOf(expected, probe));
      ValueRanges values =
          random.nextBoolean()
              ? ValueRanges.closed(probe, probe + random.nextInt(200))
              : ValueRanges.of(probe, probe + 1, probe + 3, probe + 400);
      assertThat(positions(sequence.positionsIn(values)))
          .as("seed %d, ids in %s", seed, values)
          .isEqualTo(positions(expected, values));
    }
    if (expected.length > 0) {
      long[] positions = random.longs(50, 0, expected.length).toArray();
      long[] ids = sequence.select(positions);
      for (int i = 0; i < positions.length; i++) {
        assertThat(ids[i]).as("seed %d", seed).isEqualTo(expected[(int) positions[i]]);
      }
    }
  }

  private static long indexOf(long[] ids, long id) {
    for (int i = 0; i < ids.length; i++) {
      if (ids[i] == id) {
        return i;
      }
    }
    return -1;
  }

  private static List<Long> positions(long[] ids, ValueRanges values) {
    List<Long> positions = new ArrayList<>();
    for (int i = 0; i < ids.length; i++) {
      if (values.contains(ids[i])) {
        positions.add((long) i);
      }
    }
    return positions;
  }

  private static List<Long> positions(RowRanges ranges) {
    List<Long> positions = new ArrayList<>();
    for (int i = 0; i < ranges.size(); i++) {
      for (long p = ranges.start(i); p < ranges.end(i); p++) {
        positions.add(p);
      }
    }
    assertThat(ranges.rows()).isEqualTo(positions.size());
    return positions;
  }

  @Test
  void segmentsWithoutRowsAreSteppedOver() {
    RowIdSequence sequence =
        RowIdSequence.of(
            List.of(
                Segments.range(7, 7),
                Segments.range(3, 5),
                Segments.bitmap(9, 100, i -> false),
                Segments.holes(20, 22, 20, 21),
                Segments.array(),
                Segments.range(1, 2),
                Segments.sorted()));
    assertThat(sequence.select(new long[] {2, 0, 1, 1, 2})).containsExactly(1, 3, 4, 4, 1);
    assertThat(sequence.positionOf(7)).isEqualTo(-1);
    assertThat(sequence.segmentCount()).isEqualTo(7);
  }

  @Test
  void unsortedHolesAreUnderstood() {
    RowIdSequence sequence = RowIdSequence.of(List.of(Segments.holes(10, 20, 15, 11, 13)));
    assertThat(sequence.select(new long[] {0, 1, 2, 3, 6})).containsExactly(10, 12, 14, 16, 19);
  }

  @Test
  void holesOutsideTheRangeOrTwiceAreCorrupt() {
    assertThatThrownBy(() -> RowIdSequence.of(List.of(Segments.holes(10, 20, 20))))
        .isInstanceOf(DecodeException.class)
        .hasMessage("hole of a row id range: expected a value of [10, 20), found 20");
    assertThatThrownBy(() -> RowIdSequence.of(List.of(Segments.holes(10, 20, 12, 12))))
        .isInstanceOf(DecodeException.class)
        .hasMessage("holes of a row id range: expected different values, found 12 twice");
  }

  @Test
  void bitsPastTheLengthAreIgnored() {
    U64Segment.RangeWithBitmap segment = Segments.bitmap(1000, 10, i -> i != 4);
    segment.bitmap()[1] |= (byte) 0xF0;
    RowIdSequence sequence = RowIdSequence.of(List.of(segment));
    assertThat(sequence.length()).isEqualTo(9);
    assertThat(sequence.get(8)).isEqualTo(1009);
    assertThat(sequence.positionOf(1012)).isEqualTo(-1);
  }

  @Test
  void readingPastTheEndIsRefused() {
    RowIdSequence sequence = RowIdSequence.of(List.of(Segments.range(0, 3)));
    assertThatThrownBy(() -> sequence.get(3)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> sequence.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> sequence.select(new long[] {0, 3}))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> sequence.slice(2, 2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(sequence.slice(3, 0).length()).isZero();
  }
}
