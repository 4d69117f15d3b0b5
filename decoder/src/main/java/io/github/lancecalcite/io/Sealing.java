package io.github.lancecalcite.io;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.NotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Copies a dataset into checksummed form and back. The copy is made beside its destination under
 * another name and moved when it is complete and on disk: it appears whole or not at all. An error
 * or an interrupt of the thread removes what was written.
 */
public final class Sealing {
  private static final int COPY_BYTES = 1 << 20;

  private Sealing() {}

  /** Told of every step. */
  @FunctionalInterface
  public interface Progress {
    /** Bytes done of those there are, and the file being worked on. */
    void at(long bytes, long ofBytes, String file);
  }

  /**
   * What was copied.
   *
   * @param files number of files
   * @param contentBytes their bytes
   * @param blockBytes bytes of the block files, without the marker
   */
  public record Summary(int files, long contentBytes, long blockBytes) {}

  /** Files below a root and their sizes, by name; empty folders beside them. */
  private record Tree(SortedMap<String, Long> files, SortedMap<String, Boolean> emptyFolders) {
    static Tree of(Path root) throws IOException {
      SortedMap<String, Long> files = new TreeMap<>();
      SortedMap<String, Boolean> empty = new TreeMap<>();
      try (Stream<Path> paths = Files.walk(root, FileVisitOption.FOLLOW_LINKS)) {
        for (Path path : (Iterable<Path>) paths::iterator) {
          String name = name(root, path);
          if (Files.isDirectory(path)) {
            if (!name.isEmpty() && isEmpty(path)) {
              empty.put(name, true);
            }
          } else {
            files.put(name, Files.size(path));
          }
        }
      }
      return new Tree(files, empty);
    }

    private static boolean isEmpty(Path folder) throws IOException {
      try (Stream<Path> entries = Files.list(folder)) {
        return entries.findAny().isEmpty();
      }
    }

    long bytes() {
      return files.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  private static String name(Path root, Path path) {
    StringBuilder name = new StringBuilder();
    for (Path step : root.relativize(path)) {
      name.append(name.length() == 0 ? "" : "/").append(step);
    }
    return name.toString();
  }

  /**
   * Copies a plain dataset into sealed form.
   *
   * @param target must not exist; its parent must
   * @throws NotFoundException if the source is no dataset
   * @throws CorruptFileException if the source is sealed already, or changes while it is copied
   */
  public static Summary seal(Path source, Path target, ChecksummedLayout layout, Progress progress)
      throws IOException {
    if (SealedStorage.detect(LocalStorage.of(source)) instanceof SealedStorage) {
      throw new CorruptFileException(
          source.toString(), -1, "dataset", "a plain one", "a sealed one");
    }
    if (!Files.isDirectory(source.resolve("_versions"))) {
      throw new NotFoundException(source.toString(), "dataset", "it has no folder _versions");
    }
    Tree tree = Tree.of(source);
    long[] sizes = new long[2];
    build(
        source,
        target,
        work -> {
          TreeMap<String, SealMarker.SealedFile> sealed = new TreeMap<>();
          Path blocks = Files.createDirectory(work.resolve(SealMarker.BLOCKS));
          for (String name : tree.files().keySet()) {
            Path to = blocks.resolve(name);
            folders(to);
            try (ChecksummedWriter writer = ChecksummedWriter.create(to, layout);
                LocalFile file = LocalFile.open(source.resolve(name))) {
              sizes[0] += copy(file, writer::write, sizes[0], tree.bytes(), name, progress);
              writer.commit();
              long bytes = layout.physicalSize(writer.size());
              sizes[1] += bytes;
              sealed.put(name, new SealMarker.SealedFile(bytes, writer.fingerprint()));
            }
          }
          byte[] marker = new SealMarker(layout, sealed, tree.emptyFolders()).toBytes();
          try (AtomicFile file = AtomicFile.create(work.resolve(SealMarker.NAME))) {
            file.write(marker, 0, marker.length);
            file.commit();
          }
        });
    return new Summary(tree.files().size(), sizes[0], sizes[1]);
  }

  /**
   * Restores a sealed dataset byte for byte; every block is verified on the way.
   *
   * @param target must not exist; its parent must
   * @throws NotFoundException if the source has no seal marker
   * @throws CorruptFileException if a block is damaged; nothing is left of the copy then
   */
  public static Summary unseal(Path source, Path target, Progress progress) throws IOException {
    LocalStorage folder = LocalStorage.of(source);
    SealMarker marker = SealedStorage.readMarker(folder);
    Storage sealed = SealedStorage.detect(folder);
    long total =
        marker.files().values().stream()
            .mapToLong(file -> marker.layout().contentSize(file.bytes()))
            .sum();
    long[] sizes = new long[2];
    build(
        source,
        target,
        work -> {
          for (String name : marker.emptyFolders().keySet()) {
            Files.createDirectories(below(work, name));
          }
          for (String name : marker.files().keySet()) {
            Path to = below(work, name);
            folders(to);
            try (PositionalReader file = sealed.open(name);
                AtomicFile out = AtomicFile.create(to)) {
              sizes[0] += copy(file, out::write, sizes[0], total, name, progress);
              out.commit();
            }
          }
        });
    long bytes = marker.files().values().stream().mapToLong(SealMarker.SealedFile::bytes).sum();
    return new Summary(marker.files().size(), sizes[0], bytes);
  }

  /** A marker's name must not lead out of the copy. */
  private static Path below(Path root, String name) throws CorruptFileException {
    Path path = root.resolve(name).normalize();
    if (!path.startsWith(root) || path.equals(root)) {
      throw new CorruptFileException(
          root.toString(), -1, "name in the seal marker", "a name below the dataset", name);
    }
    return path;
  }

  private static void folders(Path file) throws IOException {
    Path parent = file.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
  }

  /** Where copied bytes go. */
  @FunctionalInterface
  private interface Sink {
    void write(byte[] bytes, int offset, int length) throws IOException;
  }

  private static long copy(
      PositionalReader from, Sink to, long before, long total, String name, Progress progress)
      throws IOException {
    byte[] buffer = new byte[COPY_BYTES];
    for (long at = 0; at < from.size(); ) {
      if (Thread.currentThread().isInterrupted()) {
        throw new java.io.InterruptedIOException("interrupted at " + name);
      }
      progress.at(before + at, total, name);
      int n = (int) Math.min(COPY_BYTES, from.size() - at);
      from.read(at, buffer, 0, n);
      to.write(buffer, 0, n);
      at += n;
    }
    progress.at(before + from.size(), total, name);
    return from.size();
  }

  /** Fills a folder. */
  @FunctionalInterface
  private interface Step {
    void into(Path work) throws IOException;
  }

  private static void build(Path source, Path target, Step step) throws IOException {
    Path absolute = target.toAbsolutePath().normalize();
    if (Files.exists(absolute)) {
      throw new FileAlreadyExistsException(target.toString(), null, "it exists; nothing was done");
    }
    if (absolute.startsWith(source.toAbsolutePath().normalize())) {
      throw new IllegalArgumentException(target + " lies inside of " + source);
    }
    Path work = absolute.resolveSibling("." + absolute.getFileName() + "." + UUID.randomUUID());
    try {
      Files.createDirectory(work);
      step.into(work);
      try (Stream<Path> paths = Files.walk(work)) {
        paths.filter(Files::isDirectory).forEach(AtomicFile::forceFolder);
      }
      AtomicFile.moveFolder(work, absolute);
    } catch (IOException | RuntimeException | Error e) {
      delete(work, e);
      throw e;
    }
  }

  private static void delete(Path folder, Throwable because) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(folder)) {
      List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.delete(path);
      }
    } catch (IOException e) {
      because.addSuppressed(e);
    }
  }
}
