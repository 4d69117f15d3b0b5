package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.format.ArrayEncoding;
import io.github.lancecalcite.format.ArrayEncoding.Buffer;
import io.github.lancecalcite.format.BufferLocation;
import io.github.lancecalcite.format.ColumnMetadata;
import io.github.lancecalcite.format.FileMetadata;
import io.github.lancecalcite.format.FileVersion;
import io.github.lancecalcite.format.LogicalType;
import io.github.lancecalcite.format.PageMetadata;
import io.github.lancecalcite.format.SchemaField;
import io.github.lancecalcite.io.BytesReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Columns over pages that are made by hand. */
class Column20ReaderTest {
  private static final ArrayEncoding.Flat OFFSETS = flat(64, 0);

  private final RootAllocator allocator = new RootAllocator();
  private final ByteArrayOutputStream file = new ByteArrayOutputStream();
  private final List<ColumnMetadata> columns = new ArrayList<>();

  @AfterEach
  void noMemoryIsLeft() {
    allocator.close();
  }

  private static ArrayEncoding.Flat flat(int bits, int buffer) {
    return new ArrayEncoding.Flat(bits, new Buffer(buffer, Buffer.Kind.PAGE), null);
  }

  private PageMetadata page(long length, ArrayEncoding encoding, byte[]... buffers) {
    List<BufferLocation> locations = new ArrayList<>();
    for (byte[] bytes : buffers) {
      locations.add(new BufferLocation(file.size(), bytes.length));
      file.writeBytes(bytes);
    }
    return new PageMetadata(locations, length, encoding);
  }

  private PageMetadata lists(long numItems, long... ends) {
    byte[] bytes = new byte[ends.length * 8];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (ends[i / 8] >>> (8 * (i % 8)));
    }
    return page(ends.length, new ArrayEncoding.ListOffsets(OFFSETS, numItems + 1, numItems), bytes);
  }

  private PageMetadata bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return page(values.length, new ArrayEncoding.NoNulls(flat(8, 0)), bytes);
  }

  /** Field ids count up in the order of the columns. */
  private void column(PageMetadata... pages) {
    columns.add(new ColumnMetadata(columns.size(), false, List.of(pages)));
  }

  private static SchemaField field(int id, String name, LogicalType type, SchemaField... children) {
    return new SchemaField(id, name, type, true, null, Map.of(), false, List.of(children));
  }

  private ColumnReader open(SchemaField field, long rows) throws IOException {
    BytesReader reader = new BytesReader("a.lance", file.toByteArray());
    FileMetadata metadata = new FileMetadata("a.lance", FileVersion.V2_0, rows, columns);
    LeafFiles files =
        id ->
            id >= columns.size()
                ? null
                : new LeafFiles.LeafColumn(reader, metadata, columns.get(id));
    return Column20Reader.open(field, files, rows, allocator);
  }

  private List<String> read(SchemaField field, long rows, long first, int count)
      throws IOException {
    List<String> cells = new ArrayList<>();
    try (ColumnReader reader = open(field, rows);
        FieldVector vector = reader.read(first, count)) {
      assertThat(vector.getValueCount()).isEqualTo(count);
      for (int i = 0; i < count; i++) {
        cells.add(Cells.of(vector, i).toString());
      }
    }
    return cells;
  }

  private void corrupt(SchemaField field, long rows, int count, String message) throws IOException {
    assertThatThrownBy(() -> read(field, rows, 0, count))
        .isExactlyInstanceOf(CorruptFileException.class)
        .hasMessage(message);
  }

  private static SchemaField list(boolean large) {
    return field(
        0, "l", new LogicalType.List(large), field(1, "item", new LogicalType.Int(8, true)));
  }

  @Test
  void listsGoOnWhereTheItemsOfThePageBeforeEnd() throws IOException {
    // [1, 2], null, [], [3] | [], null, [4, 5, 6]; a null's end says where the next list begins
    column(lists(3, 2, 2 + 4, 2, 3), lists(3, 0, 0 + 4, 3));
    column(bytes(1, 2), bytes(3, 4, 5), bytes(6));
    List<String> all = List.of("[1,2]", "null", "[]", "[3]", "[]", "null", "[4,5,6]");
    for (boolean large : new boolean[] {false, true}) {
      for (int from = 0; from < 7; from++) {
        for (int count = 1; from + count <= 7; count++) {
          assertThat(read(list(large), 7, from, count))
              .as("from %d", from)
              .isEqualTo(all.subList(from, from + count));
        }
      }
    }
  }

  @Test
  void aPageOfNothingButEmptyListsNeedsNoItems() throws IOException {
    column(lists(0, 0, 1, 0));
    column();
    assertThat(read(list(false), 3, 0, 3)).containsExactly("[]", "null", "[]");
  }

  @Test
  void listsOfListsAreRead() throws IOException {
    SchemaField field =
        field(
            0,
            "o",
            new LogicalType.List(false),
            field(
                1,
                "l",
                new LogicalType.List(false),
                field(2, "item", new LogicalType.Int(8, true))));
    column(lists(3, 1, 1, 3)); // one list, none, two
    column(lists(4, 2, 2 + 5, 4)); // [1, 2], null, [3, 4]
    column(bytes(1, 2, 3, 4));
    assertThat(read(field, 3, 0, 3)).containsExactly("[[1,2]]", "[]", "[null,[3,4]]");
    assertThat(read(field, 3, 2, 1)).containsExactly("[null,[3,4]]");
  }

  @Test
  void listsThatEndBeyondTheItemsAreCorrupt() throws IOException {
    column(lists(3, 2, 9));
    column(bytes(1, 2, 3));
    corrupt(
        list(false),
        2,
        2,
        "corrupt file a.lance at offset 0: end of a list of column 0 page 0: expected from 2 to 3,"
            + " found 5");
  }

  @Test
  void itemsThatNoListHoldsAreCorrupt() throws IOException {
    column(lists(3, 2), lists(1, 1));
    column(bytes(1, 2, 3, 4));
    corrupt(
        list(false),
        2,
        2,
        "corrupt file a.lance at offset 8: items before page 1 of column 0 page 1: expected 3, found"
            + " 2");
  }

  @Test
  void listsOfFarMoreItemsThanThereAreAreCorruptAndAllocateNothing() throws IOException {
    column(lists(Integer.MAX_VALUE - 1, Integer.MAX_VALUE - 1));
    column(bytes(1));
    corrupt(
        list(false), 1, 1, "corrupt file a.lance: rows of column 1: expected 2147483646, found 1");
  }

  @Test
  void aPageThatClaimsFarMoreItemsThanItsBytesIsCorruptAndAllocatesNothing() throws IOException {
    for (LogicalType type : List.of(new LogicalType.Int(8, true), new LogicalType.Utf8(true))) {
      columns.clear();
      column(lists(Integer.MAX_VALUE - 1, Integer.MAX_VALUE - 1));
      ArrayEncoding encoding =
          type instanceof LogicalType.Int
              ? flat(8, 0)
              : new ArrayEncoding.Binary(flat(64, 0), flat(8, 1), 0);
      column(page(Integer.MAX_VALUE - 1, encoding, new byte[8], new byte[8]));
      SchemaField field = field(0, "l", new LogicalType.List(false), field(1, "item", type));
      assertThatThrownBy(() -> read(field, 1, 0, 1))
          .isExactlyInstanceOf(CorruptFileException.class)
          .hasMessageContaining("buffer 0 of column 1 page 0: expected bytes [0 + ");
    }
    assertThat(allocator.getPeakMemoryAllocation()).isLessThan(256 << 20);
  }

  @Test
  void stringsThatAreListsOfBytesAreJoined() throws IOException {
    // "ab", null, "" | "cde", of which the bytes are in the next column
    column(lists(2, 2, 2 + 3, 2), lists(3, 3));
    column(bytes('a', 'b', 'c'), bytes('d', 'e'));
    SchemaField field = field(0, "s", new LogicalType.Utf8(false));
    List<String> all = List.of("\"ab\"", "null", "\"\"", "\"cde\"");
    for (int from = 0; from < 4; from++) {
      assertThat(read(field, 4, from, 4 - from)).isEqualTo(all.subList(from, 4));
    }
  }

  @Test
  void stringsWhoseBytesAreNoBytesAreCorrupt() throws IOException {
    column(lists(2, 2));
    column(page(2, new ArrayEncoding.AllNulls()));
    corrupt(
        field(0, "s", new LogicalType.Utf8(false)),
        1,
        1,
        "corrupt file a.lance: bytes of strings of column 1 page 0: expected 8 bits each, found"
            + " nulls");
  }

  @Test
  void anIndexPastTheDictionaryIsCorruptWithItsFileAndPlace() throws IOException {
    file.writeBytes(new byte[5]);
    column(
        page(
            3,
            new ArrayEncoding.Dictionary(flat(8, 0), flat(8, 1), 2),
            new byte[] {0, 1, 2},
            new byte[] {7, 8}));
    corrupt(
        field(
            0,
            "d",
            new LogicalType.Dictionary(
                new LogicalType.Int(8, true), new LogicalType.Int(8, false), false)),
        3,
        3,
        "corrupt file a.lance at offset 5: dictionary index of value 2 of column 0 page 0: expected"
            + " below 2, found 2");
  }

  @Test
  void aColumnOfOtherRowsThanItsFileIsCorrupt() throws IOException {
    column(bytes(1, 2), bytes(3));
    assertThatThrownBy(() -> open(field(0, "i", new LogicalType.Int(8, true)), 4))
        .isExactlyInstanceOf(CorruptFileException.class)
        .hasMessage("corrupt file a.lance: rows of column 0: expected 4, found 3");
  }

  @Test
  void lengthsThatOverflowAreCorrupt() throws IOException {
    PageMetadata huge = page(1L << 62, new ArrayEncoding.AllNulls());
    column(huge, huge, huge, huge);
    assertThatThrownBy(() -> open(field(0, "i", new LogicalType.Int(8, true)), 0))
        .isExactlyInstanceOf(CorruptFileException.class)
        .hasMessage(
            "corrupt file a.lance: values of column 0: expected below 2^63, found"
                + " 9223372036854775808 up to page 1");
  }

  @Test
  void structsHaveTheChildrenThatAreStored() throws IOException {
    SchemaField field =
        field(
            0,
            "s",
            new LogicalType.Struct(),
            field(1, "a", new LogicalType.Int(8, true)),
            field(9, "gone", new LogicalType.Int(8, true)));
    column(page(2, new ArrayEncoding.SimpleStruct()));
    column(bytes(1, 2));
    assertThat(read(field, 2, 0, 2))
        .isEqualTo(Arrays.asList("{\"a\":1,\"gone\":null}", "{\"a\":2,\"gone\":null}"));
  }
}
