package io.github.lancecalcite.interop;

import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.dataset.FragmentFile;
import io.github.lancecalcite.sqltests.ArrowCells;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whether a descriptor that a scan gives leads to the blob that was written. */
final class BlobContents {
  private static final long INLINE = 0;

  private final Path dataset;
  private final List<FragmentFile> files;
  private final Map<Integer, Integer> fieldOfColumn;

  /**
   * @param fieldOfColumn ids of the fields by their place among the columns
   */
  BlobContents(Path dataset, Dataset version, Map<Integer, Integer> fieldOfColumn)
      throws IOException {
    this.dataset = dataset;
    this.files = version.fragmentFiles();
    this.fieldOfColumn = fieldOfColumn;
  }

  /**
   * @param written {@link ArrowCells} of the blob: of the first kind its bytes, of the second a
   *     struct of them
   * @param read the descriptor
   * @param fragment of the row
   */
  boolean same(@Nullable Object written, @Nullable Object read, int column, long fragment)
      throws IOException {
    boolean second =
        written instanceof Map || (read instanceof Map<?, ?> m && m.containsKey("kind"));
    Object bytes = written instanceof Map<?, ?> struct ? struct.get("data") : written;
    if (bytes == null) {
      // a null one of the second kind is zeros, one of a 2.0 file a position without a size
      return read == null
          || (size(read) == 0 && (second || number(((Map<?, ?>) read).get("position")) != 0));
    }
    byte[] expected = HexFormat.of().parseHex(bytes.toString().substring(2));
    if (read == null || size(read) != expected.length) {
      return false;
    }
    Map<?, ?> descriptor = (Map<?, ?>) read;
    if (expected.length == 0 || (second && number(descriptor.get("kind")) != INLINE)) {
      return true; // what lies in a side file is not looked at
    }
    byte[] actual = new byte[expected.length];
    try (RandomAccessFile file = new RandomAccessFile(file(column, fragment).toFile(), "r")) {
      file.seek(number(descriptor.get("position")));
      file.readFully(actual);
    }
    return Arrays.equals(expected, actual);
  }

  private Path file(int column, long fragment) {
    Integer field = fieldOfColumn.get(column);
    for (FragmentFile file : files) {
      if (file.kind() == FragmentFile.Kind.DATA
          && file.fragmentId() == fragment
          && file.fieldIds().contains(field)) {
        return dataset.resolve(file.path());
      }
    }
    throw new AssertionError("no file of fragment " + fragment + " holds field " + field);
  }

  private static long size(@Nullable Object descriptor) {
    return descriptor instanceof Map<?, ?> map ? number(map.get("size")) : 0;
  }

  private static long number(@Nullable Object value) {
    return value instanceof Number number ? number.longValue() : -1;
  }
}
