package io.github.lancecalcite.rowid;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.lancecalcite.ValueRanges;
import io.github.lancecalcite.format.U64Segment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowIdIndexTest {
  @Test
  void theLiveCopyOfAnUpdatedRowAnswers() {
    RowIdIndex index =
        new RowIdIndex(
            List.of(
                new RowIdIndex.Entry(0, RowIdSequence.range(0, 10), new long[] {0b1001}),
                new RowIdIndex.Entry(7, RowIdSequence.of(List.of(Segments.array(3, 20))), null)));
    assertThat(index.addressOf(1)).isEqualTo(1);
    assertThat(index.addressOf(3)).isEqualTo(7L << 32);
    assertThat(index.addressOf(20)).isEqualTo(7L << 32 | 1);
    assertThat(index.addressOf(0)).isEqualTo(RowIdIndex.NOT_FOUND);
    assertThat(index.addressOf(99)).isEqualTo(RowIdIndex.NOT_FOUND);
    assertThat(index.find(ValueRanges.closed(0, 5)))
        .extracting(m -> m.fragmentId() + ": " + m.rows())
        .containsExactly("0: [1, 3) [4, 6)", "7: [0, 1)");
  }

  @Test
  void lookUpsEqualAMapOnRandomFragments() {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      List<RowIdIndex.Entry> entries = new ArrayList<>();
      Map<Long, Long> expected = new HashMap<>();
      for (int f = 0; f < 4; f++) {
        List<U64Segment> segments = List.of(Segments.random(random, f * 300L, 300));
        long[] ids = SequenceOracle.values(segments);
        long[] deleted = random.nextBoolean() ? null : new long[1 + random.nextInt(5)];
        for (int p = 0; p < ids.length; p++) {
          boolean dead = deleted != null && p / 64 < deleted.length && random.nextInt(4) == 0;
          if (dead) {
            deleted[p / 64] |= 1L << p;
          } else {
            expected.put(ids[p], (long) f << 32 | p);
          }
        }
        entries.add(new RowIdIndex.Entry(f, RowIdSequence.of(segments), deleted));
      }
      RowIdIndex index = new RowIdIndex(entries);
      for (long id = 0; id < 1300; id++) {
        assertThat(index.addressOf(id))
            .as("seed %d, id %d", seed, id)
            .isEqualTo(expected.getOrDefault(id, RowIdIndex.NOT_FOUND));
      }
      ValueRanges wanted = ValueRanges.closed(250, 700);
      List<Long> found = new ArrayList<>();
      for (RowIdIndex.Match match : index.find(wanted)) {
        for (int i = 0; i < match.rows().size(); i++) {
          for (long p = match.rows().start(i); p < match.rows().end(i); p++) {
            found.add(match.fragmentId() << 32 | p);
          }
        }
      }
      List<Long> should =
          expected.entrySet().stream()
              .filter(e -> wanted.contains(e.getKey()))
              .map(Map.Entry::getValue)
              .sorted()
              .toList();
      assertThat(found).as("seed %d", seed).isEqualTo(should);
    }
  }

  @Test
  void livePositionsEqualTheOracle() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      int rows = random.nextInt(3000);
      int oneIn = 1 << random.nextInt(12);
      long[] deleted = new long[random.nextInt(rows / 64 + 2)];
      for (int p = 0; p < deleted.length * 64; p++) {
        deleted[p / 64] |= random.nextInt(oneIn) == 0 ? 1L << p : 0;
      }
      RowRanges kept = new RowRanges();
      List<Long> expected = new ArrayList<>();
      for (int at = random.nextInt(100); at < rows; ) {
        int end = Math.min(rows, at + 1 + random.nextInt(900));
        kept.add(at, end);
        for (long p = at; p < end; p++) {
          if (p / 64 >= deleted.length || (deleted[(int) (p / 64)] >>> p & 1) == 0) {
            expected.add(p);
          }
        }
        at = end + random.nextInt(200);
      }
      RowIdSequence live = RowIdSequence.ofPositions(kept, deleted);
      AccessPattern.walkAll(
          live::cursor, expected.stream().mapToLong(p -> p).toArray(), "seed " + seed, seed);
    }
  }

  @Test
  void rangesIntersectAndLoseDeletedPositions() {
    RowRanges a = RowRanges.all(200);
    long[] deleted = {-1L, 0b101, 0};
    assertThat(a.without(deleted)).hasToString("[65, 66) [67, 200)");
    assertThat(a.intersect(a.without(deleted))).hasToString("[65, 66) [67, 200)");
    assertThat(RowRanges.all(0).without(deleted)).hasToString("");
    assertThat(RowRanges.all(64).without(deleted)).hasToString("");
    assertThat(RowRanges.all(65).without(new long[0])).hasToString("[0, 65)");
  }
}
