package io.github.lancecalcite.calcite;

import static io.github.lancecalcite.calcite.MetadataColumn.bigint;
import static io.github.lancecalcite.calcite.MetadataColumn.integer;
import static io.github.lancecalcite.calcite.MetadataColumn.integers;
import static io.github.lancecalcite.calcite.MetadataColumn.text;

import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.dataset.Fragment;
import io.github.lancecalcite.dataset.FragmentFile;
import io.github.lancecalcite.dataset.RowIdSegment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The metadata tables that tell what a version consists of. */
final class StorageTables {
  /**
   * {@code t$fragments}: one row per fragment in scan order. {@code fragment_id}; {@code
   * physical_rows} in the data files; {@code deleted_rows} of them; {@code rows}, live ones; {@code
   * data_files} and {@code rowid_segments}, their numbers.
   */
  static final MetadataTable.Definition FRAGMENTS =
      new MetadataTable.Definition(
          List.of(
              bigint("fragment_id"),
              bigint("physical_rows"),
              bigint("deleted_rows"),
              bigint("rows"),
              integer("data_files"),
              integer("rowid_segments")),
          StorageTables::fragments);

  /**
   * {@code t$files}: one row per file of a fragment, in scan order, data before deletions. {@code
   * fragment_id}; {@code kind}, {@code data} or {@code deletions}; {@code path} below the dataset
   * or below {@code base}, which is NULL for the dataset's own folder; {@code format}, a data
   * file's version or {@code arrow} or {@code roaring}; {@code bytes}, NULL where the manifest of a
   * data file does not tell; {@code field_ids} that a data file holds, −2 for one that a later file
   * replaces.
   */
  static final MetadataTable.Definition FILES =
      new MetadataTable.Definition(
          List.of(
              bigint("fragment_id"),
              text("kind"),
              text("path"),
              text("base").orNull(),
              text("format"),
              bigint("bytes").orNull(),
              integers("field_ids")),
          StorageTables::files);

  /**
   * {@code t$rowid_segments}: one row per segment of the row-id sequences, in scan order; none
   * without stable row ids. {@code fragment_id}; {@code segment}, counted from 0 in each fragment;
   * {@code kind}; {@code first_offset}, the physical row its first id belongs to; {@code length} in
   * rows; {@code first_id} and {@code last_id}, NULL when it is empty; {@code bytes} it takes in
   * the manifest.
   */
  static final MetadataTable.Definition ROWID_SEGMENTS =
      new MetadataTable.Definition(
          List.of(
              bigint("fragment_id"),
              integer("segment"),
              text("kind"),
              bigint("first_offset"),
              bigint("length"),
              bigint("first_id").orNull(),
              bigint("last_id").orNull(),
              integer("bytes")),
          StorageTables::rowIdSegments);

  private StorageTables() {}

  private static List<@Nullable Object[]> fragments(Dataset dataset) throws IOException {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (Fragment fragment : dataset.fragments()) {
      rows.add(
          new @Nullable Object[] {
            fragment.id(),
            fragment.physicalRows(),
            fragment.deletedRows(),
            fragment.liveRows(),
            fragment.dataFiles(),
            fragment.rowIdSegments()
          });
    }
    return rows;
  }

  private static List<@Nullable Object[]> files(Dataset dataset) throws IOException {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (FragmentFile file : dataset.fragmentFiles()) {
      rows.add(
          new @Nullable Object[] {
            file.fragmentId(),
            file.kind().name().toLowerCase(Locale.ROOT),
            file.path(),
            file.base(),
            file.format(),
            file.bytes() < 0 ? null : file.bytes(),
            file.fieldIds()
          });
    }
    return rows;
  }

  private static List<@Nullable Object[]> rowIdSegments(Dataset dataset) throws IOException {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (RowIdSegment segment : dataset.rowIdSegments()) {
      boolean empty = segment.length() == 0;
      rows.add(
          new @Nullable Object[] {
            segment.fragmentId(),
            segment.position(),
            segment.kind(),
            segment.firstOffset(),
            segment.length(),
            empty ? null : id(segment.firstId()),
            empty ? null : id(segment.lastId()),
            segment.bytes()
          });
    }
    return rows;
  }

  private static Long id(long unsigned) {
    if (unsigned < 0) {
      throw LanceFailure.doesNotFit(
          Long.toUnsignedString(unsigned), "BIGINT, the type of a row id");
    }
    return unsigned;
  }
}
