package io.github.lancecalcite.fuzz;

import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.dataset.ScanRequest;
import io.github.lancecalcite.format.DataFile;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.SchemaField;
import io.github.lancecalcite.fuzz.FuzzFile.Kind;
import io.github.lancecalcite.io.ChecksummedLayout;
import io.github.lancecalcite.io.SealMarker;
import io.github.lancecalcite.io.Sealing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;

/** A copy of a fixture, plain or sealed, its rows, and the files that a scan of them reads. */
final class FuzzDataset {
  final String name;
  final Path root;
  final ChecksummedLayout layout;
  final List<FuzzFile> files = new ArrayList<>();

  /** Null when the fixture is refused as it is. */
  final @Nullable RowHashes rows;

  private FuzzDataset(String name, Path root, ChecksummedLayout layout) throws IOException {
    this.name = name;
    this.root = root;
    this.layout = layout;
    Map<String, Map<Integer, String>> shownBy = new HashMap<>();
    Set<String> used = new HashSet<>();
    this.rows = read(shownBy, used);
    List<Path> all;
    try (Stream<Path> paths = Files.walk(root)) {
      all = paths.filter(Files::isRegularFile).sorted().toList();
    }
    for (Path path : all) {
      byte[] whole = Files.readAllBytes(path);
      String inside = root.relativize(path).toString().replace('\\', '/');
      Kind kind = kind(inside);
      String file = fileName(inside);
      boolean read = rows == null || used.contains(file) || kind == Kind.SEAL_MARKER;
      if (whole.length > 0 && kind != null && read) {
        files.add(new FuzzFile(path, kind, whole, shownBy.getOrDefault(file, Map.of())));
      }
    }
  }

  static FuzzDataset plain(String fixture, Path folder) throws IOException {
    Files.createDirectories(folder);
    Path root = Fixtures.copy(fixture, folder);
    return new FuzzDataset(fixture, root, ChecksummedLayout.DEFAULT);
  }

  static FuzzDataset sealed(String fixture, Path folder) throws IOException {
    Files.createDirectories(folder);
    Path root = folder.resolve(fixture + ".sealed.lance");
    ChecksummedLayout layout =
        fixture.hashCode() % 2 == 0 ? ChecksummedLayout.DEFAULT : new ChecksummedLayout(60);
    Sealing.seal(Fixtures.dataset(fixture), root, layout, (bytes, ofBytes, file) -> {});
    return new FuzzDataset(fixture + " sealed", root, layout);
  }

  private @Nullable Kind kind(String inside) {
    if (inside.equals(SealMarker.NAME)) {
      return Kind.SEAL_MARKER;
    } else if (inside.startsWith(SealMarker.BLOCKS)) {
      return Kind.SEALED_BLOCKS;
    } else if (inside.endsWith(".manifest")) {
      return Kind.MANIFEST;
    } else if (inside.endsWith(".lance")) {
      return rows == null ? Kind.LEGACY : Kind.DATA;
    } else if (inside.endsWith(".arrow")) {
      return Kind.DELETION_ARROW;
    }
    return inside.endsWith(".bin") ? Kind.DELETION_BITMAP : null;
  }

  private @Nullable RowHashes read(Map<String, Map<Integer, String>> shownBy, Set<String> used)
      throws IOException {
    try (RootAllocator allocator = new RootAllocator();
        Dataset dataset = Dataset.open(root, allocator)) {
      Map<Integer, String> roots = new HashMap<>();
      dataset.fields().forEach(field -> name(field, RowHashes.name(field), roots));
      used.add(fileName(dataset.manifest().path()));
      for (DataFragment fragment : dataset.manifest().fragments()) {
        if (fragment.deletionFile() != null) {
          used.add(fileName(fragment.deletionFile().path(fragment.id())));
        }
        for (DataFile file : fragment.files()) {
          Map<Integer, String> columns = new HashMap<>();
          for (int i = 0; i < file.columnIndices().size(); i++) {
            String shown = roots.get(file.fields().get(i));
            if (shown != null) {
              columns.put(file.columnIndices().get(i), shown);
            }
          }
          shownBy.put(file.path(), columns);
          used.add(file.path());
        }
      }
      ScanRequest request = ScanRequest.of(RowHashes.columns(dataset));
      return RowHashes.read(dataset, request, Integer.MAX_VALUE);
    } catch (UnsupportedFormatException e) {
      if (name.startsWith("legacy")) {
        return null;
      }
      throw e;
    }
  }

  private static String fileName(String path) {
    return path.substring(path.replace('\\', '/').lastIndexOf('/') + 1);
  }

  private static void name(SchemaField field, String name, Map<Integer, String> names) {
    names.put(field.id(), name);
    field.children().forEach(child -> name(child, name, names));
  }
}
