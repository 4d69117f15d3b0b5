package io.github.lancecalcite.benchmarks;

import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.RowIdSequences;
import io.github.lancecalcite.format.SequenceMetadata;
import io.github.lancecalcite.format.U64Segment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.lance.Dataset;
import org.lance.WriteParams;
import org.lance.compaction.CompactionOptions;
import org.lance.merge.MergeInsertParams;

/**
 * Writes the tables of the whole-scan comparison with lance-core: data files 2.1, stable row ids,
 * four fragments; then deletions or updates, and a compaction. Tables that exist are kept.
 */
public final class BenchmarkTables {
  /** All of them, in the order of their cost. */
  static final List<String> NAMES =
      List.of("t1m_d0", "t1m_d1", "t1m_d6", "t1m_d50", "upd1000c", "t10m_d1");

  private static final int UPDATES = 1000;
  private static final int ROWS_PER_UPDATE = 5;

  private BenchmarkTables() {}

  /** Folder, then names of tables; all of them when none is named. */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    List<String> names = args.length == 1 ? NAMES : Arrays.asList(args).subList(1, args.length);
    for (String name : names) {
      write(folder, name);
    }
  }

  /** The table's folder, written now if it is not there. */
  static Path write(Path folder, String name) throws IOException {
    Path table = folder.resolve(name + ".lance");
    if (!Files.isDirectory(table)) {
      long start = System.nanoTime();
      Path unfinished = folder.resolve(name + ".unfinished");
      delete(unfinished);
      Files.createDirectories(folder);
      try (BufferAllocator allocator = new RootAllocator()) {
        fill(allocator, unfinished.toString(), name);
      }
      Files.move(unfinished, table);
      System.out.printf(
          Locale.ROOT, "wrote %s in %.1f s%n", name, (System.nanoTime() - start) / 1e9);
    }
    System.out.println(name + ": row ids as " + String.join(" + ", segmentKinds(table)));
    return table;
  }

  private static void fill(BufferAllocator allocator, String uri, String name) throws IOException {
    long rows = name.startsWith("upd") ? 100_000 : name.startsWith("t10m") ? 10_000_000 : 1_000_000;
    WriteParams params =
        new WriteParams.Builder()
            .withMode(WriteParams.WriteMode.CREATE)
            .withMaxRowsPerFile((int) (rows / 4))
            .withDataStorageVersion("2.1")
            .withEnableStableRowIds(true)
            .build();
    try (TableRows reader = new TableRows(allocator, rows);
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
      Data.exportArrayStream(allocator, reader, stream);
      Dataset.create(allocator, stream, uri, params).close();
    }
    switch (name.substring(name.indexOf('_') + 1)) {
      case "d0" -> {}
      case "d1" -> deleteEvery(allocator, uri, 101, rows);
      case "d6" -> deleteEvery(allocator, uri, 17, rows);
      case "d50" -> deleteEvery(allocator, uri, 2, rows);
      case "holes17" -> delete(allocator, uri, 17);
      case "upd1000c" -> update(allocator, uri, rows);
      default -> throw new IllegalArgumentException("no table " + name);
    }
  }

  private static void deleteEvery(BufferAllocator allocator, String uri, int step, long rows) {
    delete(allocator, uri, step);
    compact(allocator, uri, rows / 4);
  }

  private static void delete(BufferAllocator allocator, String uri, int step) {
    try (Dataset dataset = Dataset.open(uri, allocator)) {
      dataset.delete("id % " + step + " = 0");
    }
  }

  private static void update(BufferAllocator allocator, String uri, long rows) throws IOException {
    Random random = new Random(5);
    for (int update = 1; update <= UPDATES; update++) {
      // a merge-insert refuses two source rows for one target row
      Set<Long> ids = new LinkedHashSet<>();
      while (ids.size() < ROWS_PER_UPDATE) {
        ids.add((long) random.nextInt((int) rows));
      }
      long[] keys = ids.stream().mapToLong(Long::longValue).toArray();
      MergeInsertParams params = new MergeInsertParams(List.of("id")).withMatchedUpdateAll();
      try (Dataset dataset = Dataset.open(uri, allocator);
          TableRows reader = new TableRows(allocator, keys, update * rows);
          ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
        Data.exportArrayStream(allocator, reader, stream);
        dataset.mergeInsert(params, stream).dataset().close();
      }
    }
    compact(allocator, uri, rows / 4);
  }

  private static void compact(BufferAllocator allocator, String uri, long rowsPerFragment) {
    try (Dataset dataset = Dataset.open(uri, allocator)) {
      dataset.compact(
          CompactionOptions.builder()
              .withTargetRowsPerFragment(rowsPerFragment)
              .withMaterializeDeletions(true)
              .withMaterializeDeletionsThreshold(0.0f)
              .build());
    }
  }

  /** What the row ids are stored as, read by our own decoder. */
  private static Set<String> segmentKinds(Path table) throws IOException {
    Set<String> kinds = new TreeSet<>();
    try (io.github.lancecalcite.dataset.Dataset dataset =
        io.github.lancecalcite.dataset.Dataset.open(table)) {
      for (DataFragment fragment : dataset.manifest().fragments()) {
        if (fragment.rowIds() instanceof SequenceMetadata.Inline inline) {
          for (U64Segment segment :
              RowIdSequences.parse(inline.bytes(), table.toString(), inline.manifestOffset())) {
            kinds.add(segment.getClass().getSimpleName());
          }
        } else {
          kinds.add(fragment.rowIds() == null ? "none" : "external file");
        }
      }
      kinds.add(dataset.manifest().fragments().size() + " fragments");
      kinds.add(dataset.countRows() + " rows");
    }
    return kinds;
  }

  static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> inside = Files.walk(folder)) {
        for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }
}
