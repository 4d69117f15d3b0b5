package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lancecalcite.format.CompressiveEncoding;
import io.github.lancecalcite.format.LogicalType;
import io.github.lancecalcite.format.PageLayout;
import io.github.lancecalcite.format.PageLayout.Layer;
import io.github.lancecalcite.format.SchemaField;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.junit.jupiter.api.AfterEach;

/** Pages of 2.1 and later, built byte by byte, and what their column must read as. */
abstract class SyntheticColumn21 {
  static final LogicalType INT32 = new LogicalType.Int(32, true);
  static final LogicalType LIST = new LogicalType.List(false);
  static final LogicalType STRUCT = new LogicalType.Struct();
  static final CompressiveEncoding FLAT8 = new CompressiveEncoding.Flat(8, null);
  static final CompressiveEncoding FLAT16 = new CompressiveEncoding.Flat(16, null);
  static final CompressiveEncoding FLAT32 = new CompressiveEncoding.Flat(32, null);
  static final CompressiveEncoding STRINGS = new CompressiveEncoding.Variable(FLAT32, null);

  final RootAllocator allocator = new RootAllocator();
  final SyntheticFile20 file = new SyntheticFile20();

  @AfterEach
  void noMemoryIsLeft() {
    allocator.close();
  }

  /** Asserts that any range of rows is the range of the expected ones. */
  void assertRows(SchemaField field, String json) throws Exception {
    JsonNode expected = new ObjectMapper().readTree(json.replace('\'', '"'));
    int rows = expected.size();
    for (int first = 0; first < rows; first++) {
      for (int count = 1; first + count <= rows; count++) {
        try (ColumnReader reader = Column21Reader.open(field, file, rows, allocator)) {
          assertThat(reader).isNotNull();
          try (FieldVector vector = reader.read(first, count)) {
            assertThat(vector.getValueCount()).isEqualTo(count);
            for (int i = 0; i < count; i++) {
              JsonNode actual = Cells.of(vector, i);
              assertThat(Cells.same(expected.get(first + i), actual))
                  .as("row %d of [%d + %d): %s", first + i, first, count, actual)
                  .isTrue();
            }
          }
        }
      }
    }
  }

  Throwable failure(SchemaField field, int rows) {
    return catchThrowable(
        () -> {
          try (ColumnReader reader = Column21Reader.open(field, file, rows, allocator)) {
            reader.read(0, rows).close();
          }
        });
  }

  static PageLayout.MiniBlock miniBlock(
      boolean rep, CompressiveEncoding values, int depth, long items, List<Layer> layers) {
    return new PageLayout.MiniBlock(
        rep ? FLAT16 : null, null, values, null, 0, layers, 1, depth, items, false);
  }

  static PageLayout.FullZip fullZip(
      int bitsRep,
      int bitsDef,
      boolean variable,
      int bits,
      CompressiveEncoding values,
      List<Layer> layers) {
    return new PageLayout.FullZip(bitsRep, bitsDef, variable, bits, 0, 0, values, layers);
  }
}
