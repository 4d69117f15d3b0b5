package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunsTest {
  private static List<Integer> rows(Runs runs) {
    List<Integer> rows = new ArrayList<>();
    int end = -1;
    for (int i = 0; i < runs.count(); i++) {
      assertThat(runs.length(i)).as("length of run %d", i).isPositive();
      assertThat(runs.start(i))
          .as("start of run %d: runs that touch are one", i)
          .isGreaterThan(end);
      for (int row = runs.start(i); row < runs.start(i) + runs.length(i); row++) {
        rows.add(row);
      }
      end = runs.start(i) + runs.length(i);
    }
    assertThat(runs.rows()).isEqualTo(rows.size());
    return rows;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 65, 127, 128, 129, 200, 1000})
  void theRunsOfAnyBitsHoldTheSetOnes(int rowCount) {
    Random random = new Random(rowCount);
    for (int percent : new int[] {0, 1, 10, 50, 90, 99, 100}) {
      long[] words = new long[(rowCount + 63) / 64];
      List<Integer> expected = new ArrayList<>();
      for (int row = 0; row < rowCount; row++) {
        if (random.nextInt(100) < percent) {
          words[row / 64] |= 1L << row;
          expected.add(row);
        }
      }
      assertThat(rows(Runs.ofBits(words, rowCount))).as("%d %%", percent).isEqualTo(expected);
    }
  }

  @Test
  void wholeWordsAreOneRun() {
    Runs runs = Runs.ofBits(new long[] {-1L << 3, -1L, -1L, 7}, 256);
    assertThat(runs.count()).isEqualTo(1);
    assertThat(runs.start(0)).isEqualTo(3);
    assertThat(runs.length(0)).isEqualTo(192);
  }

  @Test
  void addedRunsThatTouchAreOneAndEmptyOnesAreNone() {
    Runs runs = new Runs();
    for (int i = 0; i < 100; i++) { // more than there is room for at first
      runs.add(i * 10, 2);
      runs.add(i * 10 + 2, 0);
      runs.add(i * 10 + 2, 3);
    }
    assertThat(runs.count()).isEqualTo(100);
    assertThat(runs.rows()).isEqualTo(500);
    assertThat(runs.start(99)).isEqualTo(990);
    assertThat(runs.length(99)).isEqualTo(5);
  }
}
