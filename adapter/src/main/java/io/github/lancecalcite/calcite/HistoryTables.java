package io.github.lancecalcite.calcite;

import static io.github.lancecalcite.calcite.MetadataColumn.bigint;
import static io.github.lancecalcite.calcite.MetadataColumn.instant;
import static io.github.lancecalcite.calcite.MetadataColumn.integer;
import static io.github.lancecalcite.calcite.MetadataColumn.millis;
import static io.github.lancecalcite.calcite.MetadataColumn.properties;
import static io.github.lancecalcite.calcite.MetadataColumn.text;
import static io.github.lancecalcite.calcite.MetadataColumn.texts;

import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.dataset.Version;
import io.github.lancecalcite.format.Refs;
import io.github.lancecalcite.format.Transaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The metadata tables that tell how a dataset came to be what it is. */
final class HistoryTables {
  /**
   * {@code t$versions}: one row per version, oldest first. {@code version}; {@code timestamp} of
   * the commit; {@code tags} that point at it, sorted; {@code rows}, live ones; {@code fragments},
   * their number; {@code operation} that made it, NULL where nothing tells; {@code deleted_rows}
   * still in the data files; {@code data_files}, their number; {@code data_bytes}, their size, NULL
   * where the manifest does not tell; {@code columns}, their number; {@code writer}, NULL where the
   * manifest does not tell.
   */
  static final MetadataTable.Definition VERSIONS =
      new MetadataTable.Definition(
          List.of(
              bigint("version"),
              instant("timestamp").orNull(),
              texts("tags"),
              bigint("rows"),
              integer("fragments"),
              text("operation").orNull(),
              bigint("deleted_rows"),
              integer("data_files"),
              bigint("data_bytes").orNull(),
              integer("columns"),
              text("writer").orNull()),
          HistoryTables::versions);

  /**
   * {@code t$transactions}: one row per version whose transaction is known, oldest first. {@code
   * version} it made; {@code read_version} its writer had seen, 0 for none; {@code
   * transaction_uuid}; {@code operation}; {@code fragments_added}, {@code fragments_updated} and
   * {@code fragments_removed}; {@code details}, the predicate of a delete and the like, or NULL;
   * {@code properties} that the writer noted.
   */
  static final MetadataTable.Definition TRANSACTIONS =
      new MetadataTable.Definition(
          List.of(
              bigint("version"),
              bigint("read_version"),
              text("transaction_uuid"),
              text("operation"),
              integer("fragments_added"),
              integer("fragments_updated"),
              integer("fragments_removed"),
              text("details").orNull(),
              properties("properties")),
          HistoryTables::transactions);

  /**
   * {@code t$tags}: one row per tag, by name. {@code name}; {@code branch} it leads into, NULL for
   * the main one; {@code version}; {@code created_at}, NULL where the tag does not say.
   */
  static final MetadataTable.Definition TAGS =
      new MetadataTable.Definition(
          List.of(
              text("name"),
              text("branch").orNull(),
              bigint("version"),
              instant("created_at").orNull()),
          HistoryTables::tags);

  /**
   * {@code t$branches}: one row per branch, by name, the main one not among them. {@code name};
   * {@code parent_branch} it left, NULL for the main one; {@code parent_version} it left at; {@code
   * created_at}, NULL where the branch does not say.
   */
  static final MetadataTable.Definition BRANCHES =
      new MetadataTable.Definition(
          List.of(
              text("name"),
              text("parent_branch").orNull(),
              bigint("parent_version"),
              instant("created_at").orNull()),
          HistoryTables::branches);

  private HistoryTables() {}

  private static List<@Nullable Object[]> versions(Dataset dataset) throws IOException {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (Version version : dataset.versions()) {
      rows.add(
          new @Nullable Object[] {
            version.version(),
            millis(version.timestamp()),
            version.tags(),
            version.rows(),
            version.fragments(),
            version.transaction() == null ? null : version.transaction().operation(),
            version.deletedRows(),
            version.dataFiles(),
            version.dataBytes() < 0 ? null : version.dataBytes(),
            version.columns(),
            version.writer()
          });
    }
    return rows;
  }

  private static List<@Nullable Object[]> transactions(Dataset dataset) throws IOException {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (Version version : dataset.versions()) {
      Transaction transaction = version.transaction();
      if (transaction != null) {
        rows.add(
            new @Nullable Object[] {
              version.version(),
              transaction.readVersion(),
              transaction.uuid(),
              transaction.operation(),
              transaction.fragmentsAdded(),
              transaction.fragmentsUpdated(),
              transaction.fragmentsRemoved(),
              transaction.details(),
              new TreeMap<>(transaction.properties())
            });
      }
    }
    return rows;
  }

  private static List<@Nullable Object[]> tags(Dataset dataset) throws IOException {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (Refs.Tag tag : dataset.tags()) {
      rows.add(
          new @Nullable Object[] {
            tag.name(), tag.branch(), tag.version(), millis(tag.createdAt())
          });
    }
    return rows;
  }

  private static List<@Nullable Object[]> branches(Dataset dataset) throws IOException {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (Refs.Branch branch : dataset.branches()) {
      rows.add(
          new @Nullable Object[] {
            branch.name(), branch.parentBranch(), branch.parentVersion(), millis(branch.createdAt())
          });
    }
    return rows;
  }
}
