package io.github.lancecalcite.dataset;

import static io.github.lancecalcite.dataset.SyntheticFile20.field;
import static io.github.lancecalcite.dataset.SyntheticFile20.ints;
import static io.github.lancecalcite.dataset.SyntheticFile20.longs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Pages of 2.1 and later that no writer at hand makes, or that its own reader fails on, built byte
 * by byte: read whole and in every range, or refused for a stated reason.
 */
class Column21NodesTest {
  private static final LogicalType INT32 = new LogicalType.Int(32, true);
  private static final LogicalType LIST = new LogicalType.List(false);
  private static final LogicalType STRUCT = new LogicalType.Struct();
  private static final CompressiveEncoding FLAT16 = new Flat(16, null);
  private static final CompressiveEncoding FLAT32 = new Flat(32, null);
  private static final CompressiveEncoding STRINGS = new CompressiveEncoding.Variable(FLAT32, null);

  /** A list that may be null or empty, in a struct that may be null; its items may be null. */
  private static final List<Layer> LIST_IN_STRUCT =
      List.of(Layer.NULLABLE_ITEM, Layer.NULL_AND_EMPTY_LIST, Layer.NULLABLE_ITEM);

  private final RootAllocator allocator = new RootAllocator();
  private final SyntheticFile20 file = new SyntheticFile20();

  @AfterEach
  void noMemoryIsLeft() {
    allocator.close();
  }

  /** Asserts that any range of rows is the range of the expected ones. */
  private void assertRows(SchemaField field, String json) throws Exception {
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

  private Throwable failure(SchemaField field, int rows) {
    return catchThrowable(
        () -> {
          try (ColumnReader reader = Column21Reader.open(field, file, rows, allocator)) {
            reader.read(0, rows).close();
          }
        });
  }

  private static PageLayout.MiniBlock miniBlock(
      boolean rep, CompressiveEncoding values, int depth, long items, List<Layer> layers) {
    return new PageLayout.MiniBlock(
        rep ? FLAT16 : null, null, values, null, 0, layers, 1, depth, items, false);
  }

  private static PageLayout.FullZip fullZip(
      int bitsRep,
      int bitsDef,
      boolean variable,
      int bits,
      CompressiveEncoding values,
      List<Layer> layers) {
    return new PageLayout.FullZip(bitsRep, bitsDef, variable, bits, 0, 0, values, layers);
  }

  /** A chunk with repetition levels and one value buffer, each padded to 8 bytes. */
  private static PageBuilder chunk(PageBuilder page, int[] rep, byte[] values) {
    page.u16(rep.length).u16(2 * rep.length).u16(values.length).pad(8);
    for (int level : rep) {
      page.u16(level);
    }
    return page.pad(8).bytes(values).pad(8);
  }

  /** Lists of lists in three chunks whose borders lie inside of rows. */
  private static PageBuilder chunksOfLists() {
    PageBuilder chunks = new PageBuilder();
    chunk(chunks, new int[] {2, 1}, ints(1, 2));
    chunk(chunks, new int[] {0, 2, 0, 1}, ints(3, 4, 5, 6));
    return chunk(chunks, new int[] {2}, ints(7));
  }

  @Test
  void deeperRepetitionIndicesDoNotHideRows() throws Exception {
    SchemaField x = field(0, "x", LIST, field(1, "item", LIST, field(2, "item", INT32)));
    List<Layer> layers = List.of(Layer.ALL_VALID_ITEM, Layer.ALL_VALID_LIST, Layer.ALL_VALID_LIST);
    // per chunk: rows that end in it, lists that end in it, levels left over
    byte[] index = longs(0, 1, 2, 2, 3, 0, 1, 1, 0);
    // chunk words: bytes / 8 − 1, and the logarithm of the values
    byte[] words = new PageBuilder().u16(2 << 4 | 1).u16(3 << 4 | 2).u16(2 << 4).array();
    file.column()
        .page(3, miniBlock(true, FLAT32, 2, 7, layers), words, chunksOfLists().array(), index)
        .of(field(2, "item", INT32));

    assertRows(x, "[[[1], [2, 3]], [[4, 5], [6]], [[7]]]");
  }

  @Test
  void listsOfNumbersInStructsThatMayBeNullAreReadFromFullZip() throws Exception {
    PageBuilder entries = new PageBuilder();
    entries.u8(1 << 3).i32(1).u8(1).i32(0); // a value, and a null item that has its bytes
    entries.u8(1 << 3 | 2).u8(1 << 3 | 4).u8(1 << 3 | 3); // a null list, a null struct, no items
    entries.u8(1 << 3).i32(5);
    file.column()
        .page(
            5,
            fullZip(1, 3, false, 32, FLAT32, LIST_IN_STRUCT),
            entries.array(),
            new byte[] {0, 10, 11, 12, 13, 18})
        .of(field(2, "item", INT32));

    assertRows(
        field(0, "x", STRUCT, field(1, "l", LIST, field(2, "item", INT32))),
        "[{'l': [1, null]}, {'l': null}, null, {'l': []}, {'l': [5]}]");
  }

  @Test
  void listsOfStringsInStructsThatMayBeNullAreReadFromFullZip() throws Exception {
    LogicalType text = new LogicalType.Utf8(false);
    PageBuilder entries = new PageBuilder();
    entries.u8(1 << 3).i32(2).text("ab").u8(1); // a null item has neither length nor bytes
    entries.u8(1 << 3 | 2).u8(1 << 3 | 4).u8(1 << 3 | 3);
    entries.u8(1 << 3).i32(0).u8(0).i32(3).text("cde");
    file.column()
        .page(
            5,
            fullZip(1, 3, true, 32, STRINGS, LIST_IN_STRUCT),
            entries.array(),
            new byte[] {0, 8, 9, 10, 11, 24})
        .of(field(2, "item", text));

    assertRows(
        field(0, "x", STRUCT, field(1, "l", LIST, field(2, "item", text))),
        "[{'l': ['ab', null]}, {'l': null}, null, {'l': []}, {'l': ['', 'cde']}]");
  }

  @Test
  void listsInStructsInFixedSizeListsAreRead() throws Exception {
    LogicalType pairs = new LogicalType.FixedSizeList(STRUCT, 2);
    List<Layer> layers =
        List.of(
            Layer.ALL_VALID_ITEM, Layer.ALL_VALID_LIST, Layer.ALL_VALID_ITEM, Layer.ALL_VALID_ITEM);
    PageBuilder chunk =
        chunk(new PageBuilder(), new int[] {1, 0, 1, 1, 1, 0, 0}, ints(1, 2, 3, 4, 5, 6, 7));
    byte[] words = new PageBuilder().u16(chunk.size() / 8 - 1 << 4).array();
    file.column() // the length counts the elements of the fixed-size lists
        .page(4, miniBlock(true, FLAT32, 1, 7, layers), words, chunk.array(), longs(4, 0))
        .of(field(3, "item", INT32));

    SchemaField list = field(2, "l", LIST, field(3, "item", INT32));
    assertRows(
        field(0, "x", pairs, field(1, "item", STRUCT, list)),
        "[[{'l': [1, 2]}, {'l': [3]}], [{'l': [4]}, {'l': [5, 6, 7]}]]");
  }

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
    CompressiveEncoding flat8 = new Flat(8, null);
    BufferCompression lz4 = new BufferCompression(Scheme.LZ4);
    for (CompressiveEncoding values :
        List.of(
            new Flat(32, lz4),
            new CompressiveEncoding.Variable(FLAT32, lz4),
            new CompressiveEncoding.InlineBitpacking(32, lz4),
            new CompressiveEncoding.OutOfLineBitpacking(32, flat8),
            new CompressiveEncoding.Dictionary(flat8, FLAT32, 2),
            new CompressiveEncoding.Rle(FLAT32, FLAT16),
            new CompressiveEncoding.Rle(FLAT32, new CompressiveEncoding.General(Scheme.LZ4, flat8)),
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

  @Test
  void blobsOutsideOfTheDatasetSurfaceAsTheirAddress() throws Exception {
    SchemaField blob =
        new SchemaField(
            0,
            "x",
            STRUCT,
            true,
            "lance.blob.v2",
            Map.of(),
            false,
            List.of(
                field(1, "data", new LogicalType.Binary(true)),
                field(2, "uri", new LogicalType.Utf8(false))));
    CompressiveEncoding packed =
        new CompressiveEncoding.VariablePackedStruct(
            List.of(
                child(8),
                child(64),
                child(64),
                child(32),
                new CompressiveEncoding.VariablePackedStruct.Child(STRINGS, true, 32)));
    PageBuilder entries = new PageBuilder();
    entries.u8(0).i32(1 + 8 + 8 + 4 + 4 + 5); // external: an address, and a range there
    entries.u8(3).i64(7).i64(9).i32(0).i32(5).text("s3://");
    entries.u8(1); // null
    file.column()
        .page(
            2,
            fullZip(0, 1, true, 32, packed, List.of(Layer.ALL_VALID_ITEM, Layer.NULLABLE_ITEM)),
            entries.array(),
            new byte[] {0, 35, 36})
        .of(blob);

    assertRows(
        blob,
        "[{'kind': 3, 'position': 7, 'size': 9, 'blob_id': 0, 'blob_uri': 's3://'},"
            + " {'kind': 0, 'position': 0, 'size': 0, 'blob_id': 0, 'blob_uri': ''}]");
  }

  private static CompressiveEncoding.VariablePackedStruct.Child child(int bits) {
    return new CompressiveEncoding.VariablePackedStruct.Child(new Flat(bits, null), false, bits);
  }

  @Test
  void jsonIsReadAsItsBytes() throws Exception {
    SchemaField json = field(0, "x", new LogicalType.Json());
    PageBuilder values = new PageBuilder().i32(12).i32(14).i32(15).text("{}1");
    PageBuilder chunk = new PageBuilder().u16(0).u16(15).pad(8).bytes(values.array()).pad(8);
    byte[] words = new PageBuilder().u16(chunk.size() / 8 - 1 << 4).array();
    file.column()
        .page(
            2, miniBlock(false, STRINGS, 0, 2, List.of(Layer.ALL_VALID_ITEM)), words, chunk.array())
        .of(json);

    assertRows(json, "['0x7b7d', '0x31']");
  }
}
