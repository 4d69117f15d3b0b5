package io.github.lancecalcite.calcite;

import io.github.lancecalcite.NotFoundException;
import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.dataset.ScanRequest;
import io.github.lancecalcite.format.DataFragment;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a table reads from: a dataset that is opened when first needed and then stays at that
 * version. Thread-safe.
 */
final class LanceSource {
  private final LanceFolder folder;
  private final TableName name;
  private @Nullable Dataset dataset;

  LanceSource(LanceFolder folder, TableName name) {
    this.folder = folder;
    this.name = name;
  }

  TableName name() {
    return name;
  }

  /**
   * The pinned dataset version.
   *
   * @throws java.sql.SQLException unchecked, if it cannot be opened
   */
  synchronized Dataset dataset() {
    if (dataset == null) {
      try {
        Dataset opened = folder.open(name);
        checkFragment(opened);
        dataset = opened;
      } catch (IOException e) {
        throw LanceFailure.of(e);
      }
    }
    return dataset;
  }

  private void checkFragment(Dataset opened) throws IOException {
    List<DataFragment> fragments = opened.manifest().fragments();
    if (name.part() == TableName.Part.FRAGMENT
        && fragments.stream().noneMatch(f -> f.id() == name.fragment())) {
      String ids =
          fragments.stream().map(f -> Long.toString(f.id())).collect(Collectors.joining(", "));
      throw new NotFoundException(
          opened.path(),
          "fragment " + name.fragment() + " of version " + opened.versionNumber(),
          ids.isEmpty() ? "it has no fragments" : "fragments " + ids);
    }
  }

  /** Starts a scan of the pinned version. */
  OpenScan scan(ScanRequest request) {
    try {
      return folder.scan(dataset(), request);
    } catch (IOException e) {
      throw LanceFailure.of(e);
    }
  }
}
