package io.github.lancecalcite.dataset;

import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.DeletionFile;
import io.github.lancecalcite.format.Manifest;
import io.github.lancecalcite.format.RowIdSequences;
import io.github.lancecalcite.format.SequenceMetadata;
import io.github.lancecalcite.format.U64Segment;
import io.github.lancecalcite.format.VersionRun;
import io.github.lancecalcite.io.LocalStorage;
import io.github.lancecalcite.rowid.RowIdSequence;
import io.github.lancecalcite.rowid.SequenceOracle;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/** A fragment made of metadata only, and what its system columns must be, row by row. */
final class SyntheticFragment {
  final RowMetadata rows;
  private final ScanFragment scanFragment;
  private final long id;
  private final long physicalRows;
  private final long @Nullable [] rowIds;
  private final long[] created;
  private final long[] updated;
  private final BitSet deleted;
  private final Map<SystemColumn, long[]> columns = new EnumMap<>(SystemColumn.class);

  /**
   * @param segments row ids, or null for a dataset without stable ones
   * @param folder where the deletion file is written
   */
  SyntheticFragment(
      Path folder,
      long id,
      long physicalRows,
      @Nullable List<U64Segment> segments,
      List<VersionRun> created,
      List<VersionRun> updated,
      BitSet deleted)
      throws IOException {
    this.id = id;
    this.physicalRows = physicalRows;
    this.rowIds = segments == null ? null : SequenceOracle.values(segments);
    this.created = versions(created, physicalRows);
    this.updated = versions(updated, physicalRows);
    this.deleted = deleted;
    DeletionFile file = null;
    if (!deleted.isEmpty()) {
      file =
          new DeletionFile(
              DeletionFile.Kind.ROARING_BITMAP, 1, id + 1, deleted.cardinality(), null);
      Path path = folder.resolve(file.path(id));
      Files.createDirectories(path.getParent());
      try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(path))) {
        RoaringBitmap.bitmapOf(deleted.stream().toArray()).serialize(out);
      }
    }
    DataFragment fragment =
        new DataFragment(
            id,
            List.of(),
            file,
            physicalRows,
            segments == null ? null : inline(RowIdSequences.serialize(segments)),
            inline(RowIdSequences.serializeVersions(updated)),
            inline(RowIdSequences.serializeVersions(created)));
    Manifest manifest = manifest(fragment, segments != null);
    DatasetFiles files = new DatasetFiles(LocalStorage.of(folder), manifest);
    rows = new RowMetadata(manifest, files, fragment, physicalRows);
    scanFragment = new ScanFragment(manifest, files, fragment, rows, 0);
  }

  /** Positions that a scan with this condition reads. */
  RowIdSequence select(SystemPredicate condition) throws IOException {
    return scanFragment.live(PredicateRows.of(condition, scanFragment));
  }

  private static SequenceMetadata inline(byte[] bytes) {
    return new SequenceMetadata.Inline(bytes, 99);
  }

  private static Manifest manifest(DataFragment fragment, boolean stable) {
    return new Manifest(
        "_versions/1.manifest",
        1,
        null,
        List.of(),
        Map.of(),
        List.of(fragment),
        stable ? Manifest.STABLE_ROW_IDS : 0,
        0,
        "test",
        0,
        "2.1",
        Map.of(),
        Map.of(),
        List.of(),
        null,
        null,
        null,
        null);
  }

  private static long[] versions(List<VersionRun> runs, long rows) {
    long[] versions = new long[(int) rows];
    java.util.Arrays.fill(versions, 1);
    int row = 0;
    for (VersionRun run : runs) {
      for (int i = SequenceOracle.values(run.span()).size(); i > 0 && row < rows; i--) {
        versions[row++] = run.version();
      }
    }
    return versions;
  }

  /** Live positions from {@code from} on, one by one. */
  long[] live(long from) {
    return LongStream.range(from, physicalRows).filter(p -> !deleted.get((int) p)).toArray();
  }

  /** The values of a system column at {@code positions[from, from + count)}. */
  long[] expected(SystemColumn column, long[] positions, int from, int count) {
    long[] whole =
        columns.computeIfAbsent(
            column, c -> LongStream.range(0, physicalRows).map(p -> expected(c, p)).toArray());
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = whole[(int) positions[from + i]];
    }
    return values;
  }

  /** The value of a system column at a physical position; the fragment is the dataset's first. */
  long expected(SystemColumn column, long position) {
    int p = (int) position;
    return switch (column) {
      case ROW_ID -> rowIds == null ? id << 32 | p : rowIds[p];
      case ROW_ADDR -> id << 32 | p;
      case ROW_CREATED_AT_VERSION -> created[p];
      case ROW_LAST_UPDATED_AT_VERSION -> updated[p];
      case ROW_OFFSET -> p - (deleted.isEmpty() ? 0 : deleted.get(0, p).cardinality());
      case FRAGMENT_ID -> id;
    };
  }
}
