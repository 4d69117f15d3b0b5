package io.github.lancecalcite.format;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A fragment as the manifest lists it.
 *
 * @param id unsigned 32-bit
 * @param physicalRows rows in the data files, deleted ones included; 0 may mean unknown in
 *     manifests of old writers
 * @param rowIds row-id sequence, or null when the dataset has none
 * @param lastUpdatedAt version runs, or null
 * @param createdAt version runs, or null
 */
public record DataFragment(
    long id,
    List<DataFile> files,
    @Nullable DeletionFile deletionFile,
    long physicalRows,
    @Nullable SequenceMetadata rowIds,
    @Nullable SequenceMetadata lastUpdatedAt,
    @Nullable SequenceMetadata createdAt) {
  public DataFragment {
    files = List.copyOf(files);
  }
}
