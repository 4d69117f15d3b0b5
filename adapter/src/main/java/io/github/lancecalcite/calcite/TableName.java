package io.github.lancecalcite.calcite;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A table name of a Lance schema, taken apart: {@code dataset[@version|@tag][$part]}.
 *
 * @param dataset name of the dataset, without {@code .lance}
 * @param at version number or tag, or null for the schema's default
 * @param part what of the dataset the table shows
 * @param fragment fragment id when the part is {@link Part#FRAGMENT}, otherwise −1
 */
record TableName(String dataset, @Nullable String at, Part part, long fragment) {
  private static final String FRAGMENT_PREFIX = "fragment_";

  /** What of a dataset a table shows. */
  enum Part {
    /** Its rows. */
    ROWS,
    /** The rows of one fragment. */
    FRAGMENT,
    /** One row per version. */
    VERSIONS,
    /** One row per version that tells what made it. */
    TRANSACTIONS,
    /** One row per tag. */
    TAGS,
    /** One row per branch. */
    BRANCHES,
    /** One row per fragment. */
    FRAGMENTS,
    /** One row per file of a fragment. */
    FILES,
    /** One row per stored column or field inside one. */
    COLUMNS,
    /** One row per index. */
    INDICES,
    /** One row per segment of the row-id sequences. */
    ROWID_SEGMENTS;

    /** Whether it is something about the dataset, not rows of it. */
    boolean isMetadata() {
      return this != ROWS && this != FRAGMENT;
    }

    /** What stands behind {@code $} for a metadata part. */
    String suffix() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The metadata parts. */
  static final List<Part> METADATA = Arrays.stream(Part.values()).filter(Part::isMetadata).toList();

  /**
   * Takes a name apart; a dataset whose own name holds {@code @} or {@code $} wins over any other
   * reading.
   *
   * @param isDataset whether a dataset of exactly this name exists
   * @return null when the name leads to no dataset
   */
  static @Nullable TableName parse(String name, Predicate<String> isDataset) {
    TableName rows = versioned(name, Part.ROWS, -1, isDataset);
    if (rows != null) {
      return rows;
    }
    int dollar = name.lastIndexOf('$');
    if (dollar < 1) {
      return null;
    }
    String base = name.substring(0, dollar);
    String suffix = name.substring(dollar + 1);
    for (Part part : METADATA) {
      if (suffix.equals(part.suffix())) {
        return versioned(base, part, -1, isDataset);
      }
    }
    if (suffix.startsWith(FRAGMENT_PREFIX)) {
      long id = number(suffix.substring(FRAGMENT_PREFIX.length()));
      return id < 0 ? null : versioned(base, Part.FRAGMENT, id, isDataset);
    }
    return null;
  }

  private static @Nullable TableName versioned(
      String name, Part part, long fragment, Predicate<String> isDataset) {
    if (isDataset.test(name)) {
      return new TableName(name, null, part, fragment);
    }
    int at = name.lastIndexOf('@');
    if (at < 1 || at == name.length() - 1 || name.indexOf('$', at) >= 0) {
      return null;
    }
    String dataset = name.substring(0, at);
    return isDataset.test(dataset)
        ? new TableName(dataset, name.substring(at + 1), part, fragment)
        : null;
  }

  /** The name of the same part at a version. */
  String atVersion(long version) {
    String suffix =
        switch (part) {
          case ROWS -> "";
          case FRAGMENT -> "$" + FRAGMENT_PREFIX + fragment;
          default -> "$" + part.suffix();
        };
    return dataset + "@" + version + suffix;
  }

  /** The version number that {@link #at} spells, or −1 when it is a tag. */
  long version() {
    return at == null ? -1 : number(at);
  }

  /** A decimal number without sign, or −1. */
  static long number(String text) {
    if (text.isEmpty() || text.length() > 18 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return -1;
    }
    return Long.parseLong(text);
  }
}
