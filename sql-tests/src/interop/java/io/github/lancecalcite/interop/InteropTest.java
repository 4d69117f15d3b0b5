package io.github.lancecalcite.interop;

import io.github.lancecalcite.dataset.Dataset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
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
 * Random datasets written by lance-core, read by us, equal what lance-core reads back, at every
 * version. {@code -Dinterop.seed=N} sets the first seed, {@code -Dinterop.datasets=N} how many.
 *
 * <p>lance-core's faults can abort the JVM; {@code target/interop-seed.txt} then says at which
 * seed.
 */
@Tag("interop")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InteropTest {
  private final LanceCoreComparison comparison = new LanceCoreComparison();
  private int writerFaults;

  @TestFactory
  Stream<DynamicTest> randomDatasets() {
    long first = Long.parseLong(property("interop.seed", "1"));
    long count = Long.parseLong(property("interop.datasets", "80"));
    return LongStream.range(first, first + count)
        .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> one(seed)));
  }

  private static String property(String name, String otherwise) {
    String value = System.getProperty(name, "");
    return value.isEmpty() ? otherwise : value;
  }

  private void one(long seed) throws Exception {
    Path folder = Files.createTempDirectory("interop").resolve("t.lance");
    try (BufferAllocator allocator = new RootAllocator()) {
      Files.writeString(Path.of("target", "interop-seed.txt"), seed + "\n");
      RandomHistory history = new RandomHistory(seed, allocator, folder);
      try {
        writerFaults += history.write();
        compare(seed, allocator, folder);
      } catch (Exception | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + history.story() + ": " + e, e);
      }
    } finally {
      delete(folder.getParent());
    }
  }

  private void compare(long seed, BufferAllocator allocator, Path folder) throws Exception {
    Random random = new Random(seed);
    try (org.lance.Dataset theirs = org.lance.Dataset.open(folder.toString(), allocator);
        Dataset ours = Dataset.open(folder, allocator)) {
      for (org.lance.Version version : theirs.listVersions()) {
        try (org.lance.Dataset then = theirs.checkoutVersion(version.getId());
            Dataset mine = ours.version(version.getId())) {
          int batchSize = 1 + random.nextInt(random.nextBoolean() ? 100 : 9000);
          comparison.compare(then, mine, batchSize);
        }
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  @AfterAll
  @SuppressWarnings("SystemOut")
  void printReport() {
    System.out.println(
        "interop: random datasets: "
            + comparison.report()
            + ", "
            + writerFaults
            + " commits that lance-core failed to write");
  }
}
