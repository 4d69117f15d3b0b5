package io.github.lancecalcite.calcite;

import io.github.lancecalcite.NotFoundException;
import io.github.lancecalcite.dataset.BatchCursor;
import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.dataset.ScanColumn;
import io.github.lancecalcite.dataset.ScanRequest;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.ManifestNaming;
import io.github.lancecalcite.format.Refs;
import io.github.lancecalcite.io.LocalStorage;
import io.github.lancecalcite.io.SealMarker;
import io.github.lancecalcite.io.SealedStorage;
import io.github.lancecalcite.io.Storage;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A folder of datasets and everything opened through it: the root allocator and the open scans.
 * Thread-safe. Closing it closes every scan, whoever still holds one.
 */
final class LanceFolder implements AutoCloseable {
  private static final String SUFFIX = ".lance";
  private static final String VERSIONS = "_versions";

  private final Path directory;

  /** The version of datasets named without one; −1 for the latest. */
  private final long version;

  private final BufferAllocator allocator = new RootAllocator();
  private final Set<OpenScan> openScans = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private LanceFolder(Path directory, long version) {
    this.directory = directory;
    this.version = version;
  }

  /**
   * @param directory a folder of datasets, or one dataset
   * @param version the version of datasets named without one; −1 for the latest
   * @throws NotFoundException if there is no such folder
   */
  static LanceFolder open(Path directory, long version) throws IOException {
    Path absolute = directory.toAbsolutePath().normalize();
    if (!Files.isDirectory(absolute)) {
      throw new NotFoundException(
          absolute.toString(),
          "folder of datasets",
          Files.exists(absolute) ? "it is not a folder" : "there is no such folder");
    }
    return new LanceFolder(absolute, version);
  }

  /** Names of the datasets, sorted. */
  List<String> datasetNames() throws IOException {
    if (isDataset(directory)) {
      return List.of(datasetName(directory));
    }
    Set<String> names = new TreeSet<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        if (isDataset(entry)) {
          names.add(datasetName(entry));
        }
      }
    } catch (java.nio.file.DirectoryIteratorException e) {
      throw e.getCause();
    }
    return List.copyOf(names);
  }

  private static String datasetName(Path root) {
    String name = root.getFileName() == null ? "" : root.getFileName().toString();
    return name.endsWith(SUFFIX) && name.length() > SUFFIX.length()
        ? name.substring(0, name.length() - SUFFIX.length())
        : name;
  }

  private static boolean isDataset(Path root) {
    return Files.isDirectory(root.resolve(VERSIONS))
        || Files.isRegularFile(root.resolve(SealMarker.NAME));
  }

  /** Whether a dataset of exactly this name, upper and lower case included, is in the folder. */
  boolean hasDataset(String name) {
    return root(name) != null;
  }

  /** The folder of a dataset, {@code name.lance} before {@code name}; null when there is none. */
  private @Nullable Path root(String name) {
    if (isDataset(directory)) {
      return datasetName(directory).equals(name) ? directory : null;
    }
    Path suffixed = child(name + SUFFIX);
    return suffixed != null ? suffixed : child(name);
  }

  private @Nullable Path child(String name) {
    try {
      Path path = directory.resolve(name);
      // one step down, nowhere else, and spelled as the file system spells it
      if (name.isEmpty()
          || !directory.equals(path.getParent())
          || !directory.equals(path.normalize().getParent())
          || !isDataset(path)
          || !path.toRealPath(LinkOption.NOFOLLOW_LINKS).endsWith(name)) {
        return null;
      }
      return path;
    } catch (InvalidPathException | IOException e) {
      return null;
    }
  }

  /** Opens the version that a table name asks for. The dataset holds no file open. */
  Dataset open(TableName name) throws IOException {
    if (closed) {
      throw LanceFailure.closed();
    }
    Path root = root(name.dataset());
    if (root == null) {
      throw new NotFoundException(directory.toString(), "dataset " + name.dataset(), "it is gone");
    }
    Dataset latest = Dataset.open(root, allocator);
    if (name.at() == null) {
      return version < 0 ? latest : latest.version(version);
    }
    return name.version() < 0 ? latest.tag(name.at()) : latest.version(name.version());
  }

  /** Version numbers and tags of a dataset, as they can stand behind {@code @}. */
  List<String> versionNames(String dataset) throws IOException {
    List<String> names = new ArrayList<>();
    Path root = root(dataset);
    if (root != null) {
      Storage storage = SealedStorage.detect(LocalStorage.of(root));
      ManifestNaming.list(storage).keySet().forEach(version -> names.add(Long.toString(version)));
      names.addAll(Refs.tags(storage).keySet());
    }
    return names;
  }

  /** Ids of the fragments of a dataset. */
  List<Long> fragmentIds(String dataset) throws IOException {
    return open(rows(dataset)).manifest().fragments().stream().map(DataFragment::id).toList();
  }

  private static TableName rows(String dataset) {
    return new TableName(dataset, null, TableName.Part.ROWS, -1);
  }

  /** Starts a scan that ends, at the latest, when the folder is closed. */
  OpenScan scan(Dataset dataset, ScanRequest request) throws IOException {
    checkOpen();
    return register(dataset.scan(request));
  }

  /** As {@link #scan}, of what the commits of a range of versions did to the rows. */
  OpenScan changes(Dataset dataset, long from, long to, List<ScanColumn> columns)
      throws IOException {
    checkOpen();
    return register(dataset.changes(from, to, columns));
  }

  private void checkOpen() {
    if (closed) {
      throw LanceFailure.closed();
    }
  }

  private OpenScan register(BatchCursor cursor) {
    OpenScan scan = new OpenScan(cursor, openScans::remove);
    openScans.add(scan);
    if (closed) { // closed between the check and the add
      scan.close();
      throw LanceFailure.closed();
    }
    return scan;
  }

  /** Bytes that open scans hold. */
  long allocatedBytes() {
    return allocator.getAllocatedMemory();
  }

  /** Number of scans not yet closed. */
  int openScans() {
    return openScans.size();
  }

  /** Closes every open scan, then the allocator. Idempotent. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    openScans.forEach(OpenScan::close);
    allocator.close();
  }

  @Override
  public String toString() {
    return directory.toString();
  }
}
