package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.lancecalcite.format.DeletionFile;
import io.github.lancecalcite.io.LocalStorage;
import io.github.lancecalcite.rowid.RowRanges;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

class FragmentRowsTest {
  @TempDir Path folder;

  private DeletionVector deletions(int rows, BitSet deleted) throws IOException {
    DeletionFile file =
        new DeletionFile(DeletionFile.Kind.ROARING_BITMAP, 1, 1, deleted.cardinality(), null);
    Path path = folder.resolve(file.path(0));
    Files.createDirectories(path.getParent());
    try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(path))) {
      RoaringBitmap.bitmapOf(deleted.stream().toArray()).serialize(out);
    }
    return DeletionVector.read(LocalStorage.of(folder), file, 0, rows);
  }

  /** Runs of set and clear bits, short or long. */
  private static BitSet draw(Random random, int rows, int longest) {
    BitSet bits = new BitSet();
    boolean set = random.nextBoolean();
    for (int at = 0; at < rows; set = !set) {
      int n = 1 + random.nextInt(random.nextInt(4) == 0 ? longest : 5);
      bits.set(at, Math.min(rows, at + n), set);
      at += n;
    }
    return bits;
  }

  private static RowRanges ranges(BitSet bits) {
    List<long[]> ranges = new ArrayList<>();
    for (int at = bits.nextSetBit(0); at >= 0; at = bits.nextSetBit(bits.nextClearBit(at))) {
      ranges.add(new long[] {at, bits.nextClearBit(at)});
    }
    return RowRanges.of(ranges);
  }

  /** All rows of all batches, each batch checked against its own contract. */
  private static List<Integer> rows(FragmentRows rows, int max) {
    List<Integer> found = new ArrayList<>();
    for (BatchRows batch = rows.next(max); batch != null; batch = rows.next(max)) {
      assertThat(batch.count()).isBetween(1, max);
      assertThat(batch.isWhole()).isEqualTo(batch.count() == batch.span());
      int before = found.size();
      for (int i = 0; i < batch.span(); i++) {
        if (batch.isWhole() || (batch.words()[i / 64] >>> i & 1) != 0) {
          found.add((int) batch.first() + i);
        }
      }
      assertThat(found.size() - before).isEqualTo(batch.count());
      assertThat(found.get(before)).isEqualTo((int) batch.first());
      assertThat(found.get(found.size() - 1)).isEqualTo((int) batch.first() + batch.span() - 1);
      if (!batch.isWhole()) {
        assertThat(batch.words()).hasSize((batch.span() + 63) / 64);
        if (batch.span() % 64 != 0) {
          assertThat(batch.words()[batch.words().length - 1] >>> batch.span()).isZero();
        }
      }
    }
    assertThat(rows.next(max)).isNull();
    return found;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 63, 64, 65, 1000, 8192, 30_000})
  void batchesHoldTheRowsThatAreAllowedAndNotDeleted(int rows) throws IOException {
    for (int seed = 0; seed < 6; seed++) {
      Random random = new Random(rows + seed);
      int longest = seed % 2 == 0 ? 100 : 12_000; // gaps of more than 64 words end a batch
      BitSet deleted = draw(random, rows, longest);
      BitSet allowed = draw(random, rows, longest);
      for (boolean delete : new boolean[] {false, true}) {
        for (boolean restrict : new boolean[] {false, true}) {
          DeletionVector deletions = delete ? deletions(rows, deleted) : DeletionVector.none(rows);
          RowRanges matching = restrict ? ranges(allowed) : null;
          List<Integer> expected =
              IntStream.range(0, rows)
                  .filter(row -> !delete || !deleted.get(row))
                  .filter(row -> !restrict || allowed.get(row))
                  .boxed()
                  .toList();
          for (int max : new int[] {1, 7, 64, 8192}) {
            FragmentRows batches = new FragmentRows(rows, deletions, matching);
            assertThat(batches.total()).isEqualTo(expected.size());
            assertThat(rows(batches, max))
                .as("seed %d, batches of %d", rows + seed, max)
                .isEqualTo(expected);
          }
        }
      }
    }
  }

  @Test
  void aLongGapEndsABatch() {
    RowRanges matching = RowRanges.of(List.of(new long[] {3, 5}, new long[] {100_000, 100_001}));
    FragmentRows rows = new FragmentRows(200_000, DeletionVector.none(200_000), matching);
    BatchRows first = rows.next(100);
    assertThat(first.first()).isEqualTo(3);
    assertThat(first.span()).isEqualTo(2);
    BatchRows second = rows.next(100);
    assertThat(second.first()).isEqualTo(100_000);
    assertThat(second.span()).isEqualTo(1);
    assertThat(rows.next(100)).isNull();
  }

  @Test
  void aShrinkingMaximumIsKeptTo() {
    FragmentRows rows =
        new FragmentRows(1000, DeletionVector.none(1000), RowRanges.of(List.of(new long[] {0, 9})));
    assertThat(rows.next(5).count()).isEqualTo(5);
    assertThat(rows.next(1).count()).isEqualTo(1);
    assertThat(rows.next(100).count()).isEqualTo(3);
    assertThat(rows.next(100)).isNull();
  }

  @Test
  void aFragmentWithoutRowsHasNoBatch() {
    assertThat(new FragmentRows(0, DeletionVector.none(0), null).next(10)).isNull();
    assertThat(new FragmentRows(0, DeletionVector.none(0), RowRanges.NONE).next(10)).isNull();
    assertThat(new FragmentRows(70, DeletionVector.none(70), RowRanges.NONE).next(10)).isNull();
  }
}
