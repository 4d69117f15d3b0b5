package io.github.lancecalcite.calcite;

import static io.github.lancecalcite.calcite.MetadataColumn.bigint;
import static io.github.lancecalcite.calcite.MetadataColumn.bigints;
import static io.github.lancecalcite.calcite.MetadataColumn.instant;
import static io.github.lancecalcite.calcite.MetadataColumn.integer;
import static io.github.lancecalcite.calcite.MetadataColumn.millis;
import static io.github.lancecalcite.calcite.MetadataColumn.text;
import static io.github.lancecalcite.calcite.MetadataColumn.texts;

import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.IndexMetadata;
import io.github.lancecalcite.format.SchemaField;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code t$indices}: the indices of a version. Queries of this project do not use them. */
final class IndicesTable {
  /**
   * One row per index, or part of one: parts share their name. {@code name}; {@code index_uuid},
   * the name of its folder; {@code columns} it is over; {@code type}, NULL where its writer did not
   * say; {@code dataset_version} it was built from; {@code index_version}; {@code created_at};
   * {@code fragments} of this version that it covers and {@code unindexed_fragments}, the number of
   * the others, both NULL where its writer did not say; {@code bytes} of its files, NULL likewise.
   */
  static final MetadataTable.Definition INDICES =
      new MetadataTable.Definition(
          List.of(
              text("name"),
              text("index_uuid"),
              texts("columns"),
              text("type").orNull(),
              bigint("dataset_version"),
              integer("index_version").orNull(),
              instant("created_at").orNull(),
              bigints("fragments").orNull(),
              integer("unindexed_fragments").orNull(),
              bigint("bytes").orNull()),
          IndicesTable::rows);

  private IndicesTable() {}

  private static List<@Nullable Object[]> rows(Dataset dataset) throws IOException {
    Map<Integer, String> paths = new HashMap<>();
    dataset.fields().forEach(field -> addPaths(field, "", paths));
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (IndexMetadata index : dataset.indices()) {
      List<Long> covered = covered(dataset, index);
      rows.add(
          new @Nullable Object[] {
            index.name(),
            index.uuid(),
            index.fields().stream().map(id -> paths.getOrDefault(id, "field " + id)).toList(),
            index.type(),
            index.datasetVersion(),
            index.indexVersion(),
            millis(index.createdAt()),
            covered,
            covered == null ? null : dataset.manifest().fragments().size() - covered.size(),
            index.bytes() < 0 ? null : index.bytes()
          });
    }
    return rows;
  }

  private static @Nullable List<Long> covered(Dataset dataset, IndexMetadata index)
      throws IOException {
    Set<Long> listed = dataset.fragmentsOf(index);
    if (listed == null) {
      return null;
    }
    Set<Long> known = new HashSet<>(listed);
    return dataset.manifest().fragments().stream()
        .map(DataFragment::id)
        .filter(known::contains)
        .toList();
  }

  private static void addPaths(SchemaField field, String prefix, Map<Integer, String> into) {
    String path = prefix + field.name();
    into.put(field.id(), path);
    field.children().forEach(child -> addPaths(child, path + ".", into));
  }
}
