package io.github.lancecalcite.dataset;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file that a fragment of a dataset version consists of, as {@link Dataset#fragmentFiles} lists
 * it.
 *
 * @param path below the dataset's folder, or below {@code base}
 * @param base another folder that the file lies in, or null for the dataset's own
 * @param format version of a data file, or {@code arrow} or {@code roaring} for deletions
 * @param bytes size, or −1 where the manifest does not tell that of a data file
 * @param fieldIds fields that a data file holds; −2 for one that a later file replaces
 */
public record FragmentFile(
    long fragmentId,
    Kind kind,
    String path,
    @Nullable String base,
    String format,
    long bytes,
    List<Integer> fieldIds) {
  /** What the file holds. */
  public enum Kind {
    /** Values of columns. */
    DATA,
    /** Offsets of deleted rows. */
    DELETIONS
  }

  public FragmentFile {
    fieldIds = List.copyOf(fieldIds);
  }
}
