package io.github.lancecalcite.dataset;

import static io.github.lancecalcite.dataset.SyntheticFile20.field;
import static io.github.lancecalcite.dataset.SyntheticFile20.ints;
import static io.github.lancecalcite.dataset.SyntheticFile20.longs;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.lancecalcite.format.CompressiveEncoding;
import io.github.lancecalcite.format.CompressiveEncoding.Flat;
import io.github.lancecalcite.format.LogicalType;
import io.github.lancecalcite.format.LogicalTypeText;
import io.github.lancecalcite.format.PageLayout;
import io.github.lancecalcite.format.PageLayout.Layer;
import io.github.lancecalcite.format.SchemaField;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Pages of 2.1 and later that no writer at hand makes, or that its own reader fails on: read whole
 * and in every range.
 */
class Column21NodesTest extends SyntheticColumn21 {
  /** A list that may be null or empty, in a struct that may be null; its items may be null. */
  private static final List<Layer> LIST_IN_STRUCT =
      List.of(Layer.NULLABLE_ITEM, Layer.NULL_AND_EMPTY_LIST, Layer.NULLABLE_ITEM);

  private static final CompressiveEncoding NOTHING = new CompressiveEncoding.Constant(null);

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
  void jsonIsReadAsItsText() throws Exception {
    SchemaField json = field(0, "x", new LogicalType.Json());
    PageBuilder values = new PageBuilder().i32(12).i32(16).i32(26);
    values.bytes(HexFormat.of().parseHex("40000000" + "20000000200000025001"));
    PageBuilder chunk = new PageBuilder().u16(0).u16(26).pad(8).bytes(values.array()).pad(8);
    byte[] words = new PageBuilder().u16(chunk.size() / 8 - 1 << 4).array();
    file.column()
        .page(
            2, miniBlock(false, STRINGS, 0, 2, List.of(Layer.ALL_VALID_ITEM)), words, chunk.array())
        .of(json);

    assertRows(json, "['{}', '1']");
    assertThat(ArrowSchemas.field(json).getMetadata())
        .containsEntry("ARROW:extension:name", "arrow.json");
  }

  @Test
  void booleansOfFullZipAreBytes() throws Exception {
    PageBuilder entries = new PageBuilder();
    entries.u8(0).u8(1).u8(1).u8(0); // true, and a null that has its byte
    entries.u8(0).u8(0);
    for (int i = 0; i < 7; i++) {
      entries.u8(0).u8(1);
    }
    entries.u8(0).u8(0).u8(0).u8(1);
    SchemaField bool = field(0, "x", new LogicalType.Bool());
    file.column()
        .page(12, fullZip(0, 1, false, 8, FLAT8, List.of(Layer.NULLABLE_ITEM)), entries.array())
        .of(bool);

    assertRows(bool, "[true, null, false, true, true, true, true, true, true, true, false, true]");
  }

  /** Lance ends the encoding where the items are all null, and stores nothing for them. */
  @Test
  void fixedSizeListsOfNothingButNullsHaveNoBytesInFullZip() throws Exception {
    SchemaField list = field(0, "x", new LogicalType.FixedSizeList(INT32, 3));
    file.column()
        .page(
            3,
            fullZip(0, 1, false, 0, NOTHING, List.of(Layer.NULLABLE_ITEM)),
            new PageBuilder().u8(0).u8(1).u8(0).array())
        .of(list);

    assertRows(list, "[[null, null, null], null, [null, null, null]]");
  }

  @Test
  void rowsMayHaveNoBytesAtAllInFullZip() throws Exception {
    SchemaField list = field(0, "x", new LogicalType.FixedSizeList(INT32, 2));
    file.column()
        .page(3, fullZip(0, 0, false, 0, NOTHING, List.of(Layer.ALL_VALID_ITEM)), new byte[0])
        .of(list);

    assertRows(list, "[[null, null], [null, null], [null, null]]");
  }

  @Test
  void innerFixedSizeListsOfNothingButNullsHaveNoBytesInFullZip() throws Exception {
    LogicalType inner = new LogicalType.FixedSizeList(new LogicalType.Bool(), 5);
    SchemaField list = field(0, "x", new LogicalType.FixedSizeList(inner, 2));
    file.column()
        .page(
            3, // a byte each: which of the two inner lists are valid
            fullZip(
                0,
                1,
                false,
                8,
                new CompressiveEncoding.FixedSizeList(2, NOTHING, true),
                List.of(Layer.NULLABLE_ITEM)),
            new PageBuilder().u8(0).u8(0b10).u8(1).u8(0).u8(0).u8(0b11).array())
        .of(list);

    String nulls = "[null, null, null, null, null]";
    assertRows(list, "[[null, " + nulls + "], null, [" + nulls + ", " + nulls + "]]");
  }

  /** A page of blobs is put together of batches, and says of one whether it has nulls. */
  @Test
  void nullBlobsOfPagesThatSayTheyHaveNoneAreNull() throws Exception {
    SchemaField blob =
        new SchemaField(
            0,
            "x",
            new LogicalType.Binary(true),
            true,
            null,
            Map.of("lance-encoding:blob", "true"),
            false,
            List.of());
    CompressiveEncoding rows =
        new CompressiveEncoding.PackedStruct(List.of(64L, 64L), new Flat(128, null));
    byte[] descriptors = longs(64, 5, 1 << 16, 0, 0, 0, 128, 1);
    PageBuilder chunk = new PageBuilder().u16(0).u16(64).pad(8).bytes(descriptors);
    byte[] words = new PageBuilder().u16(chunk.size() / 8 - 1 << 4).array();
    List<Layer> layers = List.of(Layer.ALL_VALID_ITEM);
    file.column()
        .page(
            4,
            new PageLayout.Blob(miniBlock(false, rows, 0, 4, layers), layers),
            words,
            chunk.array())
        .of(blob);

    assertRows(
        blob,
        "[{'position': 64, 'size': 5}, null, {'position': 0, 'size': 0},"
            + " {'position': 128, 'size': 1}]");
  }

  @Test
  void bfloat16ItemsAreReadAsTheirBytes() throws Exception {
    LogicalType pairs = LogicalTypeText.parse("fixed_size_list:lance.bfloat16:2");
    SchemaField list = field(0, "x", pairs);
    CompressiveEncoding encoding = new CompressiveEncoding.FixedSizeList(2, FLAT16, false);
    PageBuilder entries = new PageBuilder().u16(0x3f80).u16(0x4000).u16(0xbf80).u16(0);
    file.column()
        .page(2, fullZip(0, 0, false, 32, encoding, List.of(Layer.ALL_VALID_ITEM)), entries.array())
        .of(list);

    assertRows(list, "[['0x803f', '0x0040'], ['0x80bf', '0x0000']]");
    assertThat(ArrowSchemas.field(list).getChildren().get(0).getMetadata())
        .containsEntry("ARROW:extension:name", "lance.bfloat16");
  }

  /** What Lance does from 2.2 on when a child is a fixed-size list. */
  @Test
  void packedRowsOfFixedWidthMayBeStoredAsIfTheyVaried() throws Exception {
    LogicalType pair = new LogicalType.FixedSizeList(new LogicalType.Int(16, true), 2);
    SchemaField x =
        new SchemaField(
            0,
            "x",
            STRUCT,
            true,
            null,
            Map.of("lance-encoding:packed", "true"),
            false,
            List.of(field(1, "a", INT32), field(2, "b", pair)));
    CompressiveEncoding rows =
        new CompressiveEncoding.VariablePackedStruct(
            List.of(
                child(32),
                new CompressiveEncoding.VariablePackedStruct.Child(
                    new CompressiveEncoding.FixedSizeList(2, FLAT16, false), false, 32)));
    PageBuilder entries = new PageBuilder();
    entries.u8(0).i32(8).i32(1).u16(2).u16(3).u8(1).u8(0).i32(8).i32(4).u16(5).u16(6);
    file.column()
        .page(
            3,
            fullZip(0, 1, true, 32, rows, List.of(Layer.NULLABLE_ITEM)),
            entries.array(),
            new byte[] {0, 13, 14, 27})
        .of(x);

    assertRows(x, "[{'a': 1, 'b': [2, 3]}, null, {'a': 4, 'b': [5, 6]}]");
  }

  /** Lance makes the binary form of what stands at the top only. */
  @Test
  void nestedJsonMayBeTextAlready() throws Exception {
    SchemaField json = field(1, "j", new LogicalType.Json());
    PageBuilder values = new PageBuilder().i32(16).i32(18).i32(20).i32(30).text("{}-1");
    values.bytes(HexFormat.of().parseHex("20000000200000025001"));
    PageBuilder chunk = new PageBuilder().u16(0).u16(30).pad(8).bytes(values.array()).pad(8);
    byte[] words = new PageBuilder().u16(chunk.size() / 8 - 1 << 4).array();
    file.column()
        .page(
            3,
            miniBlock(false, STRINGS, 0, 3, List.of(Layer.ALL_VALID_ITEM, Layer.ALL_VALID_ITEM)),
            words,
            chunk.array())
        .of(json);

    assertRows(field(0, "x", STRUCT, json), "[{'j': '{}'}, {'j': '-1'}, {'j': '1'}]");
  }
}
