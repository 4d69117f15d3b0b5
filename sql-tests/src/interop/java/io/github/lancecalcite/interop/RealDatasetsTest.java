package io.github.lancecalcite.interop;

import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.sqltests.ThirdParty;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** The samples, and third-party datasets where there are any, read as lance-core reads them. */
@Tag("interop")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RealDatasetsTest {
  private final LanceCoreComparison comparison = new LanceCoreComparison();

  @TestFactory
  Stream<DynamicTest> dataset() throws IOException {
    List<Path> datasets = new ArrayList<>(under(ThirdParty.checkout().resolve("samples")));
    Path thirdParty = ThirdParty.folder();
    if (thirdParty != null) {
      datasets.addAll(under(thirdParty));
    }
    datasets.removeIf(ThirdParty::isLegacy);
    return datasets.stream()
        .map(path -> DynamicTest.dynamicTest(path.getFileName().toString(), () -> one(path)));
  }

  private static List<Path> under(Path root) throws IOException {
    try (Stream<Path> paths = Files.walk(root, 2)) {
      return paths.filter(path -> Files.isDirectory(path.resolve("_versions"))).sorted().toList();
    }
  }

  private void one(Path path) throws Exception {
    try (BufferAllocator allocator = new RootAllocator();
        org.lance.Dataset theirs = org.lance.Dataset.open(path.toString(), allocator);
        Dataset ours = Dataset.open(path, allocator)) {
      for (org.lance.Version version : theirs.listVersions()) {
        try (org.lance.Dataset then = theirs.checkoutVersion(version.getId());
            Dataset mine = ours.version(version.getId())) {
          comparison.compare(then, mine, 1000);
        }
      }
    }
  }

  @AfterAll
  @SuppressWarnings("SystemOut")
  void printReport() {
    System.out.println("interop: real datasets: " + comparison.report());
  }
}
