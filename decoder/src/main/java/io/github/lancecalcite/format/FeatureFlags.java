package io.github.lancecalcite.format;

import io.github.lancecalcite.UnsupportedFormatException;
import java.util.Map;
import java.util.StringJoiner;

/** The feature flags of a manifest: what a reader must understand before it may read. */
final class FeatureFlags {
  /** Every bit this reader understands or may ignore: 1, 2, 4, 8, 16 and 32. */
  private static final long KNOWN = 63;

  /** What newer writers are said to mean by further bits; for the error text only. */
  private static final Map<Long, String> NAMES =
      Map.of(
          64L, "data overlay files",
          128L, "covered index metadata",
          256L, "mixed data file versions",
          512L, "fragment reuse index",
          1024L, "fragment reuse index");

  private FeatureFlags() {}

  /**
   * Refuses flags this reader does not know.
   *
   * @throws UnsupportedFormatException naming each unknown bit
   */
  static void check(String path, long readerFlags) throws UnsupportedFormatException {
    long unknown = readerFlags & ~KNOWN;
    if (unknown == 0) {
      return;
    }
    StringJoiner bits = new StringJoiner(", ");
    for (long rest = unknown; rest != 0; rest &= rest - 1) {
      long bit = Long.lowestOneBit(rest);
      String name = NAMES.get(bit);
      bits.add(Long.toUnsignedString(bit) + (name == null ? "" : " (" + name + ")"));
    }
    throw new UnsupportedFormatException(
        path, "reader feature flags", bits, "flags 1, 2, 4, 8, 16 and 32");
  }
}
