package io.github.lancecalcite.dataset;

import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.SchemaField;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Reads a top-level field of a 2.0 file. */
final class Column20Reader {
  private Column20Reader() {}

  static @Nullable ColumnReader open(
      SchemaField field, LeafFiles files, long rows, BufferAllocator allocator) throws IOException {
    throw new UnsupportedFormatException(
        "field " + field.name(), "data file version", "2.0", "2.1 to 2.3");
  }
}
