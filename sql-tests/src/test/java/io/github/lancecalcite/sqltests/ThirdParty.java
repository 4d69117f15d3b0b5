package io.github.lancecalcite.sqltests;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Datasets that others wrote and that are not ours to copy: the folder {@code -Dthirdparty=DIR}
 * (relative to the checkout), or {@code shared/data} beside the checkout.
 */
public final class ThirdParty {
  private ThirdParty() {}

  /** The folder, or null where there is none. */
  public static @Nullable Path folder() {
    String given = System.getProperty("thirdparty", "");
    Path folder = checkout().resolve(given.isEmpty() ? "../shared/data" : given).normalize();
    if (Files.isDirectory(folder)) {
      return folder;
    }
    if (!given.isEmpty()) {
      throw new IllegalArgumentException("-Dthirdparty: there is no folder " + folder);
    }
    return null;
  }

  /** The root of the checkout. */
  public static Path checkout() {
    return Checkout.root();
  }

  /** Whether a dataset's files are of the format before 2.0, which is refused. */
  public static boolean isLegacy(Path dataset) {
    String name = dataset.getFileName().toString();
    return name.equals("test_table1.lance") || name.equals("test_table3.lance");
  }
}
