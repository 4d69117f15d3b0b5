package io.github.lancecalcite.benchmarks;

import io.github.lancecalcite.format.EncodedU64Array;
import io.github.lancecalcite.format.U64Segment;
import io.github.lancecalcite.format.VersionRun;
import java.util.ArrayList;
import java.util.List;

/** The data of the benchmarks: the shapes of the pull requests' own. */
public final class Shapes {
  private Shapes() {}

  /** A bitmap over so many slots, every n-th of them clear. */
  public static U64Segment.RangeWithBitmap bitmap(int slots, int clearEvery) {
    byte[] bitmap = new byte[(slots + 7) / 8];
    for (int i = 0; i < slots; i++) {
      if (i % clearEvery != 0) {
        bitmap[i / 8] |= (byte) (1 << i % 8);
      }
    }
    return new U64Segment.RangeWithBitmap(0, slots, bitmap);
  }

  /** A range with every n-th value missing. */
  public static U64Segment.RangeWithHoles holes(int slots, int missingEvery) {
    int holes = (slots + missingEvery - 1) / missingEvery;
    byte[] offsets = new byte[holes * Integer.BYTES];
    for (int i = 0; i < holes; i++) {
      for (int b = 0; b < Integer.BYTES; b++) {
        offsets[i * Integer.BYTES + b] = (byte) (i * missingEvery >>> 8 * b);
      }
    }
    return new U64Segment.RangeWithHoles(0, slots, new EncodedU64Array.U32(0, offsets));
  }

  /** So many rows in so many runs, all versions of neighbours different. */
  public static List<VersionRun> runs(int rows, int count) {
    List<VersionRun> runs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long from = (long) rows * i / count;
      long to = (long) rows * (i + 1) / count;
      runs.add(new VersionRun(new U64Segment.Range(0, to - from), 1 + i));
    }
    return runs;
  }
}
