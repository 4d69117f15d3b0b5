package io.github.lancecalcite.dataset;

import static io.github.lancecalcite.dataset.SyntheticFile20.buffer;
import static io.github.lancecalcite.dataset.SyntheticFile20.field;
import static io.github.lancecalcite.dataset.SyntheticFile20.flat;
import static io.github.lancecalcite.dataset.SyntheticFile20.ints;
import static io.github.lancecalcite.dataset.SyntheticFile20.longs;
import static io.github.lancecalcite.dataset.SyntheticFile20.noNulls;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.lancecalcite.format.ArrayEncoding;
import io.github.lancecalcite.format.LogicalType;
import io.github.lancecalcite.format.PageLayout;
import io.github.lancecalcite.format.PageLayout.Layer;
import io.github.lancecalcite.format.SchemaField;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.vector.FieldVector;
import org.junit.jupiter.api.Test;

/**
 * A few rows cost the bytes of the chunks and entries that hold them, and what says where these
 * are; not the column. Files are built by hand, so that each byte is known.
 */
class BytesReadTest extends SyntheticColumn21 {
  private static final int CHUNKS = 64;
  private static final int CHUNK_ROWS = 1024;

  /** A header of 8 bytes, and 4 for each value. */
  private static final int CHUNK_BYTES = 8 + 4 * CHUNK_ROWS;

  private static final List<Layer> VALID = List.of(Layer.ALL_VALID_ITEM);
  private static final LogicalType TEXT = new LogicalType.Utf8(false);
  private static final SchemaField NUMBERS = field(0, "x", INT32);
  private static final SchemaField STRINGS_FIELD = field(0, "x", TEXT);

  private interface Opener {
    ColumnReader open() throws IOException;
  }

  /** Bytes read for rows {@code [first, first + count)}, whose first and last value are checked. */
  private long cost(Opener opener, long first, int count, Object from, Object to)
      throws IOException {
    long before = file.bytesRead();
    try (ColumnReader reader = opener.open();
        FieldVector vector = reader.read(first, count)) {
      assertThat(String.valueOf(vector.getObject(0))).isEqualTo(String.valueOf(from));
      assertThat(String.valueOf(vector.getObject(count - 1))).isEqualTo(String.valueOf(to));
    }
    return file.bytesRead() - before;
  }

  private long cost21(SchemaField field, long rows, long first, int count, Object from, Object to)
      throws IOException {
    return cost(() -> Column21Reader.open(field, file, rows, allocator), first, count, from, to);
  }

  /** The words of chunks that all have the same size. */
  private static byte[] words(int chunks, int bytes, int log) {
    PageBuilder words = new PageBuilder();
    for (int i = 0; i < chunks; i++) {
      words.u16((bytes / 8 - 1) << 4 | (i == chunks - 1 ? 0 : log));
    }
    return words.array();
  }

  @Test
  void rowsOfMiniBlocksCostTheirChunks() throws IOException {
    PageBuilder chunks = new PageBuilder();
    for (int i = 0; i < CHUNKS; i++) {
      int start = i * CHUNK_ROWS;
      chunks.u16(0).u16(4 * CHUNK_ROWS).pad(8);
      chunks.bytes(ints(IntStream.range(start, start + CHUNK_ROWS).toArray()));
    }
    int rows = CHUNKS * CHUNK_ROWS;
    PageLayout layout = miniBlock(false, FLAT32, 0, rows, VALID);
    file.column().page(rows, layout, words(CHUNKS, CHUNK_BYTES, 10), chunks.array()).of(NUMBERS);

    int words = 2 * CHUNKS;
    assertThat(cost21(NUMBERS, rows, 40_000, 3, 40_000, 40_002)).isEqualTo(words + CHUNK_BYTES);
    int border = 40 * CHUNK_ROWS;
    assertThat(cost21(NUMBERS, rows, border - 1, 2, border - 1, border))
        .isEqualTo(words + 2 * CHUNK_BYTES);
    assertThat(cost21(NUMBERS, rows, 0, rows, 0, rows - 1))
        .isEqualTo(words + (long) CHUNKS * CHUNK_BYTES);
  }

  @Test
  void listsOfMiniBlocksCostTheirChunksAndTheRepetitionIndex() throws IOException {
    PageBuilder chunks = new PageBuilder();
    int count = 2 * CHUNKS; // more than a read of the words brings along
    long[] index = new long[2 * count];
    int lists = 64;
    int items = 4 * lists;
    for (int i = 0; i < count; i++) {
      int start = i * items;
      chunks.u16(items).u16(2 * items).u16(4 * items).pad(8);
      for (int k = 0; k < items; k++) {
        chunks.u16(k % 4 == 0 ? 1 : 0);
      }
      chunks.bytes(ints(IntStream.range(start, start + items).toArray()));
      index[2 * i] = lists;
    }
    int chunkBytes = 8 + 6 * items;
    int rows = count * lists;
    List<Layer> layers = List.of(Layer.ALL_VALID_ITEM, Layer.ALL_VALID_LIST);
    file.column()
        .page(
            rows,
            miniBlock(true, FLAT32, 1, 4L * rows, layers),
            words(count, chunkBytes, 8),
            chunks.array(),
            longs(index))
        .of(field(1, "item", INT32));

    SchemaField list = field(0, "x", LIST, field(1, "item", INT32));
    assertThat(cost21(list, rows, 2000, 2, "[8000,8001,8002,8003]", "[8004,8005,8006,8007]"))
        .isEqualTo((2 + 16) * count + chunkBytes);
  }

  @Test
  void rowsOfFullZipCostTheirEntries() throws IOException {
    int rows = 10_000;
    file.column()
        .page(
            rows, fullZip(0, 0, false, 32, FLAT32, VALID), ints(IntStream.range(0, rows).toArray()))
        .of(NUMBERS);

    assertThat(cost21(NUMBERS, rows, 5000, 10, 5000, 5009)).isEqualTo(40);
  }

  @Test
  void stringsOfFullZipCostTheirEntriesAndTheirPlacesInTheIndex() throws IOException {
    int rows = 1000;
    PageBuilder entries = new PageBuilder();
    PageBuilder index = new PageBuilder().u16(0);
    for (int i = 0; i < rows; i++) {
      entries.i32(text(i).length).bytes(text(i));
      index.u16(entries.size());
    }
    file.column()
        .page(rows, fullZip(0, 0, true, 32, STRINGS, VALID), entries.array(), index.array())
        .of(STRINGS_FIELD);

    assertThat(cost21(STRINGS_FIELD, rows, 700, 2, "value 700", "value 701"))
        .isEqualTo(3 * 2 + 2 * (4 + 9));
  }

  private static byte[] text(int row) {
    return ("value " + row).getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void constantsCostNothing() throws IOException {
    int rows = 1_000_000;
    PageLayout layout = new PageLayout.Constant(VALID, ints(7), null, null, 0, 0);
    file.column().page(rows, layout).of(NUMBERS);

    assertThat(cost21(NUMBERS, rows, 500_000, 1000, 7, 7)).isZero();
  }

  @Test
  void rowsOfOlderFilesCostTheirValues() throws IOException {
    int rows = 10_000;
    file.column()
        .page(rows, noNulls(flat(32, 0)), ints(IntStream.range(0, rows).toArray()))
        .of(NUMBERS);

    Opener opener = () -> Column20Reader.open(NUMBERS, file, rows, allocator);
    assertThat(cost(opener, 5000, 10, 5000, 5009)).isEqualTo(40);
  }

  @Test
  void stringsOfOlderFilesCostTheirBytesAndTheirEnds() throws IOException {
    int rows = 1000;
    long[] ends = new long[rows];
    PageBuilder bytes = new PageBuilder();
    for (int i = 0; i < rows; i++) {
      bytes.bytes(text(i));
      ends[i] = bytes.size();
    }
    ArrayEncoding strings =
        new ArrayEncoding.Binary(
            noNulls(new ArrayEncoding.Flat(64, buffer(0), null)), flat(8, 1), bytes.size() + 1L);
    file.column().page(rows, strings, longs(ends), bytes.array()).of(STRINGS_FIELD);

    Opener opener = () -> Column20Reader.open(STRINGS_FIELD, file, rows, allocator);
    assertThat(cost(opener, 700, 2, "value 700", "value 701")).isEqualTo(3 * 8 + 2 * 9);
    assertThat(Arrays.stream(ends).max().orElse(0)).isGreaterThan(8000);
  }
}
