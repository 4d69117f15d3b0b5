package io.github.lancecalcite.format;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A data file of a fragment, as the manifest lists it.
 *
 * @param path relative to {@code data/} of its base
 * @param fields ids of the fields the file holds; −2 is a tombstone
 * @param columnIndices parallel to {@code fields}; empty for legacy files
 * @param fileSizeBytes 0 when unknown
 * @param baseId base path, or null for the dataset's own root
 */
public record DataFile(
    String path,
    List<Integer> fields,
    List<Integer> columnIndices,
    int majorVersion,
    int minorVersion,
    long fileSizeBytes,
    @Nullable Integer baseId) {
  public DataFile {
    fields = List.copyOf(fields);
    columnIndices = List.copyOf(columnIndices);
  }
}
