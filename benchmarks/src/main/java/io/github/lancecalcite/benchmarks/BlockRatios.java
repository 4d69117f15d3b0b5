package io.github.lancecalcite.benchmarks;

import java.util.concurrent.Callable;

/** The cases of the groups checksum and varlena. */
final class BlockRatios {
  private BlockRatios() {}

  /** Prints one case; both sides must give the same result. */
  interface Printer {
    /** A goal of 0 means none was set. */
    void print(String name, Callable<Long> baseline, Callable<Long> ours, double goal, long longs)
        throws Exception;
  }

  static void checksum(Printer out) throws Exception {
    ChecksumBenchmark b = new ChecksumBenchmark();
    b.prepare();
    long longs = ChecksumBenchmark.BYTES / 8;
    try {
      out.print("checksum 24 MiB, per block", b::perBlock, b::coalesced, 2, longs);
      out.print(
          "checksum 24 MiB, raw read + crc + copy", b::rawReadCrcCopy, b::coalesced, 0.75, longs);
      out.print("checksum 24 MiB, heap buffer", b::coalescedThroughHeap, b::coalesced, 1, longs);
      out.print(
          "checksum 64 windows, per block",
          b::windowsPerBlock,
          b::windowsCoalesced,
          0,
          b.windowBytes() / 8);
    } finally {
      b.close();
    }
  }

  static void varlena(Printer out) throws Exception {
    for (boolean views : new boolean[] {false, true}) {
      for (int width : new int[] {0, 24, 128, 800, 3072}) {
        for (int nulls : new int[] {0, 10, 50}) {
          for (int seeded : new int[] {0, 1000}) {
            boolean isGoal = width == 128 || width == 800;
            VarlenaBenchmark b = benchmark(views, width, nulls, seeded);
            String name = (views ? "view " : "") + (width == 0 ? "8-23" : width) + " B";
            out.print(
                "append " + name + ", " + nulls + "% null, " + seeded + " seeded",
                b::appendPerRow,
                b::append,
                isGoal ? 3 : 0,
                b.payloadBytes() / 8 + 1);
            if (isGoal) {
              Callable<Long> bytesAlone =
                  () -> {
                    b.copyBytes();
                    return b.sample();
                  };
              out.print("  against a copy of its bytes alone", bytesAlone, b::append, 0, 1);
            }
            b.close();
          }
        }
      }
      for (int width : new int[] {24, 128, 800}) {
        VarlenaBenchmark b = benchmark(views, width, 10, 0);
        String name = (views ? "view " : "") + width + " B";
        out.print("select " + name, b::selectPerRow, b::select, 1.9, b.payloadBytes() / 8);
        b.close();
      }
      VarlenaBenchmark b = benchmark(views, 24, 0, 0);
      out.print(
          "constant " + (views ? "view " : "") + "8192 x 24 B",
          b::repeatPerRow,
          b::repeat,
          2.1,
          b.payloadBytes() / 8);
      b.close();
    }
  }

  private static VarlenaBenchmark benchmark(boolean views, int width, int nulls, int seeded) {
    VarlenaBenchmark b = new VarlenaBenchmark();
    b.views = views;
    b.width = width;
    b.nullPercent = nulls;
    b.seeded = seeded;
    b.prepare();
    return b;
  }
}
