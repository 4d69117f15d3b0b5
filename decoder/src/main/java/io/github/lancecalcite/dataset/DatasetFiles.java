package io.github.lancecalcite.dataset;

import io.github.lancecalcite.NotFoundException;
import io.github.lancecalcite.format.BasePath;
import io.github.lancecalcite.format.DataFile;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.DeletionFile;
import io.github.lancecalcite.format.Manifest;
import io.github.lancecalcite.io.LocalStorage;
import io.github.lancecalcite.io.PositionalReader;
import io.github.lancecalcite.io.Storage;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the files of a dataset version lie: below its own root, or below one of the base paths of
 * the manifest. Immutable; opens files for the caller to close.
 */
final class DatasetFiles {
  private static final String DATA = "data/";

  private final Storage root;
  private final Map<Integer, BasePath> bases = new HashMap<>();

  DatasetFiles(Storage root, Manifest manifest) {
    this.root = root;
    for (BasePath base : manifest.basePaths()) {
      bases.put(base.id(), base);
    }
  }

  /** Opens a data file. */
  PositionalReader open(DataFile file) throws IOException {
    BasePath base = base(file.baseId());
    String prefix = base == null || base.datasetRoot() ? DATA : "";
    return storage(base).open(prefix + file.path());
  }

  /** Opens a file named relative to the dataset's root, such as an external sequence. */
  PositionalReader open(String name) throws IOException {
    return root.open(name);
  }

  /**
   * The deleted rows of a fragment; none without a deletion file.
   *
   * @param physicalRows rows of the fragment, which bound the offsets
   */
  DeletionVector deletions(DataFragment fragment, long physicalRows) throws IOException {
    DeletionFile file = fragment.deletionFile();
    if (file == null) {
      return DeletionVector.none(physicalRows);
    }
    return DeletionVector.read(storage(base(file.baseId())), file, fragment.id(), physicalRows);
  }

  private @Nullable BasePath base(@Nullable Integer id) {
    // the manifest's reader has checked that the id is there
    return id == null ? null : bases.get(id);
  }

  /**
   * A base path is kept as its writer was given it. A relative one means the writer's working
   * directory: ours is tried first, then the folder the dataset stands in.
   */
  private Storage storage(@Nullable BasePath base) throws IOException {
    if (base == null) {
      return root;
    }
    Storage verbatim = LocalStorage.of(base.path());
    if (verbatim.exists("")) {
      return verbatim;
    }
    if (!LocalStorage.isAbsolute(base.path())) {
      Storage beside = root.resolve("..").resolve(base.path());
      if (beside.exists("")) {
        return beside;
      }
    }
    throw new NotFoundException(
        root.path(), "base path " + base.path(), "files of this dataset lie there");
  }
}
