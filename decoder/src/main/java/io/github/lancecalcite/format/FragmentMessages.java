package io.github.lancecalcite.format;

import com.google.protobuf.ByteString;
import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.proto.TableProto;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns the fragment messages of a manifest into records, checking each against the others. */
final class FragmentMessages {
  private static final long MAX_FRAGMENT_ID = 0xFFFFFFFFL;

  /** Row offsets are 32-bit numbers. */
  private static final long MAX_ROWS = 1L << 32;

  private final String path;
  private final long messageAt;
  private final boolean stableRowIds;
  private final boolean trustedCounts;
  private final Set<Integer> bases = new HashSet<>();
  private final Set<Integer> rootBases = new HashSet<>();

  /**
   * @param path of the manifest
   * @param messageAt its message's file offset
   * @param trustedCounts whether the writer is one that kept count of rows correctly
   */
  FragmentMessages(
      String path,
      long messageAt,
      long readerFlags,
      boolean trustedCounts,
      List<BasePath> basePaths) {
    this.path = path;
    this.trustedCounts = trustedCounts;
    this.messageAt = messageAt;
    this.stableRowIds = (readerFlags & Manifest.STABLE_ROW_IDS) != 0;
    for (BasePath base : basePaths) {
      if (!bases.add(base.id())) {
        throw new DecodeException(
            -1,
            "base paths",
            "each id once",
            "id " + Integer.toUnsignedString(base.id()) + " twice");
      }
      if (base.datasetRoot()) {
        rootBases.add(base.id());
      }
    }
  }

  /** Ids may repeat: a release of Lance wrote such manifests, and their rows are still theirs. */
  List<DataFragment> convert(List<TableProto.DataFragment> stored, List<InlineOffsets> offsets)
      throws UnsupportedFormatException {
    List<DataFragment> result = new ArrayList<>(stored.size());
    for (int i = 0; i < stored.size(); i++) {
      result.add(fragment(stored.get(i), offsets.get(i)));
    }
    return result;
  }

  private DataFragment fragment(TableProto.DataFragment stored, InlineOffsets at)
      throws UnsupportedFormatException {
    long id = stored.getId();
    if (id < 0 || id > MAX_FRAGMENT_ID) {
      throw new DecodeException(
          -1, "fragment id", "at most " + MAX_FRAGMENT_ID, Long.toUnsignedString(id));
    }
    long rows = stored.getPhysicalRows();
    if (rows < 0 || rows > MAX_ROWS) {
      throw new DecodeException(
          -1,
          "physical rows of fragment " + id,
          "at most " + MAX_ROWS,
          Long.toUnsignedString(rows));
    }
    List<DataFile> files = new ArrayList<>(stored.getFilesCount());
    for (TableProto.DataFile file : stored.getFilesList()) {
      files.add(dataFile(id, file));
    }
    SequenceMetadata rowIds =
        switch (stored.getRowIdsCase()) {
          case INLINE_ROW_IDS -> inline(stored.getInlineRowIds(), at.rowIds());
          case EXTERNAL_ROW_IDS -> external(stored.getExternalRowIds());
          case ROWIDS_NOT_SET -> null;
        };
    if (stableRowIds && rowIds == null) {
      throw new DecodeException(
          -1,
          "row ids of fragment " + id,
          "a sequence, as feature flag 2 promises for every fragment",
          "none");
    }
    SequenceMetadata lastUpdatedAt =
        switch (stored.getLastUpdatedAtCase()) {
          case INLINE_LAST_UPDATED_AT ->
              inline(stored.getInlineLastUpdatedAt(), at.lastUpdatedAt());
          case EXTERNAL_LAST_UPDATED_AT -> external(stored.getExternalLastUpdatedAt());
          case LASTUPDATEDAT_NOT_SET -> null;
        };
    SequenceMetadata createdAt =
        switch (stored.getCreatedAtCase()) {
          case INLINE_CREATED_AT -> inline(stored.getInlineCreatedAt(), at.createdAt());
          case EXTERNAL_CREATED_AT -> external(stored.getExternalCreatedAt());
          case CREATEDAT_NOT_SET -> null;
        };
    return new DataFragment(
        id,
        files,
        stored.hasDeletionFile() ? deletionFile(id, rows, stored.getDeletionFile()) : null,
        rows,
        rowIds,
        lastUpdatedAt,
        createdAt);
  }

  private DataFile dataFile(long fragment, TableProto.DataFile stored) {
    int fields = stored.getFieldsCount();
    int indices = stored.getColumnIndicesCount();
    if (indices != 0 && indices != fields) {
      throw new DecodeException(
          -1,
          "column indices of data file " + stored.getPath(),
          fields + ", one for each field",
          indices);
    }
    checkName(fragment, stored.getPath());
    return new DataFile(
        stored.getPath(),
        stored.getFieldsList(),
        stored.getColumnIndicesList(),
        stored.getFileMajorVersion(),
        stored.getFileMinorVersion(),
        Math.max(0, stored.getFileSizeBytes()),
        base(fragment, stored.hasBaseId() ? stored.getBaseId() : null, bases));
  }

  private DeletionFile deletionFile(
      long fragment, long physicalRows, TableProto.DeletionFile stored)
      throws UnsupportedFormatException {
    DeletionFile.Kind kind =
        switch (stored.getFileType()) {
          case 0 -> DeletionFile.Kind.ARROW_ARRAY;
          case 1 -> DeletionFile.Kind.ROARING_BITMAP;
          default ->
              throw new UnsupportedFormatException(
                  path,
                  "deletion file type of fragment " + fragment,
                  Integer.toUnsignedString(stored.getFileType()),
                  "0 (Arrow array) and 1 (Roaring bitmap)");
        };
    long rows = stored.getNumDeletedRows();
    long most = trustedCounts ? physicalRows : MAX_ROWS;
    if (rows < 0 || rows > most) {
      throw new DecodeException(
          -1,
          "deleted rows of fragment " + fragment,
          "at most " + most,
          Long.toUnsignedString(rows));
    }
    return new DeletionFile(
        kind,
        stored.getReadVersion(),
        stored.getId(),
        rows,
        base(fragment, stored.hasBaseId() ? stored.getBaseId() : null, rootBases));
  }

  private static @Nullable Integer base(long fragment, @Nullable Integer id, Set<Integer> allowed) {
    if (id != null && !allowed.contains(id)) {
      throw new DecodeException(
          -1,
          "base id of a file of fragment " + fragment,
          "one of " + allowed,
          Integer.toUnsignedString(id));
    }
    return id;
  }

  /** A manifest names files below its folders, never beside them. */
  private static void checkName(long fragment, String name) {
    boolean climbs = name.isEmpty() || name.startsWith("/") || name.startsWith("\\");
    for (String step : name.split("[/\\\\]", -1)) {
      climbs |= step.equals("..");
    }
    if (climbs) {
      throw new DecodeException(
          -1,
          "file name in fragment " + fragment,
          "a name below the data folder",
          "'" + name + "'");
    }
  }

  private SequenceMetadata inline(ByteString bytes, int at) {
    return new SequenceMetadata.Inline(bytes.toByteArray(), messageAt + at);
  }

  private SequenceMetadata external(TableProto.ExternalFile file) {
    if (file.getOffset() < 0 || file.getSize() < 0) {
      throw new DecodeException(
          -1,
          "range of external file " + file.getPath(),
          "a range inside the file",
          Long.toUnsignedString(file.getSize())
              + " bytes at "
              + Long.toUnsignedString(file.getOffset()));
    }
    return new SequenceMetadata.External(file.getPath(), file.getOffset(), file.getSize());
  }
}
