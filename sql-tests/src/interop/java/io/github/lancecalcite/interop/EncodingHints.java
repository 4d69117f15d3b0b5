package io.github.lancecalcite.interop;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * Draws the field metadata by which a user steers lance-core's choice of encodings. Hints that do
 * not suit a type are drawn as well: the writer ignores or refuses them.
 */
final class EncodingHints {
  private static final String PREFIX = "lance-encoding:";

  private EncodingHints() {}

  /** None for half the fields. */
  static Map<String, String> draw(Random random) {
    Map<String, String> hints = new HashMap<>();
    if (random.nextBoolean()) {
      return hints;
    }
    if (random.nextInt(3) != 0) {
      String compression = pick(random, "zstd", "lz4", "zstd", "lz4", "none", "fsst");
      hints.put(PREFIX + "compression", compression);
      if (compression.equals("zstd") && random.nextBoolean()) {
        hints.put(PREFIX + "compression-level", pick(random, "1", "3", "9", "0", "-1"));
      }
    }
    if (random.nextInt(3) == 0) {
      hints.put(PREFIX + "structural-encoding", pick(random, "miniblock", "fullzip", "fullzip"));
    }
    if (random.nextInt(3) == 0) {
      hints.put(PREFIX + "bss", pick(random, "on", "on", "off", "auto"));
    }
    if (random.nextInt(4) == 0) {
      hints.put(PREFIX + "rle-threshold", pick(random, "0.0", "0.1", "0.9", "1.0"));
    }
    if (random.nextInt(4) == 0) {
      hints.put(PREFIX + "dict-divisor", pick(random, "1", "2", "100000"));
    }
    if (random.nextInt(4) == 0) {
      hints.put(PREFIX + "dict-size-ratio", pick(random, "0.1", "0.8", "1.0"));
    }
    if (random.nextInt(4) == 0) {
      hints.put(PREFIX + "dict-values-compression", pick(random, "zstd", "lz4", "none"));
    }
    if (random.nextInt(6) == 0) {
      hints.put(PREFIX + "minichunk-size", pick(random, "64", "1024", "16384", "32768"));
    }
    return hints;
  }

  private static String pick(Random random, String... values) {
    return values[random.nextInt(values.length)];
  }
}
