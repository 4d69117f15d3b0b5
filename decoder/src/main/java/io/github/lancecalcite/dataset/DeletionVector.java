package io.github.lancecalcite.dataset;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.encoding.RoaringDecoder;
import io.github.lancecalcite.format.DeletionFile;
import io.github.lancecalcite.io.PositionalReader;
import io.github.lancecalcite.io.Storage;
import java.io.IOException;

/**
 * The deleted rows of one fragment, by physical row offset. Immutable, if the receiver of {@link
 * #words} keeps its hands off them.
 */
public final class DeletionVector {
  /** More rows than one fragment can have here; a bitmap of them takes 256 MiB. */
  private static final long MAX_ROWS = Integer.MAX_VALUE;

  private final long[] words;
  private final long physicalRows;
  private final int cardinality;

  private DeletionVector(long[] words, long physicalRows, int cardinality) {
    this.words = words;
    this.physicalRows = physicalRows;
    this.cardinality = cardinality;
  }

  /** No row of a fragment is deleted. Takes no memory per row. */
  public static DeletionVector none(long physicalRows) {
    return new DeletionVector(new long[0], physicalRows, 0);
  }

  /**
   * Reads a deletion file.
   *
   * @param base the root of the dataset, or of the base path, that the file belongs to
   * @param fragmentId fragment it is about; part of its name
   * @param physicalRows rows of the fragment: every offset must be below
   * @throws CorruptFileException if the file is damaged, an offset is beyond the fragment's rows or
   *     occurs twice, or there are not as many as the manifest says
   * @throws UnsupportedFormatException for a compression or a fragment size this reader cannot do
   */
  public static DeletionVector read(
      Storage base, DeletionFile file, long fragmentId, long physicalRows) throws IOException {
    try (PositionalReader reader = base.open(file.path(fragmentId))) {
      if (physicalRows > MAX_ROWS) {
        throw new UnsupportedFormatException(
            reader.path(), "fragment size", physicalRows + " rows", "at most " + MAX_ROWS);
      }
      if (reader.size() > Integer.MAX_VALUE - 8) {
        throw new UnsupportedFormatException(
            reader.path(), "deletion file size", reader.size(), "at most 2 GiB");
      }
      byte[] bytes = reader.read(0, (int) reader.size());
      long[] words = new long[(int) (physicalRows + 63 >>> 6)];
      long count;
      try {
        count =
            switch (file.kind()) {
              case ROARING_BITMAP -> RoaringDecoder.decode(bytes, words, physicalRows);
              case ARROW_ARRAY ->
                  new ArrowOffsetsFile(reader.path(), bytes).decode(words, physicalRows);
            };
      } catch (DecodeException e) {
        throw new CorruptFileException(
            reader.path(), e.offset(), e.what(), e.expected(), e.actual(), e);
      }
      if (file.numDeletedRows() != 0 && count != file.numDeletedRows()) {
        throw new CorruptFileException(
            reader.path(), -1, "deleted rows", file.numDeletedRows() + " (manifest)", count);
      }
      return new DeletionVector(words, physicalRows, (int) count);
    }
  }

  /** Whether the row at a physical offset of the fragment is deleted. */
  public boolean isDeleted(long offset) {
    if (offset < 0 || offset >= physicalRows) {
      throw new IndexOutOfBoundsException("row " + offset + " of " + physicalRows);
    }
    return cardinality != 0 && (words[(int) (offset >>> 6)] >>> offset & 1) != 0;
  }

  /** Number of deleted rows. */
  public int cardinality() {
    return cardinality;
  }

  /**
   * Bit i (of word i / 64, least significant first) says that row i is deleted. Empty when no row
   * is; otherwise as many words as the fragment's rows need. Not to be changed.
   */
  public long[] words() {
    return words;
  }
}
