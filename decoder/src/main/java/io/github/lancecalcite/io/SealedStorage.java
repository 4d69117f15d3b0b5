package io.github.lancecalcite.io;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.NotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A sealed dataset as if it were plain: its files are those of the marker, and each byte read has
 * been held against a checksum. Safe for concurrent use.
 *
 * <p>What is there is what the marker lists, not what the folder holds: a file that was lost is an
 * error when it is asked for, never an older state of the dataset.
 */
public final class SealedStorage implements Storage {
  private static final long MAX_MARKER_BYTES = 1L << 30;

  private final Storage folder;
  private final SealMarker marker;

  /** Empty, or the path of this view below the dataset's root, with '/' at the end. */
  private final String prefix;

  private SealedStorage(Storage folder, SealMarker marker, String prefix) {
    this.folder = folder;
    this.marker = marker;
    this.prefix = prefix;
  }

  /**
   * The storage to read a dataset's folder through: sealed if it has a marker, otherwise itself.
   *
   * @throws CorruptFileException if the marker is damaged, or a plain dataset lies beside it
   */
  public static Storage detect(Storage folder) throws IOException {
    if (folder instanceof SealedStorage || !folder.exists(SealMarker.NAME)) {
      return folder;
    }
    if (folder.exists("_versions")) {
      throw new CorruptFileException(
          folder.path(),
          -1,
          "dataset",
          "either a seal marker or a folder _versions",
          "both, sealed and plain");
    }
    return new SealedStorage(folder, readMarker(folder), "");
  }

  /**
   * The marker of a sealed dataset.
   *
   * @throws NotFoundException if the folder has none
   */
  public static SealMarker readMarker(Storage folder) throws IOException {
    try (PositionalReader file = folder.open(SealMarker.NAME)) {
      if (file.size() > MAX_MARKER_BYTES) {
        throw new CorruptFileException(
            file.path(), -1, "size of the seal marker", "at most 1 GiB", file.size());
      }
      return SealMarker.parse(file.read(0, (int) file.size()), file.path());
    }
  }

  /** What the dataset says of itself. */
  public SealMarker marker() {
    return marker;
  }

  @Override
  public String path() {
    return prefix.isEmpty()
        ? folder.path()
        : folder.path() + "/" + prefix.substring(0, prefix.length() - 1);
  }

  @Override
  public PositionalReader open(String name) throws IOException {
    String full = normalise(prefix + name);
    SealMarker.SealedFile sealed = full == null ? null : marker.files().get(full);
    if (sealed == null) {
      throw new NotFoundException(path() + "/" + name, "file", "the seal does not list it");
    }
    PositionalReader file = folder.open(SealMarker.BLOCKS + "/" + full);
    try {
      if (file.size() != sealed.bytes()) {
        throw new CorruptFileException(
            file.path(), -1, "size of a sealed file", sealed.bytes() + " bytes", file.size());
      }
      return ChecksummedFile.of(file, marker.layout());
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  @Override
  public List<String> list(String name) {
    String full = normalise(prefix + name);
    if (full == null) {
      return List.of();
    }
    String start = full.isEmpty() ? "" : full + "/";
    TreeSet<String> names = new TreeSet<>();
    for (String file : marker.files().tailMap(start).keySet()) {
      if (!file.startsWith(start)) {
        break;
      }
      int slash = file.indexOf('/', start.length());
      names.add(file.substring(start.length(), slash < 0 ? file.length() : slash));
    }
    return List.copyOf(names);
  }

  @Override
  public boolean exists(String name) {
    String full = normalise(prefix + name);
    return full != null
        && (full.isEmpty() || marker.files().containsKey(full) || !list(name).isEmpty());
  }

  /** {@inheritDoc} A folder outside of the dataset may be plain or sealed itself. */
  @Override
  public Storage resolve(String pathOrUri) throws IOException {
    if (LocalStorage.isAbsolute(pathOrUri)) {
      return detect(folder.resolve(pathOrUri));
    }
    String full = normalise(prefix + pathOrUri);
    return full == null
        ? detect(folder.resolve(prefix + pathOrUri))
        : new SealedStorage(folder, marker, full.isEmpty() ? "" : full + "/");
  }

  /** The name without '.' and '..'; null when it leads out of the dataset. */
  private static @Nullable String normalise(String name) {
    ArrayDeque<String> steps = new ArrayDeque<>();
    for (String step : name.split("[/\\\\]")) {
      if (step.equals("..")) {
        if (steps.pollLast() == null) {
          return null;
        }
      } else if (!step.isEmpty() && !step.equals(".")) {
        steps.addLast(step);
      }
    }
    return String.join("/", steps);
  }
}
