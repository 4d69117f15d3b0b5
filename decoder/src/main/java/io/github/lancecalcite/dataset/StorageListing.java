package io.github.lancecalcite.dataset;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.format.DataFile;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.DeletionFile;
import io.github.lancecalcite.format.FileVersion;
import io.github.lancecalcite.format.Manifest;
import io.github.lancecalcite.format.RowIdSequences;
import io.github.lancecalcite.format.U64Segment;
import io.github.lancecalcite.rowid.RowIdSequence;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Lists what the fragments of a version consist of. Opens no data file. */
final class StorageListing {
  private final Manifest manifest;
  private final DatasetFiles files;

  StorageListing(Manifest manifest, DatasetFiles files) {
    this.manifest = manifest;
    this.files = files;
  }

  /** The files of every fragment in scan order, data before deletions. */
  List<FragmentFile> files() throws IOException {
    List<FragmentFile> result = new ArrayList<>();
    for (DataFragment fragment : manifest.fragments()) {
      for (DataFile file : fragment.files()) {
        FileVersion version = FileVersion.ofFooter(file.majorVersion(), file.minorVersion());
        result.add(
            new FragmentFile(
                fragment.id(),
                FragmentFile.Kind.DATA,
                files.name(file),
                files.basePath(file.baseId()),
                version.toString(),
                VersionListing.size(file),
                file.fields()));
      }
      DeletionFile deletions = fragment.deletionFile();
      if (deletions != null) {
        result.add(
            new FragmentFile(
                fragment.id(),
                FragmentFile.Kind.DELETIONS,
                deletions.path(fragment.id()),
                files.basePath(deletions.baseId()),
                deletions.kind() == DeletionFile.Kind.ARROW_ARRAY ? "arrow" : "roaring",
                files.size(deletions, fragment.id()),
                List.of()));
      }
    }
    return result;
  }

  /** The segments of every fragment's row-id sequence in scan order. */
  List<RowIdSegment> rowIdSegments() throws IOException {
    List<RowIdSegment> result = new ArrayList<>();
    for (DataFragment fragment : manifest.fragments()) {
      List<U64Segment> segments = files.rowIds(fragment);
      if (segments == null) {
        continue;
      }
      long offset = 0;
      for (int i = 0; i < segments.size(); i++) {
        U64Segment segment = segments.get(i);
        RowIdSequence ids = sequence(fragment, segment);
        long length = ids.length();
        result.add(
            new RowIdSegment(
                fragment.id(),
                i,
                kind(segment),
                offset,
                length,
                length == 0 ? 0 : ids.get(0),
                length == 0 ? 0 : ids.get(length - 1),
                RowIdSequences.bytes(segment)));
        offset += length;
      }
    }
    return result;
  }

  private RowIdSequence sequence(DataFragment fragment, U64Segment segment)
      throws CorruptFileException {
    try {
      return RowIdSequence.of(List.of(segment));
    } catch (DecodeException e) {
      String what = "row ids of fragment " + fragment.id() + ", " + e.what();
      throw new CorruptFileException(manifest.path(), -1, what, e.expected(), e.actual(), e);
    }
  }

  private static String kind(U64Segment segment) {
    // an instanceof chain because Java 17 has no pattern switch
    if (segment instanceof U64Segment.Range) {
      return "range";
    }
    if (segment instanceof U64Segment.RangeWithHoles) {
      return "range with holes";
    }
    if (segment instanceof U64Segment.RangeWithBitmap) {
      return "range with bitmap";
    }
    return segment instanceof U64Segment.SortedArray ? "sorted array" : "array";
  }
}
