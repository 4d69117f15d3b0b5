package io.github.lancecalcite.dataset;

import static io.github.lancecalcite.dataset.SyntheticFile20.bits;
import static io.github.lancecalcite.dataset.SyntheticFile20.buffer;
import static io.github.lancecalcite.dataset.SyntheticFile20.field;
import static io.github.lancecalcite.dataset.SyntheticFile20.flat;
import static io.github.lancecalcite.dataset.SyntheticFile20.ints;
import static io.github.lancecalcite.dataset.SyntheticFile20.longs;
import static io.github.lancecalcite.dataset.SyntheticFile20.noNulls;
import static io.github.lancecalcite.dataset.SyntheticFile20.someNulls;
import static io.github.lancecalcite.dataset.SyntheticFile20.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.airlift.compress.Compressor;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.zstd.ZstdCompressor;
import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.ArrayEncoding;
import io.github.lancecalcite.format.LogicalType;
import io.github.lancecalcite.format.SchemaField;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every encoding of 2.0 pages, read whole and in every range, against rows that are written out.
 */
class Column20NodesTest {
  private static final LogicalType INT32 = new LogicalType.Int(32, true);
  private static final LogicalType INT64 = new LogicalType.Int(64, true);
  private static final LogicalType STRING = new LogicalType.Utf8(false);
  private static final LogicalType LIST = new LogicalType.List(false);
  private static final LogicalType STRUCT = new LogicalType.Struct();

  private final RootAllocator allocator = new RootAllocator();
  private final SyntheticFile20 file = new SyntheticFile20();

  @AfterEach
  void noMemoryIsLeft() {
    allocator.close();
  }

  /** Asserts that any range of rows is the range of the expected ones. */
  private void assertRows(SchemaField field, String json) throws Exception {
    JsonNode expected = new ObjectMapper().readTree(json);
    int rows = expected.size();
    for (int first = 0; first <= rows; first++) {
      for (int count = 1; first + count <= rows; count += first + count < 12 ? 1 : 5) {
        assertRange(field, expected, first, count);
      }
    }
    assertRange(field, expected, 0, rows);
  }

  private void assertRange(SchemaField field, JsonNode expected, int first, int count)
      throws Exception {
    try (ColumnReader reader = Column20Reader.open(field, file, expected.size(), allocator)) {
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

  private Throwable failure(SchemaField field, int rows) {
    return org.assertj.core.api.Assertions.catchThrowable(
        () -> {
          try (ColumnReader reader = Column20Reader.open(field, file, rows, allocator)) {
            reader.read(0, rows).close();
          }
        });
  }

  @Test
  void pagesWithAndWithoutNullsFollowEachOther() throws Exception {
    SchemaField x = field(0, "x", INT32);
    file.column()
        .page(3, noNulls(flat(32, 0)), ints(1, 2, 3))
        .page(0, noNulls(flat(32, 0)), ints())
        .page(2, new ArrayEncoding.AllNulls())
        .page(4, someNulls(0, flat(32, 1)), bits("1010"), ints(6, -7, 8, 9))
        .of(x);

    assertRows(x, "[1, 2, 3, null, null, 6, null, 8, null]");
  }

  @Test
  void itemsOfFixedSizeListsMayBeNullAtEachLevel() throws Exception {
    SchemaField x =
        field(0, "x", new LogicalType.FixedSizeList(new LogicalType.FixedSizeList(INT32, 3), 2));
    ArrayEncoding inner =
        someNulls(1, new ArrayEncoding.FixedSizeList(3, someNulls(2, flat(32, 3)), false));
    file.column()
        .page(
            2,
            someNulls(0, new ArrayEncoding.FixedSizeList(2, inner, false)),
            bits("11"),
            bits("1011"),
            bits("111000101111"),
            ints(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12))
        .page(
            1,
            noNulls(
                new ArrayEncoding.FixedSizeList(
                    2,
                    noNulls(
                        new ArrayEncoding.FixedSizeList(3, new ArrayEncoding.AllNulls(), false)),
                    false)))
        .of(x);

    assertRows(
        x,
        "[[[1, 2, 3], null], [[7, null, 9], [10, 11, 12]], [[null, null, null], [null, null, null]]]");
  }

  @Test
  void everyInnerListOfAFixedSizeListMayBeNull() throws Exception {
    SchemaField x =
        field(0, "x", new LogicalType.FixedSizeList(new LogicalType.FixedSizeList(INT32, 3), 2));
    file.column()
        .page(2, noNulls(new ArrayEncoding.FixedSizeList(2, new ArrayEncoding.AllNulls(), false)))
        .of(x);

    assertRows(x, "[[null, null], [null, null]]");
  }

  @Test
  void aFixedSizeListOfAnotherSizeThanTheFieldsIsCorrupt() {
    SchemaField x =
        field(0, "x", new LogicalType.FixedSizeList(new LogicalType.FixedSizeList(INT32, 3), 2));
    file.column()
        .page(
            1,
            noNulls(
                new ArrayEncoding.FixedSizeList(
                    3, new ArrayEncoding.FixedSizeList(2, flat(32, 0), false), false)),
            ints(1, 2, 3, 4, 5, 6))
        .of(x);

    assertThat(failure(x, 1)).isInstanceOf(CorruptFileException.class);
  }

  @Test
  void endOffsetsCarryTheNullsOfStrings() throws Exception {
    SchemaField x = field(0, "x", STRING);
    ArrayEncoding bytes = noNulls(flat(8, 1));
    file.column()
        .page(
            5,
            new ArrayEncoding.Binary(noNulls(flat(64, 0)), bytes, 7),
            longs(2, 2 + 7, 2, 6, 6 + 7),
            text("abcdef"))
        .page(
            3,
            someNulls(2, new ArrayEncoding.Binary(flat(64, 0), bytes, 4)),
            longs(1, 1 + 4, 3),
            text("xyz"),
            bits("011"))
        .of(x);

    assertRows(x, "['ab', null, '', 'cdef', null, null, null, 'yz']".replace('\'', '"'));
  }

  @ParameterizedTest
  @ValueSource(strings = {"zstd", "lz4"})
  void compressedBytesAreDecompressedAsAWhole(String scheme) throws Exception {
    SchemaField x = field(0, "x", STRING);
    byte[] plain = text("one two three ".repeat(20));
    Compressor compressor = scheme.equals("zstd") ? new ZstdCompressor() : new Lz4Compressor();
    byte[] packed = new byte[compressor.maxCompressedLength(plain.length)];
    int size = compressor.compress(plain, 0, plain.length, packed, 0, packed.length);
    int header = scheme.equals("zstd") ? 8 : 4;
    byte[] framed = new byte[header + size];
    ByteBuffer.wrap(framed).order(ByteOrder.LITTLE_ENDIAN).putInt(plain.length);
    System.arraycopy(packed, 0, framed, header, size);
    file.column()
        .page(
            20,
            new ArrayEncoding.Binary(
                noNulls(flat(64, 0)), new ArrayEncoding.Flat(8, buffer(1), scheme), 281),
            longs(LongStream.rangeClosed(1, 20).map(i -> i * 14).toArray()),
            framed)
        .of(x);

    assertRows(x, "[" + "\"one two three \",".repeat(19) + "\"one two three \"]");
  }

  @Test
  void aTypesDictionaryCountsFromZeroAndMayHoldANull() throws Exception {
    SchemaField x =
        field(0, "x", new LogicalType.Dictionary(STRING, new LogicalType.Int(16, true), false));
    ArrayEncoding items = new ArrayEncoding.Binary(noNulls(flat(64, 1)), flat(8, 2), 6);
    file.column()
        .page(
            4,
            new ArrayEncoding.Dictionary(noNulls(flat(16, 0)), items, 3),
            new byte[] {2, 0, 0, 0, 1, 0, 2, 0},
            longs(2, 5, 5 + 6),
            text("abcde"))
        .page(
            3,
            new ArrayEncoding.Dictionary(someNulls(3, flat(8, 0)), items, 3),
            new byte[] {0, 1, 99},
            longs(2, 5, 5 + 6),
            text("abcde"),
            bits("010"))
        .page(
            1,
            new ArrayEncoding.Dictionary(new ArrayEncoding.AllNulls(), items, 3),
            new byte[0],
            longs(2, 5, 5 + 6),
            text("abcde"))
        .of(x);

    assertRows(x, "[null, \"ab\", \"cde\", null, null, \"cde\", null, null]");
  }

  @Test
  void fsstValuesAreDecompressedOneByOne() throws Exception {
    SchemaField x = field(0, "x", STRING);
    byte[] table = new byte[2312];
    ByteBuffer symbols = ByteBuffer.wrap(table).order(ByteOrder.LITTLE_ENDIAN);
    symbols.putLong(0x46535354L << 32 | 1 << 24 | 2);
    symbols.put(text("lance\0\0\0")).put(text("calcite\0")).put((byte) 5).put((byte) 7);
    byte escape = (byte) 255;
    file.column()
        .page(
            3,
            new ArrayEncoding.Fsst(
                new ArrayEncoding.Binary(noNulls(flat(64, 0)), noNulls(flat(8, 1)), 99), table),
            longs(4, 4 + 99, 5),
            new byte[] {0, escape, '-', 1, 0})
        .of(x);

    assertRows(x, "[\"lance-calcite\", null, \"lance\"]");
  }

  @Test
  void stringsOfOneWidthNeedNoOffsets() throws Exception {
    SchemaField x = field(0, "x", STRING);
    file.column()
        .page(
            4,
            someNulls(1, new ArrayEncoding.FixedSizeBinary(flat(8, 0), 3)),
            text("abcdefghijkl"),
            bits("1101"))
        .of(x);

    assertRows(x, "[\"abc\", \"def\", null, \"jkl\"]");
  }

  /** Two pages of lists; the items lie in pages that end elsewhere. */
  private SchemaField lists(LogicalType type) {
    SchemaField item = field(1, "item", INT32);
    SchemaField x = field(0, "x", type, item);
    file.column()
        .page(
            5, new ArrayEncoding.ListOffsets(noNulls(flat(64, 0)), 6, 5), longs(2, 2 + 6, 2, 3, 5))
        .page(3, new ArrayEncoding.ListOffsets(noNulls(flat(64, 0)), 4, 3), longs(4, 0 + 4 + 0, 3))
        .of(x);
    return x;
  }

  private void items(long firstPage) {
    SchemaField item = field(1, "item", INT32);
    file.column()
        .page(firstPage, noNulls(flat(32, 0)), ints(1, 2, 3, 4, 5, 6, 7))
        .page(1, new ArrayEncoding.AllNulls())
        .of(item);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void listsRunAcrossTheBordersOfPages(boolean large) throws Exception {
    SchemaField x = lists(new LogicalType.List(large));
    items(7);

    assertRows(x, "[[1, 2], null, [], [3], [4, 5], null, null, [6, 7, null]]");
  }

  @ParameterizedTest
  @ValueSource(longs = {6, 8})
  void anItemColumnOfAnotherLengthThanTheListsSayIsCorrupt(long firstPage) {
    SchemaField x = lists(LIST);
    items(firstPage);

    assertThat(failure(x, 8))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("column 1");
  }

  @Test
  void aListWithoutAColumnForItsItemsIsCorrupt() {
    assertThat(failure(lists(LIST), 8)).isInstanceOf(CorruptFileException.class);
  }

  @Test
  void aChildWithMoreRowsThanItsStructIsCorrupt() {
    SchemaField a = field(1, "a", INT32);
    SchemaField x = field(0, "x", STRUCT, a);
    file.column().page(3, new ArrayEncoding.SimpleStruct()).of(x);
    file.column().page(4, noNulls(flat(32, 0)), ints(1, 2, 3, 4)).of(a);

    assertThat(failure(x, 3))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("column 1");
  }

  @Test
  void aHugeStringIsNotAllocatedOnItsOffsetsWordAlone() {
    SchemaField x = field(0, "x", STRING);
    long size = Integer.MAX_VALUE - 100;
    file.column()
        .page(1, new ArrayEncoding.ListOffsets(noNulls(flat(64, 0)), size + 1, size), longs(size))
        .of(x);
    file.column().page(size, noNulls(flat(8, 0)), text("abc")).unnamed(false);

    assertThat(failure(x, 1)).isInstanceOf(CorruptFileException.class);
  }

  private static ArrayEncoding packed(int... bits) {
    return new ArrayEncoding.PackedStruct(
        Arrays.stream(bits).mapToObj(width -> noNulls(flat(width, 0))).toList(), buffer(0));
  }

  @Test
  void packedRowsAreTakenApart() throws Exception {
    SchemaField x = field(0, "x", STRUCT, field(1, "a", INT32), field(2, "b", INT64));
    ByteBuffer rows = ByteBuffer.allocate(36).order(ByteOrder.LITTLE_ENDIAN);
    rows.putInt(1).putLong(-1).putInt(2).putLong(-2).putInt(3).putLong(-3);
    file.column()
        .page(2, packed(32, 64), Arrays.copyOf(rows.array(), 24))
        .page(1, packed(32, 64), Arrays.copyOfRange(rows.array(), 24, 36))
        .of(x);

    assertRows(x, "[{'a':1,'b':-1},{'a':2,'b':-2},{'a':3,'b':-3}]".replace('\'', '"'));
  }

  @Test
  void packedRowsWithAnotherChildThanTheSchemaHasAreRefused() {
    SchemaField x = field(0, "x", STRUCT, field(1, "a", INT32));
    file.column().page(2, packed(32, 64), new byte[24]).of(x);

    assertThat(failure(x, 2))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("packed struct");
  }

  @Test
  void packedRowsWithAChildOfAnotherWidthAreCorrupt() {
    SchemaField x = field(0, "x", STRUCT, field(1, "a", INT32), field(2, "b", INT64));
    file.column().page(2, packed(64, 32), new byte[24]).of(x);

    assertThat(failure(x, 2)).isInstanceOf(CorruptFileException.class);
  }

  @Test
  void blobsSurfaceAsTheirPlaces() throws Exception {
    SchemaField x = blob();
    file.column().page(3, packed(64, 64), longs(64, 10, 1, 0, 0, 0)).of(x, true);

    assertRows(
        x,
        "[{'position':64,'size':10},{'position':1,'size':0},{'position':0,'size':0}]"
            .replace('\'', '"'));
  }

  private static SchemaField blob() {
    return new SchemaField(
        0,
        "x",
        new LogicalType.Binary(true),
        true,
        null,
        Map.of("lance-encoding:blob", "true"),
        false,
        List.of());
  }

  @Test
  void aBlobFieldWhoseColumnHoldsTheBytesThemselvesIsRefused() {
    SchemaField x = blob();
    file.column()
        .page(1, new ArrayEncoding.Binary(flat(64, 0), flat(8, 1), 3), longs(2), text("ab"))
        .of(x);

    assertThat(failure(x, 1)).isInstanceOf(UnsupportedFormatException.class);
  }

  @Test
  void aBlobColumnOfAFieldThatIsNoneIsRefused() {
    SchemaField x = field(0, "x", new LogicalType.Binary(true));
    file.column().page(1, packed(64, 64), longs(64, 10)).of(x, true);

    assertThat(failure(x, 1)).isInstanceOf(UnsupportedFormatException.class);
  }

  @Test
  void aNullColumnHasNoBytes() throws Exception {
    SchemaField x = field(0, "x", new LogicalType.Null());
    file.column().page(3, new ArrayEncoding.AllNulls()).of(x);

    assertRows(x, "[null, null, null]");
  }

  @Test
  void lengthsOfPagesThatWrapAroundAreCorrupt() {
    SchemaField x = field(0, "x", INT32);
    ArrayEncoding nulls = new ArrayEncoding.AllNulls();
    long huge = Long.MAX_VALUE;
    file.column().page(huge, nulls).page(huge, nulls).page(2, nulls).page(3, nulls).of(x);

    assertThat(failure(x, 3)).isInstanceOf(CorruptFileException.class);
  }

  @Test
  void aBufferThatIsShorterThanItsPageIsCorrupt() {
    SchemaField x = field(0, "x", INT32);
    file.column().page(3, noNulls(flat(32, 0)), ints(1, 2)).of(x);

    assertThat(failure(x, 3))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("column 0 page 0");
  }

  @Test
  void aFieldThatNoFileHoldsHasNoReader() throws Exception {
    assertThat(Column20Reader.open(field(0, "x", INT32), file, 3, allocator)).isNull();
  }

  @Test
  void rangesBeyondTheColumnAreRefused() throws Exception {
    SchemaField x = field(0, "x", INT32);
    file.column().page(3, noNulls(flat(32, 0)), ints(1, 2, 3)).of(x);

    try (ColumnReader reader = Column20Reader.open(x, file, 3, allocator)) {
      assertThat(reader).isNotNull();
      assertThatThrownBy(() -> reader.read(2, 2)).isInstanceOf(CorruptFileException.class);
    }
  }

  @Test
  void blobsOfTheSecondKindAreRefused() {
    SchemaField x =
        new SchemaField(
            0,
            "x",
            STRUCT,
            true,
            "lance.blob.v2",
            Map.of(),
            false,
            List.of(field(1, "data", STRING)));
    file.column().page(2, new ArrayEncoding.SimpleStruct()).of(x);

    assertThat(failure(x, 2))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("storage of field 'x'")
        .hasMessageContaining("a blob of the second kind in a 2.0 file");
  }
}
