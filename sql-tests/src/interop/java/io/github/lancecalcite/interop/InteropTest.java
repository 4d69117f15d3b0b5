package io.github.lancecalcite.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.sqltests.ThirdParty;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * Random datasets written by lance-core, read by us at every version, equal what was written and
 * what lance-core reads.
 *
 * <p>{@code -Dinterop.seed=N} sets the first seed, {@code -Dinterop.seed=fresh} draws one; {@code
 * -Dinterop.datasets=N} sets how many. A dataset that fails stays in {@code target/interop/seed-N},
 * with its story beside it.
 */
@Tag("interop")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InteropTest {
  private static final Path FOLDER = Path.of("target", "interop").toAbsolutePath();
  private static final String GATE_SEED = "1";
  private static final String GATE_DATASETS = "400";

  private final InteropStatistics statistics = new InteropStatistics();
  private final EncodingPairs pairs = new EncodingPairs();
  private final LanceCoreProcess[] cores = {
    new LanceCoreProcess(FOLDER.resolve("lance-core.log"), Map.of()),
    new LanceCoreProcess(
        FOLDER.resolve("lance-core-small.log"),
        Map.of(
            "LANCE_FILE_WRITER_MAX_PAGE_BYTES", "20000",
            "LANCE_MINIBLOCK_MAX_VALUES", "512",
            "LANCE_ENCODING_DICT_TOO_SMALL", "10"))
  };
  private long first;

  @TestFactory
  Stream<DynamicTest> randomDatasets() {
    String seed = property("interop.seed", GATE_SEED);
    first = seed.equals("fresh") ? System.nanoTime() >>> 10 : Long.parseLong(seed);
    long count = Long.parseLong(property("interop.datasets", GATE_DATASETS));
    Stream<DynamicTest> datasets =
        LongStream.range(first, first + count)
            .mapToObj(n -> DynamicTest.dynamicTest("seed " + n, () -> one(n)));
    boolean gate = seed.equals(GATE_SEED) && count >= Long.parseLong(GATE_DATASETS);
    return gate
        ? Stream.concat(
            datasets, Stream.of(DynamicTest.dynamicTest("encodings reached", this::reached)))
        : datasets;
  }

  private static String property(String name, String otherwise) {
    String value = System.getProperty(name, "");
    return value.isEmpty() ? otherwise : value;
  }

  private void one(long seed) throws Exception {
    Path folder = FOLDER.resolve("seed-" + seed);
    delete(folder);
    Files.createDirectories(folder);
    statistics.seed = seed;
    LanceCoreProcess core = cores[seed % 4 == 3 ? 1 : 0];
    try (BufferAllocator allocator = new RootAllocator()) {
      RandomHistory history = new RandomHistory(seed, allocator, folder, core, statistics);
      try {
        if (history.write()) {
          statistics.datasets++;
          pairs.addFilesOf(folder.resolve("t.lance"));
          compare(seed, allocator, folder, core, history);
        } else {
          statistics.neverWritten++;
        }
      } catch (Exception | AssertionError e) {
        String story = "seed " + seed + ": " + history.story() + "\n" + e;
        Files.writeString(folder.resolve("story.txt"), story);
        throw new AssertionError(story, e);
      }
    }
    delete(folder);
  }

  private void compare(
      long seed,
      BufferAllocator allocator,
      Path folder,
      LanceCoreProcess core,
      RandomHistory history)
      throws Exception {
    Random random = new Random(seed);
    try (Dataset latest = Dataset.open(folder.resolve("t.lance"), allocator)) {
      for (Map.Entry<Long, ExpectedTable.Snapshot> version : history.versions().entrySet()) {
        try (Dataset then = latest.version(version.getKey())) {
          new VersionComparison(
                  allocator,
                  core,
                  statistics,
                  random,
                  folder.resolve("scan.arrow"),
                  then,
                  version.getValue())
              .run();
        }
      }
    }
  }

  private void reached() throws IOException {
    assertThat(statistics.neverWritten).isLessThan(statistics.datasets / 5);
    Path list = ThirdParty.checkout().resolve("sql-tests/src/interop/encodings.txt");
    assertThat(pairs.pairs())
        .as("encodings in layouts that the seeds of the gate reach")
        .containsAll(Files.readAllLines(list));
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  @AfterAll
  @SuppressWarnings("SystemOut")
  void report() throws IOException {
    int deaths = 0;
    for (LanceCoreProcess core : cores) {
      core.close();
      deaths += core.deaths();
    }
    String text =
        String.format(
            "interop: seeds from %d: %slance-core's process ended %d times%n%d encodings in layouts:"
                + "%n  %s%n",
            first, statistics, deaths, pairs.pairs().size(), String.join("\n  ", pairs.pairs()));
    Files.createDirectories(FOLDER);
    Files.writeString(FOLDER.resolve("summary.txt"), text);
    System.out.println(text);
  }
}
