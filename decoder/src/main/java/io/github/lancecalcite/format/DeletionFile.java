package io.github.lancecalcite.format;

import org.jspecify.annotations.Nullable;

/**
 * A deletion file of a fragment, as the manifest lists it.
 *
 * @param id random unsigned 64-bit number, part of the file's name
 * @param numDeletedRows 0 when unknown
 * @param baseId base path, or null for the dataset's own root
 */
public record DeletionFile(
    Kind kind, long readVersion, long id, long numDeletedRows, @Nullable Integer baseId) {
  /** How the offsets are stored. */
  public enum Kind {
    /** Arrow IPC file with one UInt32 column. */
    ARROW_ARRAY,
    /** Portable 32-bit Roaring bitmap. */
    ROARING_BITMAP
  }

  /** Path relative to the base's root for a fragment. */
  public String path(long fragmentId) {
    return "_deletions/"
        + fragmentId
        + "-"
        + readVersion
        + "-"
        + Long.toUnsignedString(id)
        + (kind == Kind.ARROW_ARRAY ? ".arrow" : ".bin");
  }
}
