package io.github.lancecalcite.dataset;

import io.github.lancecalcite.format.Transaction;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A version of a dataset, as {@link Dataset#versions} lists it.
 *
 * @param version number, from 1
 * @param timestamp commit time, or null where the manifest has none
 * @param tags names of the tags that point at it, sorted
 * @param rows live rows
 * @param fragments number of fragments
 * @param deletedRows rows in its data files that are deleted
 * @param dataFiles number of data files
 * @param dataBytes size of the data files, or −1 where the manifest does not tell that of one
 * @param columns number of stored columns, fields inside them not counted
 * @param writer library and version of the writer, or null where the manifest does not tell
 * @param transaction what made it, or null where the manifest names none or its file is gone
 */
public record Version(
    long version,
    @Nullable Instant timestamp,
    List<String> tags,
    long rows,
    int fragments,
    long deletedRows,
    int dataFiles,
    long dataBytes,
    int columns,
    @Nullable String writer,
    @Nullable Transaction transaction) {
  public Version {
    tags = List.copyOf(tags);
  }
}
