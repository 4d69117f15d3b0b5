package io.github.lancecalcite.dataset;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.NotFoundException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.BasePath;
import io.github.lancecalcite.format.DataFile;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.DeletionFile;
import io.github.lancecalcite.format.Manifest;
import io.github.lancecalcite.format.RowIdSequences;
import io.github.lancecalcite.format.SequenceMetadata;
import io.github.lancecalcite.format.U64Segment;
import io.github.lancecalcite.format.VersionRun;
import io.github.lancecalcite.io.LocalStorage;
import io.github.lancecalcite.io.PositionalReader;
import io.github.lancecalcite.io.SealedStorage;
import io.github.lancecalcite.io.Storage;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of a dataset version: below its own root, or below one of the base paths of the
 * manifest. Immutable; opens files for the caller to close.
 */
final class DatasetFiles {
  private static final String DATA = "data/";
  private static final long MAX_SEQUENCE_BYTES = 1L << 30;

  private final Storage root;
  private final String manifestPath;
  private final Map<Integer, BasePath> bases = new HashMap<>();

  DatasetFiles(Storage root, Manifest manifest) {
    this.root = root;
    this.manifestPath = manifest.path();
    for (BasePath base : manifest.basePaths()) {
      bases.put(base.id(), base);
    }
  }

  /** Opens a data file. */
  PositionalReader open(DataFile file) throws IOException {
    return storage(base(file.baseId())).open(name(file));
  }

  /** A data file's name below the dataset's folder or below its base. */
  String name(DataFile file) {
    BasePath base = base(file.baseId());
    return base == null || base.datasetRoot() ? DATA + file.path() : file.path();
  }

  /** A base path as the manifest spells it; null for the dataset's own folder. */
  @Nullable String basePath(@Nullable Integer id) {
    BasePath base = base(id);
    return base == null ? null : base.path();
  }

  /** Size of a deletion file in bytes. */
  long size(DeletionFile file, long fragmentId) throws IOException {
    try (PositionalReader reader = storage(base(file.baseId())).open(file.path(fragmentId))) {
      return reader.size();
    }
  }

  /** The segments of a fragment's row-id sequence; null when it has none. */
  @Nullable List<U64Segment> rowIds(DataFragment fragment) throws IOException {
    SequenceMetadata sequence = fragment.rowIds();
    if (sequence == null) {
      return null;
    }
    Located located = locate(sequence);
    return RowIdSequences.parse(located.bytes, located.path, located.offset);
  }

  /**
   * The runs of a version sequence.
   *
   * @param sequence a fragment's created-at or last-updated-at sequence
   */
  List<VersionRun> versionRuns(SequenceMetadata sequence) throws IOException {
    Located located = locate(sequence);
    return RowIdSequences.parseVersions(located.bytes, located.path, located.offset);
  }

  /** Bytes and where they came from. */
  private record Located(byte[] bytes, String path, long offset) {}

  private Located locate(SequenceMetadata sequence) throws IOException {
    if (sequence instanceof SequenceMetadata.Inline inline) {
      return new Located(inline.bytes(), manifestPath, inline.manifestOffset());
    }
    SequenceMetadata.External external = (SequenceMetadata.External) sequence;
    try (PositionalReader file = root.open(external.path())) {
      if (external.size() > file.size() - external.offset()) {
        throw new CorruptFileException(
            file.path(),
            external.offset(),
            "range of an external sequence",
            "a range inside the file's " + file.size() + " bytes",
            external.size() + " bytes");
      }
      if (external.size() > MAX_SEQUENCE_BYTES) {
        throw new UnsupportedFormatException(
            file.path(), "sequence size", external.size(), "at most " + MAX_SEQUENCE_BYTES);
      }
      byte[] bytes = file.read(external.offset(), (int) external.size());
      return new Located(bytes, file.path(), external.offset());
    }
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
      return SealedStorage.detect(verbatim);
    }
    if (!LocalStorage.isAbsolute(base.path())) {
      Storage beside = root.resolve("..").resolve(base.path());
      if (beside.exists("")) {
        return SealedStorage.detect(beside);
      }
    }
    throw new NotFoundException(
        root.path(), "base path " + base.path(), "files of this dataset lie there");
  }
}
