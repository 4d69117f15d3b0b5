package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.encoding.Bytes;
import io.github.lancecalcite.encoding.FastLanesOracle;
import io.github.lancecalcite.encoding.ValueBlock;
import io.github.lancecalcite.format.ArrayEncoding;
import io.github.lancecalcite.format.ArrayEncoding.Buffer;
import io.github.lancecalcite.format.BufferLocation;
import io.github.lancecalcite.format.PageMetadata;
import io.github.lancecalcite.io.BytesReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages made by hand, byte by byte as the format says. */
class Array20PageTest {
  private static final LeafShape INT = fixed(32);
  private static final LeafShape STRING =
      new LeafShape(LeafShape.Kind.VARIABLE, 0, List.of(), false);

  private static LeafShape fixed(int bits) {
    return new LeafShape(LeafShape.Kind.FIXED, bits, List.of(), false);
  }

  private static Buffer buffer(int index) {
    return new Buffer(index, Buffer.Kind.PAGE);
  }

  private static ArrayEncoding.Flat flat(int bits, int index) {
    return new ArrayEncoding.Flat(bits, buffer(index), null);
  }

  /** A page over buffers that lie in a file with other bytes between them. */
  private static Array20Page page(LeafShape shape, boolean arrowDictionary, byte[]... buffers) {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    List<BufferLocation> locations = new ArrayList<>();
    for (byte[] bytes : buffers) {
      file.writeBytes(new byte[] {0x48, 0x48, 0x48});
      locations.add(new BufferLocation(file.size(), bytes.length));
      file.writeBytes(bytes);
    }
    PageMetadata metadata =
        new PageMetadata(locations, 0, new ArrayEncoding.AllNulls()); // the test passes the node
    return new Array20Page(
        new PageBytes(new BytesReader("a.lance", file.toByteArray()), metadata, "column 0 page 0"),
        shape,
        arrowDictionary);
  }

  private static boolean valid(Decoded20 decoded, int i) {
    Bytes bits = decoded.validity();
    return decoded.values() != null && (bits == null || (bits.u8(i >>> 3) >>> (i & 7) & 1) != 0);
  }

  /** Fixed-width values, sign-extended, null for nulls. */
  private static List<Long> numbers(Decoded20 decoded, int count) {
    List<Long> numbers = new ArrayList<>();
    ValueBlock block = decoded.values();
    for (int i = 0; i < count; i++) {
      if (!valid(decoded, i)) {
        numbers.add(null);
        continue;
      }
      int width = (int) block.bits / 8;
      byte[] big = new byte[width];
      for (int b = 0; b < width; b++) {
        big[width - 1 - b] = block.data[block.dataOffset + i * width + b];
      }
      numbers.add(new BigInteger(big).longValue());
    }
    return numbers;
  }

  private static List<String> strings(Decoded20 decoded, int count) {
    List<String> strings = new ArrayList<>();
    ValueBlock block = decoded.values();
    for (int i = 0; i < count; i++) {
      strings.add(
          !valid(decoded, i)
              ? null
              : new String(
                  block.data,
                  block.offsets[i],
                  block.offsets[i + 1] - block.offsets[i],
                  StandardCharsets.UTF_8));
    }
    return strings;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] longs(long... values) {
    byte[] bytes = new byte[values.length * 8];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (values[i / 8] >>> (8 * (i % 8)));
    }
    return bytes;
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  @ParameterizedTest
  @CsvSource({"3, 8", "5, 16", "11, 32", "17, 32", "33, 64", "64, 64", "1, 8", "32, 32"})
  void bitPackedValuesAreReadFromAnyStart(int bits, int width) throws IOException {
    Random random = new Random(bits);
    long[] values = random.longs(50, 0, bits == 64 ? Long.MAX_VALUE : 1L << (bits - 1)).toArray();
    for (int i = 0; i < values.length; i += 3) {
      values[i] = -values[i] - 1; // fits in as many bits, with the sign
    }
    byte[] packed = new byte[(values.length * bits + 7) / 8];
    for (int i = 0; i < values.length * bits; i++) {
      if ((values[i / bits] >>> (i % bits) & 1) != 0) {
        packed[i / 8] |= (byte) (1 << (i % 8));
      }
    }
    for (boolean signed : new boolean[] {true, false}) {
      ArrayEncoding node = new ArrayEncoding.Bitpacked(bits, width, buffer(0), signed);
      for (int from = 0; from < values.length; from++) {
        int count = Math.min(values.length - from, 1 + from % 9);
        List<Long> expected = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
          long unsigned = bits == 64 ? values[i] : values[i] & (1L << bits) - 1;
          int unused = 64 - width; // numbers() extends the sign of the unpacked width
          expected.add(signed ? values[i] : unsigned << unused >> unused);
        }
        Array20Page page = page(fixed(width), false, packed);
        assertThat(numbers(page.decode(node, from, count), count))
            .as("%s from %d, signed %s", node, from, signed)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void bitPackedWidthsThatCannotBeAreRefused() {
    for (long[] widths : new long[][] {{0, 8}, {9, 8}, {3, 24}, {65, 64}, {-1, 64}, {3, 0}}) {
      for (ArrayEncoding node :
          List.of(
              new ArrayEncoding.Bitpacked(widths[0], widths[1], buffer(0), false),
              new ArrayEncoding.BitpackedForNonNeg(widths[0], widths[1], buffer(0)))) {
        assertThatThrownBy(() -> page(INT, false, new byte[4096]).decode(node, 0, 1))
            .as(node.toString())
            .isInstanceOf(DecodeException.class)
            .hasMessageStartingWith(
                "widths of packed values: expected 1 ≤ packed ≤ 8, 16, 32 or 64");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 2048", "1, 1", "1020, 10", "1024, 5", "1500, 548", "1023, 1", "2047, 1"})
  void fastLanesValuesAreReadFromAnyBlock(int from, int count) throws IOException {
    for (int[] widths : new int[][] {{3, 8}, {9, 16}, {13, 32}, {32, 32}, {40, 64}}) {
      long mask = -1L >>> (64 - widths[0] + 1); // the highest bit 0: the sign of the width, too
      long[] values = new Random(1).longs(2048).map(v -> v & mask).toArray();
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      for (int block = 0; block < 2; block++) {
        long[] part = Arrays.copyOfRange(values, block * 1024, (block + 1) * 1024);
        packed.writeBytes(FastLanesOracle.pack(part, widths[1], widths[0]));
      }
      ArrayEncoding node = new ArrayEncoding.BitpackedForNonNeg(widths[0], widths[1], buffer(0));
      Array20Page page = page(fixed(widths[1]), false, packed.toByteArray());
      assertThat(numbers(page.decode(node, from, count), count))
          .isEqualTo(Arrays.stream(values).skip(from).limit(count).boxed().toList());
    }
  }

  @Test
  void flatBoolsAreReadFromAnyBit() throws IOException {
    Random random = new Random(5);
    byte[] bits = new byte[9];
    random.nextBytes(bits);
    for (int from = 0; from < 70; from++) {
      for (int count = 1; from + count <= 72; count += 5) {
        Decoded20 decoded = page(fixed(1), false, bits).decode(flat(1, 0), from, count);
        ValueBlock block = decoded.values();
        for (int i = 0; i < count; i++) {
          int at = from + i;
          assertThat(block.data[block.dataOffset + i / 8] >>> (i % 8) & 1)
              .as("bit %d, read from %d", at, from)
              .isEqualTo(bits[at / 8] >>> (at % 8) & 1);
        }
      }
    }
  }

  @Test
  void flatWidthsThatAreNoWholeBytesAreRefused() {
    assertThatThrownBy(() -> page(INT, false, new byte[99]).decode(flat(12, 0), 0, 1))
        .isExactlyInstanceOf(UnsupportedFormatException.class)
        .hasMessage(
            "unsupported flat width of column 0 page 0 in a.lance: found 12, supported 1 or whole"
                + " bytes");
  }

  @Test
  void aRangeBeyondTheBufferIsCorrupt() {
    assertThatThrownBy(() -> page(INT, false, new byte[39]).decode(flat(32, 0), 5, 5))
        .isExactlyInstanceOf(CorruptFileException.class)
        .hasMessage(
            "corrupt file a.lance at offset 3: buffer 0 of column 0 page 0: expected bytes [20 +"
                + " 20), found 39 bytes");
  }

  @Test
  void buffersThatAreNotThePagesAreRefused() {
    ArrayEncoding node = new ArrayEncoding.Flat(32, new Buffer(0, Buffer.Kind.COLUMN), null);
    assertThatThrownBy(() -> page(INT, false, new byte[39]).decode(node, 0, 1))
        .isExactlyInstanceOf(UnsupportedFormatException.class)
        .hasMessage(
            "unsupported buffer of column 0 page 0 in a.lance: found COLUMN, supported buffers of"
                + " the page");
  }

  @Test
  void fixedSizeBinariesAreStringsOrValues() throws IOException {
    ArrayEncoding node = new ArrayEncoding.FixedSizeBinary(flat(8, 0), 3);
    byte[] data = ascii("onetwosixten");
    assertThat(strings(page(STRING, false, data).decode(node, 1, 3), 3))
        .containsExactly("two", "six", "ten");
    Decoded20 values = page(fixed(24), false, data).decode(node, 2, 1);
    assertThat(values.values().bits).isEqualTo(24);
    assertThat(values.values().data).isEqualTo(ascii("six"));
  }

  @Test
  void fixedSizeBinariesOfNoWidthAreRefused() {
    ArrayEncoding items = new ArrayEncoding.FixedSizeBinary(flat(8, 0), 0);
    ArrayEncoding node = new ArrayEncoding.Dictionary(flat(8, 0), items, Integer.MAX_VALUE);
    assertThatThrownBy(() -> page(STRING, false, new byte[9]).decode(node, 0, 1))
        .isInstanceOf(DecodeException.class)
        .hasMessage("width of fixed-size binary values: expected at least 1, found 0");
  }

  // values: "ab", null, "", "cde", null, null, "f"; 6 bytes, so that the adjustment is 7
  private static final byte[] ENDS = longs(2, 9, 2, 5, 12, 12, 6);
  private static final List<String> STRINGS = Arrays.asList("ab", null, "", "cde", null, null, "f");
  private static final ArrayEncoding BINARY =
      new ArrayEncoding.Binary(new ArrayEncoding.NoNulls(flat(64, 0)), flat(8, 1), 7);

  @Test
  void binariesWithNullsAreReadFromAnyStart() throws IOException {
    for (int from = 0; from < 7; from++) {
      for (int count = 1; from + count <= 7; count++) {
        Array20Page page = page(STRING, false, ENDS, ascii("abcdef"));
        assertThat(strings(page.decode(BINARY, from, count), count))
            .as("from %d", from)
            .isEqualTo(STRINGS.subList(from, from + count));
      }
    }
  }

  @Test
  void endsThatGoBackAreCorrupt() {
    ArrayEncoding node = new ArrayEncoding.Binary(flat(64, 0), flat(8, 1), 0);
    assertThatThrownBy(() -> page(STRING, false, longs(2, 1), ascii("abcdef")).decode(node, 0, 2))
        .isInstanceOf(DecodeException.class)
        .hasMessage("end of value 1: expected at least 2, found 1");
    assertThatThrownBy(() -> page(STRING, false, longs(2, 7), ascii("abcdef")).decode(node, 0, 2))
        .isExactlyInstanceOf(CorruptFileException.class)
        .hasMessageContaining("buffer 1 of column 0 page 0: expected bytes [0 + 7), found 6 bytes");
  }

  @Test
  void indexZeroOfAStringDictionaryIsNull() throws IOException {
    ArrayEncoding items = new ArrayEncoding.Binary(flat(64, 1), flat(8, 2), 7);
    ArrayEncoding node = new ArrayEncoding.Dictionary(flat(8, 0), items, 3);
    Array20Page page =
        page(STRING, false, bytes(3, 0, 1, 1, 2, 0), longs(1, 3, 6), ascii("abbccc"));
    assertThat(strings(page.decode(node, 0, 6), 6))
        .containsExactly("ccc", null, "a", "a", "bb", null);
    assertThat(strings(page.decode(node, 4, 2), 2)).containsExactly("bb", null);
  }

  @Test
  void nullsOfAnArrowDictionaryPointAtItsNullItem() throws IOException {
    // items "a", null, "bb"; 3 bytes, so that the adjustment is 4
    ArrayEncoding items = new ArrayEncoding.Binary(flat(64, 1), flat(8, 2), 4);
    ArrayEncoding node = new ArrayEncoding.Dictionary(flat(16, 0), items, 3);
    Array20Page page =
        page(STRING, true, bytes(2, 0, 1, 0, 0, 0, 2, 0), longs(1, 5, 3), ascii("abb"));
    assertThat(strings(page.decode(node, 0, 4), 4)).containsExactly("bb", null, "a", "bb");
  }

  @Test
  void dictionariesOfNumbersAreLookedUp() throws IOException {
    ArrayEncoding node =
        new ArrayEncoding.Dictionary(
            flat(8, 0), new ArrayEncoding.SomeNulls(flat(1, 1), flat(32, 2)), 2);
    Array20Page page = page(INT, true, bytes(1, 0, 1), bytes(1), bytes(9, 0, 0, 0, 7, 7, 7, 7));
    assertThat(numbers(page.decode(node, 0, 3), 3)).containsExactly(null, 9L, null);
  }

  @Test
  void aDictionaryOfNothingButNullsIsNull() throws IOException {
    ArrayEncoding node = new ArrayEncoding.Dictionary(flat(8, 0), new ArrayEncoding.AllNulls(), 1);
    assertThat(page(STRING, true, bytes(0, 0)).decode(node, 0, 2).values()).isNull();
  }

  @Test
  void anIndexPastTheDictionaryIsCorrupt() {
    ArrayEncoding items = new ArrayEncoding.Binary(flat(64, 1), flat(8, 2), 0);
    ArrayEncoding node = new ArrayEncoding.Dictionary(flat(8, 0), items, 2);
    byte[][] buffers = {bytes(1, 2, 3), longs(1, 2), ascii("ab")};
    assertThatThrownBy(() -> page(STRING, false, buffers).decode(node, 1, 2))
        .isInstanceOf(DecodeException.class)
        .hasMessage("dictionary index of value 2: expected below 2, found 2");
    assertThatThrownBy(() -> page(STRING, true, buffers).decode(node, 0, 3))
        .isInstanceOf(DecodeException.class)
        .hasMessage("dictionary index of value 1: expected below 2, found 2");
  }

  @Test
  void nullsHaveASlotBesideTheirValidity() throws IOException {
    ArrayEncoding node = new ArrayEncoding.SomeNulls(flat(1, 0), flat(16, 1));
    Array20Page page = page(fixed(16), false, bytes(0b101), bytes(1, 0, 2, 0, 0xff, 0xff));
    assertThat(numbers(page.decode(node, 0, 3), 3)).containsExactly(1L, null, -1L);
    assertThat(numbers(page.decode(node, 1, 2), 2)).containsExactly(null, -1L);
    assertThat(page.decode(new ArrayEncoding.AllNulls(), 5, 1)).isSameAs(Decoded20.ALL_NULL);
  }

  @Test
  void listsOfFixedSizeKeepTheValidityOfTheirItems() throws IOException {
    LeafShape shape = new LeafShape(LeafShape.Kind.FIXED, 8, List.of(2), false);
    ArrayEncoding node =
        new ArrayEncoding.FixedSizeList(
            2, new ArrayEncoding.SomeNulls(flat(1, 0), flat(8, 1)), false);
    Array20Page page = page(shape, false, bytes(0b011011), bytes(1, 2, 3, 4, 5, 6));
    ValueBlock block = page.decode(node, 1, 2).values();
    assertThat(block.bits).isEqualTo(16);
    assertThat(Arrays.copyOfRange(block.data, block.dataOffset, block.dataOffset + 4))
        .containsExactly(3, 4, 5, 6);
    assertThat(block.itemValidity).hasSize(1);
    assertThat(block.itemValidity[0].u8(0) & 0xf).isEqualTo(0b0110);
  }

  @Test
  void aListLongerThanItsTypeIsRefusedBeforeItsItemsAreAllocated() {
    LeafShape shape = new LeafShape(LeafShape.Kind.FIXED, 32, List.of(2), false);
    ArrayEncoding node =
        new ArrayEncoding.FixedSizeList(Integer.MAX_VALUE, new ArrayEncoding.AllNulls(), false);
    assertThatThrownBy(() -> page(shape, false).decode(node, 0, 1))
        .isInstanceOf(DecodeException.class)
        .hasMessage("items of a fixed-size list: expected at most 64, found 2147483647");
  }

  @Test
  void nodesThatAreNoLeafAreRefusedByName() {
    assertThatThrownBy(() -> page(INT, false).decode(new ArrayEncoding.SimpleStruct(), 0, 1))
        .isExactlyInstanceOf(UnsupportedFormatException.class)
        .hasMessage(
            "unsupported array encoding of column 0 page 0 in a.lance: found SimpleStruct,"
                + " supported a leaf's encoding");
  }
}
