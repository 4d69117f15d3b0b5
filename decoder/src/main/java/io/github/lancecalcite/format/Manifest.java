package io.github.lancecalcite.format;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One version of a dataset.
 *
 * @param path the manifest's file name for error messages
 * @param fields top-level fields as trees
 * @param writerVersion library and version of the writer, or null for writers before 0.8.1
 * @param dataStorageVersion what the next data file will be written as; data files decide for
 *     themselves
 * @param transactionFile name below {@code _transactions} of what made this version, or null
 * @param transactionSection the same before the manifest: its file position, or null
 * @param indexSection file position of the version's indices, or null when it has none
 */
public record Manifest(
    String path,
    long version,
    @Nullable Instant timestamp,
    List<SchemaField> fields,
    Map<String, String> schemaMetadata,
    List<DataFragment> fragments,
    long readerFeatureFlags,
    long writerFeatureFlags,
    @Nullable String writerVersion,
    long nextRowId,
    @Nullable String dataStorageVersion,
    Map<String, String> config,
    Map<String, String> tableMetadata,
    List<BasePath> basePaths,
    @Nullable String branch,
    @Nullable String transactionFile,
    @Nullable Long transactionSection,
    @Nullable Long indexSection) {
  /** Feature flag bit: every fragment carries row ids that survive compaction. */
  public static final long STABLE_ROW_IDS = 2;

  public Manifest {
    fields = List.copyOf(fields);
    schemaMetadata = Map.copyOf(schemaMetadata);
    fragments = List.copyOf(fragments);
    config = Map.copyOf(config);
    tableMetadata = Map.copyOf(tableMetadata);
    basePaths = List.copyOf(basePaths);
  }

  public boolean hasStableRowIds() {
    return (readerFeatureFlags & STABLE_ROW_IDS) != 0;
  }
}
