package io.github.lancecalcite.rowid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.format.RowIdSequences;
import io.github.lancecalcite.format.U64Segment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

class RowIdCursorTest {
  private static void check(String name, List<U64Segment> segments, long seed) {
    RowIdSequence sequence = RowIdSequence.of(segments);
    long[] expected = SequenceOracle.values(segments);
    byte[] before = RowIdSequences.serialize(segments);
    AccessPattern.walkAll(sequence::cursor, expected, name, seed);
    assertThat(RowIdSequences.serialize(segments))
        .as("%s: nothing changed", name)
        .isEqualTo(before);
  }

  @Test
  void everyAccessEqualsTheOracleOnRandomSequences() {
    for (int seed = 0; seed < 150; seed++) {
      Random random = new Random(seed);
      List<U64Segment> segments = new ArrayList<>();
      long start = random.nextBoolean() ? 0 : -random.nextInt(1 << 20);
      for (int i = random.nextInt(5); i >= 0; i--) {
        int slots = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(400);
        segments.add(Segments.random(random, start, slots));
        start += slots + random.nextInt(10);
      }
      check("seed " + seed, segments, seed);
    }
  }

  @Test
  void slicesAreWalkedLikeWholes() {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      List<U64Segment> segments = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        segments.add(Segments.random(random, 1000L * i, 300));
      }
      long[] all = SequenceOracle.values(segments);
      int from = random.nextInt(all.length + 1);
      int length = random.nextInt(all.length - from + 1);
      RowIdSequence slice = RowIdSequence.of(segments).slice(from, length);
      long[] expected = java.util.Arrays.copyOfRange(all, from, from + length);
      AccessPattern.walkAll(slice::cursor, expected, "seed " + seed, seed);
    }
  }

  @Test
  void bitmapsOfEveryShapeAndTailAreWalkedDenseAndSparse() {
    Map<String, IntPredicate> shapes = new LinkedHashMap<>();
    shapes.put("all zero", i -> false);
    shapes.put("all one", i -> true);
    shapes.put("one hole", i -> i != 65);
    shapes.put("only the first", i -> i == 0);
    shapes.put("only bit 63", i -> i == 63);
    shapes.put("every second", i -> i % 2 == 0);
    shapes.put("all but every second", i -> i % 2 != 0);
    shapes.put("all but every 17th", i -> i % 17 != 0);
    shapes.put("all but every 64th", i -> i % 64 != 63);
    shapes.put("full bytes in turn", i -> i / 8 % 2 == 0);
    shapes.put("full words in turn", i -> i / 64 % 2 == 0);
    shapes.put("five words in six", i -> i / 64 % 6 != 0);
    shapes.put("runs over word ends", i -> i % 70 < 60);
    for (Map.Entry<String, IntPredicate> shape : shapes.entrySet()) {
      for (int slots : new int[] {0, 1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 511, 512, 513, 1000}) {
        for (long start : new long[] {0, 3, -4}) {
          String name = shape.getKey() + ", " + slots + " slots from " + start;
          U64Segment.RangeWithBitmap bitmap = Segments.bitmap(start, slots, shape.getValue());
          check(name, List.of(bitmap), slots);
          // beside another segment the same bitmap takes the sparse path
          check(name + ", two segments", List.of(bitmap, Segments.range(90_000, 90_003)), slots);
          U64Segment.RangeWithBitmap dirty = Segments.bitmap(start, slots, shape.getValue());
          if (slots % 8 != 0) {
            dirty.bitmap()[slots / 8] |= (byte) (0xFF << slots % 8);
          }
          check(name + ", dirty tail", List.of(dirty), slots);
        }
      }
    }
  }

  @Test
  void aLoneBitmapIsDenseFromSixBitsInEight() {
    RowIdSequence three = RowIdSequence.of(List.of(Segments.bitmap(0, 64, i -> i % 4 != 0)));
    RowIdSequence fewer =
        RowIdSequence.of(List.of(Segments.bitmap(0, 64, i -> i % 4 != 0 && i != 1)));
    RowIdSequence two =
        RowIdSequence.of(List.of(Segments.bitmap(0, 64, i -> true), Segments.range(64, 65)));
    assertThat(three.stream(three.segment(0))).isInstanceOf(DenseBitmapStream.class);
    assertThat(fewer.stream(fewer.segment(0))).isInstanceOf(SparseBitmapStream.class);
    assertThat(two.stream(two.segment(0))).isInstanceOf(SparseBitmapStream.class);
  }

  @Test
  void rangesCanBeTakenAsOneAdditionPerRow() {
    RowIdSequence sequence =
        RowIdSequence.of(
            List.of(
                Segments.range(5, 5),
                Segments.range(10, 14),
                Segments.array(9, 7),
                Segments.range(0, 2)));
    RowIdCursor cursor = sequence.cursor();
    assertThat(cursor.rangeRemaining()).isEqualTo(4);
    assertThat(cursor.nextOfRange(3)).isEqualTo(10);
    assertThat(cursor.rangeRemaining()).isEqualTo(1);
    assertThatThrownBy(() -> cursor.nextOfRange(2)).isInstanceOf(IllegalStateException.class);
    assertThat(cursor.nextOfRange(1)).isEqualTo(13);
    assertThat(cursor.rangeRemaining()).isZero();
    assertThat(cursor.next(new long[2], 0, 2)).isEqualTo(2);
    assertThat(cursor.rangeRemaining()).isEqualTo(2);
    assertThat(cursor.nextOfRange(2)).isZero();
    assertThat(cursor.rangeRemaining()).isZero();
    cursor.seek(2);
    assertThat(cursor.nextOfRange(1)).isEqualTo(12);
  }

  @Test
  void oneSequenceServesManyThreads() throws Exception {
    List<U64Segment> segments = new ArrayList<>();
    Random random = new Random(7);
    for (int i = 0; i < 20; i++) {
      segments.add(Segments.random(random, i * 1000L, 900));
    }
    long[] expected = SequenceOracle.values(segments);
    RowIdSequence sequence = RowIdSequence.of(segments);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (int t = 0; t < 32; t++) {
        long seed = t;
        tasks.add(
            () -> {
              AccessPattern.walkAll(sequence::cursor, expected, "thread " + seed, seed);
              Random r = new Random(seed);
              for (int i = 0; i < 200; i++) {
                int p = r.nextInt(expected.length);
                assertThat(sequence.get(sequence.positionOf(expected[p]))).isEqualTo(expected[p]);
              }
              return true;
            });
      }
      for (Future<Boolean> done : threads.invokeAll(tasks)) {
        assertThat(done.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
