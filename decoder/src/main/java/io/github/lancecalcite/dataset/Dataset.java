package io.github.lancecalcite.dataset;

import io.github.lancecalcite.NotFoundException;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.IndexMetadata;
import io.github.lancecalcite.format.Manifest;
import io.github.lancecalcite.format.ManifestNaming;
import io.github.lancecalcite.format.ManifestSections;
import io.github.lancecalcite.format.Refs;
import io.github.lancecalcite.format.SchemaField;
import io.github.lancecalcite.format.Transaction;
import io.github.lancecalcite.io.LocalStorage;
import io.github.lancecalcite.io.PositionalReader;
import io.github.lancecalcite.io.SealedStorage;
import io.github.lancecalcite.io.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * One version of a Lance dataset in a local folder, plain or sealed: of a sealed one, every byte
 * read is held against its block's checksum.
 *
 * <p>Immutable and safe for any number of threads and concurrent scans. It holds the manifest, no
 * open files. Every {@code Dataset} handed out is its taker's to close; closing one does not touch
 * the others. Close the cursors of its scans first.
 */
public final class Dataset implements AutoCloseable {
  /** Root of the main branch, which holds tags and branches. */
  private final Storage home;

  private final Storage storage;
  private final Manifest manifest;
  private final DatasetFiles files;
  private final BufferAllocator allocator;
  private final boolean ownsAllocator;

  /** By place in the manifest; made when first asked for. */
  private final AtomicReferenceArray<RowMetadata> rows;

  private Dataset(
      Storage home, Storage storage, Manifest manifest, @Nullable BufferAllocator parent) {
    this.home = home;
    this.storage = storage;
    this.manifest = manifest;
    this.files = new DatasetFiles(storage, manifest);
    this.rows = new AtomicReferenceArray<>(manifest.fragments().size());
    this.ownsAllocator = parent == null;
    this.allocator = parent == null ? new RootAllocator() : parent;
  }

  /**
   * Opens the latest version, with memory of its own.
   *
   * @throws NotFoundException if there is no dataset in the folder
   * @throws io.github.lancecalcite.CorruptFileException if the manifest is damaged
   * @throws io.github.lancecalcite.UnsupportedFormatException if the manifest asks for a feature
   *     this reader does not know
   */
  public static Dataset open(Path root) throws IOException {
    return open(LocalStorage.of(root), null);
  }

  /** As {@link #open(Path)}, for a path or {@code file:} URI. */
  public static Dataset open(String root) throws IOException {
    return open(LocalStorage.of(root), null);
  }

  /** As {@link #open(Path)}, with memory from an allocator that stays the caller's. */
  public static Dataset open(Path root, BufferAllocator parent) throws IOException {
    return open(LocalStorage.of(root), parent);
  }

  private static Dataset open(LocalStorage folder, @Nullable BufferAllocator parent)
      throws IOException {
    Storage root = SealedStorage.detect(folder);
    return new Dataset(root, root, latest(root), parent);
  }

  private static Manifest latest(Storage storage) throws IOException {
    TreeMap<Long, String> versions = ManifestNaming.list(storage);
    Map.Entry<Long, String> last = versions.lastEntry();
    if (last == null) {
      throw new NotFoundException(storage.path(), "dataset", whyNoDataset(storage));
    }
    return ManifestNaming.open(storage, last.getKey(), last.getValue());
  }

  private static String whyNoDataset(Storage storage) throws IOException {
    if (!storage.exists("")) {
      return "there is no such folder";
    }
    if (storage.exists(ManifestNaming.FOLDER)) {
      return "its folder " + ManifestNaming.FOLDER + " has no manifest";
    }
    List<String> inside = new ArrayList<>(storage.list(""));
    inside.removeIf(name -> !name.endsWith(".lance"));
    inside.sort(null);
    String missing = "it has no folder " + ManifestNaming.FOLDER;
    return inside.isEmpty()
        ? missing
        : missing
            + ", but holds "
            + String.join(", ", inside.subList(0, Math.min(5, inside.size())));
  }

  /**
   * The same dataset at another version.
   *
   * @throws NotFoundException naming the versions there are
   */
  public Dataset version(long version) throws IOException {
    return derive(storage, ManifestNaming.open(storage, version));
  }

  /**
   * The same dataset as it was at a point in time: its last version that was committed then or
   * before. Reads manifests, latest first, until one is old enough: clocks of several writers need
   * not agree, so that times do not always grow with versions.
   *
   * @throws NotFoundException naming the first version and its commit time, if all are later; or if
   *     no manifest says when it was committed
   */
  public Dataset versionAt(Instant instant) throws IOException {
    return derive(storage, VersionAt.find(storage, instant));
  }

  /**
   * The same dataset at the version a tag names; a tag on a branch leads into that branch.
   *
   * @throws NotFoundException naming the tags there are
   */
  public Dataset tag(String name) throws IOException {
    TreeMap<String, Refs.Tag> tags = Refs.tags(home);
    Refs.Tag tag = tags.get(name);
    if (tag == null) {
      throw new NotFoundException(home.path(), "tag '" + name + "'", names("tag", tags.keySet()));
    }
    Storage line = tag.branch() == null ? home : Refs.branchRoot(home, tag.branch());
    return derive(line, ManifestNaming.open(line, tag.version()));
  }

  /**
   * The latest version of a branch.
   *
   * @throws NotFoundException naming the branches there are
   */
  public Dataset branch(String name) throws IOException {
    TreeMap<String, Refs.Branch> branches = Refs.branches(home);
    if (!branches.containsKey(name)) {
      throw new NotFoundException(
          home.path(), "branch '" + name + "'", names("branch", branches.keySet()));
    }
    Storage line = Refs.branchRoot(home, name);
    return derive(line, latest(line));
  }

  private Dataset derive(Storage line, Manifest version) {
    return new Dataset(home, line, version, ownsAllocator ? null : allocator);
  }

  private static String names(String kind, Collection<String> available) {
    return available.isEmpty()
        ? "there is no " + kind
        : (kind.equals("tag") ? "tags " : "branches ")
            + available.stream().map(n -> "'" + n + "'").collect(Collectors.joining(", "));
  }

  /** Number of this version. */
  public long versionNumber() {
    return manifest.version();
  }

  /** The dataset's folder. */
  public String path() {
    return storage.path();
  }

  /** The metadata of this version. */
  public Manifest manifest() {
    return manifest;
  }

  /** The stored top-level fields in order. */
  public List<SchemaField> fields() {
    return manifest.fields();
  }

  /** Arrow schema of the stored columns, as scans return them; no system columns. */
  public Schema schema() {
    return ArrowSchemas.schema(manifest.fields(), manifest.schemaMetadata());
  }

  /**
   * The stored column of this exact name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public FieldColumn column(String name) {
    for (SchemaField field : manifest.fields()) {
      if (field.name().equals(name)) {
        return new FieldColumn(field.id());
      }
    }
    throw new IllegalArgumentException(
        "no column '"
            + name
            + "' in "
            + path()
            + "; columns: "
            + manifest.fields().stream().map(SchemaField::name).collect(Collectors.joining(", ")));
  }

  /**
   * All versions, oldest first. Reads every manifest; a version that is removed meanwhile is left
   * out.
   */
  public List<Version> versions() throws IOException {
    return new VersionListing(home, storage, manifest.branch()).versions();
  }

  /** The indices of this version, in the manifest's order; reads the manifest's file again. */
  public List<IndexMetadata> indices() throws IOException {
    if (manifest.indexSection() == null) {
      return List.of();
    }
    try (PositionalReader file = ManifestNaming.openFile(storage, versionNumber())) {
      return ManifestSections.indices(file, manifest);
    }
  }

  /**
   * Ids of the fragments that an index covers, ascending; they may be of an earlier version. Null
   * where the writer of the index did not say.
   */
  public @Nullable Set<Long> fragmentsOf(IndexMetadata index) throws IOException {
    return IndexedFragments.of(manifest, index);
  }

  /** All tags, by name. */
  public List<Refs.Tag> tags() throws IOException {
    return List.copyOf(Refs.tags(home).values());
  }

  /** All branches, by name. */
  public List<Refs.Branch> branches() throws IOException {
    return List.copyOf(Refs.branches(home).values());
  }

  /** The fragments in scan order. */
  public List<Fragment> fragments() throws IOException {
    RowCounts counts = new RowCounts(manifest, files);
    List<Fragment> result = new ArrayList<>(manifest.fragments().size());
    for (DataFragment fragment : manifest.fragments()) {
      long physical = counts.physicalRows(fragment);
      result.add(
          new Fragment(
              fragment.id(),
              physical,
              counts.deletedRows(fragment, physical),
              fragment.files().size(),
              counts.rowIdSegments(fragment)));
    }
    return result;
  }

  /** The files of the fragments in scan order, of each its data files before its deletions. */
  public List<FragmentFile> fragmentFiles() throws IOException {
    return new StorageListing(manifest, files).files();
  }

  /** The segments of the row-id sequences in scan order; none without stable row ids. */
  public List<RowIdSegment> rowIdSegments() throws IOException {
    return new StorageListing(manifest, files).rowIdSegments();
  }

  /**
   * Number of live rows: from the manifest where its writer can be trusted, otherwise from deletion
   * files and data files.
   */
  public long countRows() throws IOException {
    return new RowCounts(manifest, files).liveRows();
  }

  /**
   * Starts a scan; the cursor is the caller's to close.
   *
   * @throws io.github.lancecalcite.UnsupportedFormatException if a requested column has a type or
   *     layout this reader does not know
   */
  public BatchCursor scan(ScanRequest request) throws IOException {
    return DatasetScan.open(this, request, allocator);
  }

  /** Columns that every batch of {@link #changes} begins with. */
  public static List<Field> changeFields() {
    return ChangeCursor.FIELDS;
  }

  /**
   * What the commits of a range of versions did to the rows, commit after commit. A batch begins
   * with {@link #changeFields}, which say the {@link ChangeType}, the version and the time of the
   * commit; the requested columns follow. Of an updated row there is a row before and one after.
   * Compaction changes nothing. Untouched fragments are not read, and columns of others for changed
   * rows only. The cursor is the caller's to close.
   *
   * @param fromExclusive the version the reader has; 0 for none
   * @param toInclusive the version the reader wants
   * @param columns stored columns of that version and system columns
   * @throws NotFoundException naming the versions there are, if one of the range is missing
   * @throws io.github.lancecalcite.UnsupportedFormatException if the range passes a restore, an
   *     overwrite or a change of columns, or there are no stable row ids
   * @throws IllegalArgumentException if {@code fromExclusive} is negative or greater than {@code
   *     toInclusive}
   */
  public BatchCursor changes(long fromExclusive, long toInclusive, List<ScanColumn> columns)
      throws IOException {
    return ChangeCursor.open(this, fromExclusive, toInclusive, columns, allocator);
  }

  /** What made this version, or null where nothing tells. */
  @Nullable Transaction transaction() throws IOException {
    try (PositionalReader file = ManifestNaming.openFile(storage, versionNumber())) {
      return new VersionListing(home, storage, manifest.branch()).transaction(file, manifest);
    }
  }

  /**
   * How much of this version a predicate leaves to read. Opens no data file.
   *
   * @param fragmentIds fragments to look at, or null for all
   */
  public PredicateSummary summarise(SystemPredicate predicate, @Nullable List<Long> fragmentIds)
      throws IOException {
    return PredicateSummary.of(this, predicate, fragmentIds);
  }

  /** Ids, versions and deletions of the fragment at a place in the manifest; kept once read. */
  RowMetadata rows(int index) throws IOException {
    RowMetadata known = rows.get(index);
    if (known == null) {
      DataFragment fragment = manifest.fragments().get(index);
      long physical = new RowCounts(manifest, files).physicalRows(fragment);
      known = new RowMetadata(manifest, files, fragment, physical);
      rows.set(index, known);
    }
    return known;
  }

  /** Where the files of this version lie. */
  DatasetFiles files() {
    return files;
  }

  /** Releases the memory pool if it is the dataset's own. */
  @Override
  public void close() {
    if (ownsAllocator) {
      allocator.close();
    }
  }
}
