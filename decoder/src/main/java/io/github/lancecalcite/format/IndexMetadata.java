package io.github.lancecalcite.format;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An index of a version, or a part of one: parts bear the same name.
 *
 * @param uuid names its folder below {@code _indices}
 * @param fields ids of the indexed fields
 * @param datasetVersion the version it was built from
 * @param fragmentBitmap the fragments it covers as a portable 32-bit Roaring bitmap; empty where
 *     its writer did not say
 * @param type for instance {@code BTree}, or null where its writer did not say
 * @param indexVersion version of its own format, or null
 * @param bytes size of its files, or −1 where its writer did not say
 */
public record IndexMetadata(
    String name,
    String uuid,
    List<Integer> fields,
    long datasetVersion,
    byte[] fragmentBitmap,
    @Nullable String type,
    @Nullable Integer indexVersion,
    @Nullable Instant createdAt,
    @Nullable Integer baseId,
    long bytes) {
  public IndexMetadata {
    fields = List.copyOf(fields);
  }
}
