package io.github.lancecalcite.dataset;

import static io.github.lancecalcite.dataset.SyntheticFile20.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.CompressiveEncoding;
import io.github.lancecalcite.format.CompressiveEncoding.BufferCompression;
import io.github.lancecalcite.format.CompressiveEncoding.Flat;
import io.github.lancecalcite.format.CompressiveEncoding.Scheme;
import io.github.lancecalcite.format.LogicalType;
import io.github.lancecalcite.format.PageLayout;
import io.github.lancecalcite.format.PageLayout.Layer;
import io.github.lancecalcite.format.SchemaField;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pages of 2.1 and later that are refused, each for a stated reason. */
class Column21RefusalsTest extends SyntheticColumn21 {
  @Test
  void nestedFixedSizeListsOfAWidthThatLosesItemsAreCorrupt() {
    LogicalType inner = new LogicalType.FixedSizeList(new LogicalType.FloatingPoint(32), 200);
    CompressiveEncoding encoding =
        new CompressiveEncoding.FixedSizeList(
            2, new CompressiveEncoding.FixedSizeList(200, FLAT32, false), false);
    file.column()
        .page(
            3, fullZip(0, 0, false, 128, encoding, List.of(Layer.ALL_VALID_ITEM)), new byte[3 * 16])
        .of(field(0, "x", INT32));

    assertThat(failure(field(0, "x", new LogicalType.FixedSizeList(inner, 2)), 3))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("column 0 page 0")
        .hasMessageContaining("12800")
        .hasMessageContaining("128");
  }

  @Test
  void nullItemsOfWhatIsNoListAreRefusedByName() {
    CompressiveEncoding nothing = new CompressiveEncoding.Constant(null);
    file.column()
        .page(3, fullZip(0, 1, false, 0, nothing, List.of(Layer.NULLABLE_ITEM)), new byte[3])
        .of(field(0, "x", INT32));

    assertThat(failure(field(0, "x", INT32), 3))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("full-zip values of column 0 page 0")
        .hasMessageContaining("Constant (no list level left)");
  }

  @Test
  void structsWithoutChildrenAreRefusedByName() {
    file.column()
        .page(2, new PageLayout.Constant(List.of(Layer.NULLABLE_ITEM), null, null, null, 0, 0))
        .of(field(0, "nothing", STRUCT));

    assertThat(failure(field(0, "nothing", STRUCT), 2))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("structure of field 'nothing'")
        .hasMessageContaining("a struct with 0 children");
  }

  @Test
  void fixedSizeListsOfStructInListsAreRefusedByName() {
    SchemaField pair =
        field(
            1,
            "item",
            new LogicalType.FixedSizeList(STRUCT, 2),
            field(2, "item", STRUCT, field(3, "a", INT32)));
    file.column()
        .page(2, miniBlock(true, FLAT32, 0, 2, List.of(Layer.ALL_VALID_ITEM)))
        .of(field(3, "a", INT32));

    assertThat(failure(field(0, "x", LIST, pair), 2))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("list of fixed-size lists of struct");
  }

  @Test
  void combinationsThatWereNeverWrittenAreRefusedByName() {
    BufferCompression lz4 = new BufferCompression(Scheme.LZ4);
    for (CompressiveEncoding values :
        List.of(
            new Flat(32, lz4),
            new CompressiveEncoding.Variable(FLAT32, lz4),
            new CompressiveEncoding.InlineBitpacking(32, lz4),
            new CompressiveEncoding.OutOfLineBitpacking(32, FLAT8),
            new CompressiveEncoding.Dictionary(FLAT8, FLAT32, 2),
            new CompressiveEncoding.Rle(FLAT32, FLAT16),
            new CompressiveEncoding.Rle(FLAT32, new CompressiveEncoding.General(Scheme.LZ4, FLAT8)),
            new CompressiveEncoding.VariablePackedStruct(List.of()))) {
      SyntheticFile20 one = new SyntheticFile20();
      one.column()
          .page(
              1,
              miniBlock(false, values, 0, 1, List.of(Layer.ALL_VALID_ITEM)),
              new byte[2],
              new byte[16])
          .of(field(0, "x", INT32));
      Throwable refusal =
          catchThrowable(
              () -> {
                try (ColumnReader reader =
                    Column21Reader.open(field(0, "x", INT32), one, 1, allocator)) {
                  reader.read(0, 1).close();
                }
              });
      assertThat(refusal)
          .isInstanceOf(UnsupportedFormatException.class)
          .hasMessageContaining("encoding of the values of column 0 page 0")
          .hasMessageContaining(values.getClass().getSimpleName());
    }
  }

  @Test
  void bitsInFullZipAreRefusedByName() {
    LogicalType bool = new LogicalType.Bool();
    file.column()
        .page(
            8,
            fullZip(0, 0, false, 1, new Flat(1, null), List.of(Layer.ALL_VALID_ITEM)),
            new byte[1])
        .of(field(0, "x", bool));

    assertThat(failure(field(0, "x", bool), 8))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("full-zip values of column 0 page 0");
  }

  @Test
  void bitsInPackedRowsAreRefusedByName() {
    CompressiveEncoding packed =
        new CompressiveEncoding.VariablePackedStruct(
            List.of(
                new CompressiveEncoding.VariablePackedStruct.Child(new Flat(1, null), false, 1),
                new CompressiveEncoding.VariablePackedStruct.Child(STRINGS, true, 32)));
    SchemaField struct =
        new SchemaField(
            0,
            "x",
            STRUCT,
            true,
            null,
            Map.of("lance-encoding:packed", "true"),
            false,
            List.of(
                field(1, "a", new LogicalType.Int(8, true)),
                field(2, "b", new LogicalType.Utf8(false))));
    file.column()
        .page(
            1,
            fullZip(0, 0, true, 32, packed, List.of(Layer.ALL_VALID_ITEM)),
            new PageBuilder().i32(5).u8(1).i32(0).array(),
            new byte[] {0, 9})
        .of(struct);

    assertThat(failure(struct, 1))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("packed child of column 0 page 0");
  }
}
