package io.github.lancecalcite.dataset;

import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.FileVersion;
import io.github.lancecalcite.format.LogicalType;
import io.github.lancecalcite.format.SchemaField;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Picks the column reader for a field by the version of the file that holds it. */
final class ColumnReaders {
  private ColumnReaders() {}

  /**
   * @param path the dataset, for errors
   * @param rows physical rows of the fragment
   */
  static ColumnReader open(
      SchemaField field, LeafFiles files, String path, long rows, BufferAllocator allocator)
      throws IOException {
    if (!ArrowSchemas.isKnown(field)) {
      throw new UnsupportedFormatException(
          path,
          "type of column '" + field.name() + "'",
          field.logicalType(),
          "the logical types in FORMAT_COVERAGE.md");
    }
    checkWidth(field, path);
    FileVersion version = version(field, files);
    ColumnReader reader = null;
    if (version != null) {
      reader =
          version.equals(FileVersion.V2_0)
              ? Column20Reader.open(field, files, rows, allocator)
              : Column21Reader.open(field, files, rows, allocator);
    }
    return reader != null
        ? reader
        : new NullColumnReader(ArrowSchemas.field(field), path, allocator);
  }

  /** Widths multiply: a type may ask for values that no array could hold. */
  private static void checkWidth(SchemaField field, String path) throws UnsupportedFormatException {
    double bits = bits(field.logicalType());
    if (bits > Integer.MAX_VALUE) {
      throw new UnsupportedFormatException(
          path,
          "size of a value of column '" + field.name() + "'",
          String.format("%.0f bits", bits),
          "below 2^31 bits");
    }
    for (SchemaField child : field.children()) {
      checkWidth(child, path);
    }
  }

  private static double bits(LogicalType type) {
    if (type instanceof LogicalType.FixedSizeList list) {
      return list.size() * bits(list.inner());
    } else if (type instanceof LogicalType.FixedSizeBinary binary) {
      return 8.0 * binary.byteWidth();
    }
    return 64; // about: the product only has to keep far from the end of an int
  }

  /** Version of the first file that holds the field or something below it, or null. */
  private static @Nullable FileVersion version(SchemaField field, LeafFiles files)
      throws IOException {
    LeafFiles.LeafColumn column = files.find(field.id());
    if (column != null) {
      return column.metadata().version();
    }
    for (SchemaField child : field.children()) {
      FileVersion version = version(child, files);
      if (version != null) {
        return version;
      }
    }
    return null;
  }
}
