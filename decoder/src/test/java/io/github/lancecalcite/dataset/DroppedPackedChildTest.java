package io.github.lancecalcite.dataset;

import static io.github.lancecalcite.dataset.SyntheticFile20.buffer;
import static io.github.lancecalcite.dataset.SyntheticFile20.field;
import static io.github.lancecalcite.dataset.SyntheticFile20.flat;
import static io.github.lancecalcite.dataset.SyntheticFile20.noNulls;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.ArrayEncoding;
import io.github.lancecalcite.format.CompressiveEncoding;
import io.github.lancecalcite.format.CompressiveEncoding.Flat;
import io.github.lancecalcite.format.CompressiveEncoding.VariablePackedStruct;
import io.github.lancecalcite.format.LogicalType;
import io.github.lancecalcite.format.PageLayout.Layer;
import io.github.lancecalcite.format.SchemaField;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.FieldVector;
import org.junit.jupiter.api.Test;

/**
 * Packed structs of which a child was dropped, which lance-core 7.0.0 allows and then cannot read:
 * the rows still have it, and the file's own schema tells which it is.
 */
class DroppedPackedChildTest extends SyntheticColumn21 {
  private static final LogicalType TEXT = new LogicalType.Utf8(false);
  private static final String PACKED = "lance-encoding:packed";

  private static SchemaField packed(SchemaField... children) {
    return new SchemaField(
        0, "x", STRUCT, true, null, Map.of(PACKED, "true"), false, List.of(children));
  }

  private void writtenWith(String first, String second, String third) {
    file.written(0, -1, "x", "struct", PACKED, "true")
        .written(1, 0, "a", first)
        .written(2, 0, "b", second)
        .written(3, 0, "c", third)
        .written(4, -1, "blob", "struct") // as Lance writes them, which is no concern of ours
        .written(-1, 4, "kind", "uint8")
        .written(-1, 4, "position", "uint64");
  }

  @Test
  void fixedRowsAreReadFromMiniBlock() throws Exception {
    writtenWith("int32", "int16", "int32");
    CompressiveEncoding rows =
        new CompressiveEncoding.PackedStruct(List.of(32L, 16L, 32L), new Flat(80, null));
    PageBuilder values = new PageBuilder();
    values.i32(1).u16(2).i32(3).i32(4).u16(5).i32(6);
    PageBuilder chunk = new PageBuilder().u16(0).u16(20).pad(8).bytes(values.array()).pad(8);
    byte[] words = new PageBuilder().u16(chunk.size() / 8 - 1 << 4).array();
    SchemaField x = packed(field(1, "a", INT32), field(3, "renamed", INT32));
    file.column()
        .page(2, miniBlock(false, rows, 0, 2, List.of(Layer.ALL_VALID_ITEM)), words, chunk.array())
        .of(x);

    assertRows(x, "[{'a': 1, 'renamed': 3}, {'a': 4, 'renamed': 6}]");
  }

  @Test
  void variableRowsAreReadFromFullZip() throws Exception {
    writtenWith("string", "int32", "string");
    VariablePackedStruct.Child text = new VariablePackedStruct.Child(STRINGS, true, 32);
    CompressiveEncoding rows =
        new VariablePackedStruct(
            List.of(text, new VariablePackedStruct.Child(FLAT32, false, 32), text));
    PageBuilder entries = new PageBuilder();
    entries.i32(15).i32(2).text("ab").i32(7).i32(1).text("c");
    entries.i32(12).i32(0).i32(8).i32(0);
    SchemaField x = packed(field(2, "b", INT32), field(3, "c", TEXT));
    file.column()
        .page(
            2,
            fullZip(0, 0, true, 32, rows, List.of(Layer.ALL_VALID_ITEM)),
            entries.array(),
            new byte[] {0, 19, 35})
        .of(x);

    assertRows(x, "[{'b': 7, 'c': 'c'}, {'b': 8, 'c': ''}]");
  }

  @Test
  void fixedRowsAreReadFromTwoPointZero() throws Exception {
    writtenWith("int32", "int16", "int32");
    ArrayEncoding rows =
        new ArrayEncoding.PackedStruct(
            List.of(noNulls(flat(32, 0)), noNulls(flat(16, 0)), noNulls(flat(32, 0))), buffer(0));
    PageBuilder values = new PageBuilder();
    values.i32(1).u16(2).i32(3).i32(4).u16(5).i32(6);
    SchemaField x = packed(field(2, "b", new LogicalType.Int(16, true)));
    file.column().page(2, rows, values.array()).of(x);

    try (ColumnReader reader = Column20Reader.open(x, file, 2, allocator);
        FieldVector vector = reader.read(0, 2)) {
      assertThat(vector.getChildrenFromFields()).hasSize(1);
      assertThat(vector.getObject(0)).hasToString("{\"b\":2}");
      assertThat(vector.getObject(1)).hasToString("{\"b\":5}");
    }
  }

  @Test
  void childrenThatTheFileDoesNotHaveAreRefused() {
    writtenWith("int32", "int16", "int32");
    SchemaField x = packed(field(1, "a", INT32), field(4, "d", INT32));
    file.column()
        .page(2, miniBlock(false, FLAT32, 0, 2, List.of(Layer.ALL_VALID_ITEM)), new byte[8])
        .of(x);

    assertThat(failure(x, 2))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("structure of field 'x'");
  }
}
