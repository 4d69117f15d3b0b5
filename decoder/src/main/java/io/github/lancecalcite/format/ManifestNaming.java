package io.github.lancecalcite.format;

import io.github.lancecalcite.NotFoundException;
import io.github.lancecalcite.io.PositionalReader;
import io.github.lancecalcite.io.Storage;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * File names in {@code _versions}.
 *
 * <pre>
 * V1        {version}.manifest               decimal
 * V2        {2^64-1-version}.manifest        always 20 digits: the newest sorts first
 * detached  d{version}.manifest              on no line of history
 * </pre>
 *
 * Anything else (temporary files, the latest-version hint, strangers) is passed over.
 */
public final class ManifestNaming {
  /** Folder of the manifests below a dataset's root. */
  public static final String FOLDER = "_versions";

  private static final String SUFFIX = ".manifest";
  private static final int V2_DIGITS = 20;

  private ManifestNaming() {}

  /** The version a file name stands for; empty for detached manifests and strangers. */
  public static OptionalLong version(String fileName) {
    if (!fileName.endsWith(SUFFIX)) {
      return OptionalLong.empty();
    }
    String stem = fileName.substring(0, fileName.length() - SUFFIX.length());
    if (stem.isEmpty() || !stem.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return OptionalLong.empty();
    }
    long version;
    try {
      long number = Long.parseUnsignedLong(stem);
      version = stem.length() == V2_DIGITS ? -1 - number : number;
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
    // versions with the top bit are detached ones, which have their own names
    return version < 1 ? OptionalLong.empty() : OptionalLong.of(version);
  }

  /** Version → file name of every manifest of a dataset, ascending; empty without the folder. */
  public static TreeMap<Long, String> list(Storage storage) throws IOException {
    TreeMap<Long, String> versions = new TreeMap<>();
    for (String name : storage.list(FOLDER)) {
      OptionalLong version = version(name);
      if (version.isPresent()) {
        // should both schemes name a version, the V2 name, which is the longer one, wins
        versions.merge(version.getAsLong(), name, (a, b) -> a.length() >= b.length() ? a : b);
      }
    }
    return versions;
  }

  /**
   * Reads one version.
   *
   * @throws NotFoundException naming the versions there are
   * @throws io.github.lancecalcite.CorruptFileException also if the manifest holds another version
   *     than its name says
   */
  public static Manifest open(Storage storage, long version) throws IOException {
    try (PositionalReader file = openFile(storage, version)) {
      return read(file, version);
    }
  }

  /** As above, for an entry of {@link #list}. */
  public static Manifest open(Storage storage, long version, String name) throws IOException {
    try (PositionalReader file = storage.open(FOLDER + "/" + name)) {
      return read(file, version);
    }
  }

  /**
   * Opens the manifest's file of one version.
   *
   * @throws NotFoundException naming the versions there are
   */
  public static PositionalReader openFile(Storage storage, long version) throws IOException {
    TreeMap<Long, String> versions = list(storage);
    String name = versions.get(version);
    if (name == null) {
      throw new NotFoundException(storage.path(), "version " + version, describe(versions));
    }
    return storage.open(FOLDER + "/" + name);
  }

  /**
   * Reads the manifest of one version; the file stays the caller's.
   *
   * @throws io.github.lancecalcite.CorruptFileException also if it holds another version
   */
  public static Manifest read(PositionalReader file, long version) throws IOException {
    Manifest manifest = ManifestReader.read(file);
    if (manifest.version() != version) {
      throw new io.github.lancecalcite.CorruptFileException(
          file.path(), -1, "version of the manifest", version, manifest.version());
    }
    return manifest;
  }

  /** The versions in words: runs are folded, so that a long history stays one line. */
  public static String describe(Map<Long, String> versions) {
    if (versions.isEmpty()) {
      return "there are no versions";
    }
    StringBuilder text = new StringBuilder("versions ");
    long start = 0;
    long end = 0;
    for (long version : new TreeMap<>(versions).keySet()) {
      if (start != 0 && version == end + 1) {
        end = version;
        continue;
      }
      append(text, start, end);
      start = version;
      end = version;
    }
    append(text, start, end);
    return text.toString();
  }

  private static void append(StringBuilder text, long start, long end) {
    if (start == 0) {
      return;
    }
    if (text.charAt(text.length() - 1) != ' ') {
      text.append(", ");
    }
    text.append(start);
    if (end > start) {
      text.append(" to ").append(end);
    }
  }
}
