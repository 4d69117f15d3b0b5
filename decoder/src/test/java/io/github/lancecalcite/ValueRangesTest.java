package io.github.lancecalcite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ValueRangesTest {
  @Test
  void touchingAndOverlappingRangesMerge() {
    ValueRanges ranges =
        ValueRanges.closed(5, 9).union(ValueRanges.closed(10, 12)).union(ValueRanges.of(3, 7, 20));
    assertThat(ranges).hasToString("{3, 5..12, 20}");
    assertThat(ranges.size()).isEqualTo(3);
  }

  @Test
  void valuesAreUnsigned() {
    ValueRanges high = ValueRanges.closed(Long.MIN_VALUE, -1L);
    assertThat(high.contains(Long.MAX_VALUE)).isFalse();
    assertThat(high.contains(Long.MIN_VALUE)).isTrue();
    assertThat(high.contains(-1L)).isTrue();
    assertThat(high).hasToString("{9223372036854775808..}");
    assertThat(ValueRanges.closed(-1L, 0).isEmpty()).isTrue();
    assertThat(high.union(ValueRanges.closed(0, Long.MAX_VALUE)).isAll()).isTrue();
  }

  @Test
  void greatestValueMergesWithoutOverflow() {
    assertThat(ValueRanges.closed(7, -1L).union(ValueRanges.of(-1L, -2L)))
        .isEqualTo(ValueRanges.closed(7, -1L));
  }

  @Test
  void setOperationsEqualThoseOfPlainSets() {
    long seed = 20261201;
    Random random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      ValueRanges a = ValueRanges.NONE;
      ValueRanges b = ValueRanges.NONE;
      TreeSet<Long> plainA = new TreeSet<>();
      TreeSet<Long> plainB = new TreeSet<>();
      for (int i = random.nextInt(5); i > 0; i--) {
        long low = 1 + random.nextInt(30);
        long high = low + random.nextInt(6) - 1;
        a = a.union(ValueRanges.closed(low, high));
        for (long v = low; v <= high; v++) {
          plainA.add(v);
        }
        low = 1 + random.nextInt(30);
        b = b.union(ValueRanges.of(low, low + 2));
        plainB.add(low);
        plainB.add(low + 2);
      }
      ValueRanges both = a.intersect(b);
      ValueRanges either = a.union(b);
      for (long v = 0; v < 40; v++) {
        String where = "seed " + seed + " round " + round + " value " + v + " a " + a + " b " + b;
        assertThat(a.contains(v)).as(where).isEqualTo(plainA.contains(v));
        assertThat(both.contains(v)).as(where).isEqualTo(plainA.contains(v) && plainB.contains(v));
        assertThat(either.contains(v))
            .as(where)
            .isEqualTo(plainA.contains(v) || plainB.contains(v));
        assertThat(a.intersects(v, v + 3))
            .as(where)
            .isEqualTo(!plainA.subSet(v, true, v + 3, true).isEmpty());
      }
    }
  }
}
