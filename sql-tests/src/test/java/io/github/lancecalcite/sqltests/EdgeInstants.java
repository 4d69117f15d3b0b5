package io.github.lancecalcite.sqltests;

/** What the dataset {@code edges/instants.lance} was written from. */
public final class EdgeInstants {
  /**
   * By row, nanoseconds since 1970; several within one millisecond. One more row is null. The
   * dataset in the repository has these: others call for writing it anew.
   */
  private static final long[] NANOS = {
    0,
    1,
    1_000,
    999_000,
    999_999,
    1_000_000,
    -1,
    -1_000,
    -999_999,
    -1_000_000,
    -1_000_001,
    -86_400_000_000_001L,
    1_710_064_800_123_456_789L,
    1_710_064_800_123_456_788L,
    1_710_064_800_123_000_000L,
    -2_208_988_800_000_000_001L,
    4_102_444_800_999_999_999L
  };

  private EdgeInstants() {}

  /** A copy of the nanoseconds, by row. */
  public static long[] nanos() {
    return NANOS.clone();
  }
}
