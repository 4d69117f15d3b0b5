package io.github.lancecalcite.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.proto.Encodings20Proto;
import io.github.lancecalcite.format.proto.File2Proto;
import io.github.lancecalcite.io.BytesReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileMetadataReaderTest {
  private static final String ARRAY = "/lance.encodings.ArrayEncoding";
  private static final Encodings20Proto.ArrayEncoding NULLS =
      Encodings20Proto.ArrayEncoding.newBuilder()
          .setNullable(
              Encodings20Proto.Nullable.newBuilder()
                  .setAllNulls(Encodings20Proto.Nullable.AllNulls.getDefaultInstance()))
          .build();

  private static FileMetadata read(byte[] bytes) throws IOException {
    return FileMetadataReader.read(new BytesReader("a.lance", bytes));
  }

  private static void corrupt(byte[] bytes, String message) {
    assertThatThrownBy(() -> read(bytes))
        .isExactlyInstanceOf(CorruptFileException.class)
        .hasMessage(message);
  }

  private static void unsupported(byte[] bytes, String message) {
    assertThatThrownBy(() -> read(bytes))
        .isExactlyInstanceOf(UnsupportedFormatException.class)
        .hasMessage(message);
  }

  private static DataFileBytes file() {
    return new DataFileBytes(new byte[10]).rows(7);
  }

  private static byte[] fixture(String name) throws IOException {
    try (Stream<Path> files = Files.list(Fixtures.dataset(name).resolve("data"))) {
      return Files.readAllBytes(files.sorted().findFirst().get());
    }
  }

  @Test
  void aWholeFileIsReadAsItWasWritten() throws IOException {
    byte[] bytes =
        file()
            .column(DataFileBytes.page(ARRAY, NULLS).addBufferOffsets(3).addBufferSizes(7).build())
            .column(File2Proto.ColumnMetadata.getDefaultInstance())
            .build();
    FileMetadata metadata = read(bytes);
    assertThat(metadata.path()).isEqualTo("a.lance");
    assertThat(metadata.version()).isEqualTo(FileVersion.V2_0);
    assertThat(metadata.rows()).isEqualTo(7);
    assertThat(metadata.columns()).hasSize(2);
    PageMetadata page = metadata.columns().get(0).pages().get(0);
    assertThat(page.buffers()).containsExactly(new BufferLocation(3, 7));
    assertThat(page.length()).isEqualTo(1);
    assertThat(page.encoding()).isEqualTo(new ArrayEncoding.AllNulls());
    assertThat(metadata.columns().get(0).blob()).isFalse();
    assertThat(metadata.columns().get(1).pages()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0, 3, 2.0", "2, 0, 2.0", "2, 1, 2.1", "2, 2, 2.2", "2, 3, 2.3"})
  void footersOfReleasedVersionsAreRead(int major, int minor, String version) throws IOException {
    DataFileBytes file = file();
    file.major = major;
    file.minor = minor;
    assertThat(read(file.build()).version()).hasToString(version);
  }

  @Test
  void aBlobColumnIsMarked() throws IOException {
    File2Proto.ColumnEncoding blob =
        File2Proto.ColumnEncoding.newBuilder()
            .setBlob(File2Proto.ColumnEncoding.Blob.getDefaultInstance())
            .build();
    byte[] bytes =
        file()
            .column(
                File2Proto.ColumnMetadata.newBuilder()
                    .setEncoding(DataFileBytes.direct("/lance.encodings.ColumnEncoding", blob))
                    .build())
            .build();
    assertThat(read(bytes).columns().get(0).blob()).isTrue();
  }

  @Test
  void zoneIndexColumnsAreRefused() {
    File2Proto.ColumnEncoding zones =
        File2Proto.ColumnEncoding.newBuilder()
            .setZoneIndex(File2Proto.ColumnEncoding.ZoneIndex.getDefaultInstance())
            .build();
    unsupported(
        file()
            .column(
                File2Proto.ColumnMetadata.newBuilder()
                    .setEncoding(DataFileBytes.direct("/lance.encodings.ColumnEncoding", zones))
                    .build())
            .build(),
        "unsupported encoding of column 0 in a.lance: found zone index, supported values, blob");
  }

  @Test
  void aFileWithoutMagicIsCorrupt() {
    byte[] bytes = file().build();
    bytes[bytes.length - 1] = 'K';
    corrupt(
        bytes,
        "corrupt file a.lance at offset "
            + (bytes.length - 4)
            + ": magic: expected LANC, found 0x4c414e4b");
  }

  @Test
  void aFileShorterThanAFooterIsCorrupt() {
    corrupt(
        new byte[39],
        "corrupt file a.lance at offset 0: file size: expected at least 40 bytes, found 39");
    corrupt(
        new byte[0],
        "corrupt file a.lance at offset 0: file size: expected at least 40 bytes, found 0");
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 39, 4000})
  void legacyFilesAreRefusedWithAdvice(int size) {
    byte[] bytes = new byte[size];
    byte[] end = {0, 0, 2, 0, 'L', 'A', 'N', 'C'};
    System.arraycopy(end, 0, bytes, size - 8, 8);
    unsupported(
        bytes,
        "unsupported data file version in a.lance: found 0.2 (legacy), supported 2.0 to 2.3; rewrite"
            + " the dataset with a current Lance and data storage version 2.0 or later");
  }

  @Test
  void aRealLegacyFileIsRefused() {
    assertThatThrownBy(() -> read(fixture("legacy_01")))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("(legacy)");
  }

  @ParameterizedTest
  @CsvSource({"2, 4, 2.4", "3, 0, 3.0", "1, 0, 1.0", "65535, 65535, 65535.65535"})
  void newerVersionsAreRefused(int major, int minor, String found) {
    DataFileBytes file = file();
    file.major = major;
    file.minor = minor;
    unsupported(
        file.build(),
        "unsupported data file version in a.lance: found " + found + ", supported 2.0 to 2.3");
  }

  @Test
  void aLyingCountOfColumnsIsCorruptAndAllocatesNothing() {
    DataFileBytes file = file();
    file.columnCount = 0xffffffffL;
    byte[] bytes = file.build();
    corrupt(
        bytes,
        "corrupt file a.lance at offset "
            + (bytes.length - 40)
            + ": column table: expected a range within "
            + bytes.length
            + " bytes, found ["
            + (bytes.length - 56)
            + " + 68719476720)");
  }

  @Test
  void aLyingCountOfGlobalBuffersIsCorruptAndAllocatesNothing() {
    DataFileBytes file = file();
    file.globalCount = 0xffffffffL;
    assertThatThrownBy(() -> read(file.build()))
        .isExactlyInstanceOf(CorruptFileException.class)
        .hasMessageContaining("global buffer table: expected a range within");
  }

  @Test
  void aFileWithoutDescriptorIsCorrupt() {
    byte[] bytes = new DataFileBytes(new byte[0]).build();
    corrupt(
        bytes, "corrupt file a.lance at offset 24: global buffers: expected at least 1, found 0");
  }

  @ParameterizedTest
  @CsvSource({"9223372036854775807, 1", "-1, 1", "1, -1", "0, 9223372036854775807", "0, 4000"})
  void rangesOutsideTheFileAreCorruptEvenIfTheyOverflow(long position, long size) {
    byte[] bytes = file().columnAt(position, size).build();
    corrupt(
        bytes,
        "corrupt file a.lance at offset 12: column table entry 0: expected a range within "
            + bytes.length
            + " bytes, found ["
            + Long.toUnsignedString(position)
            + " + "
            + Long.toUnsignedString(size)
            + ")");
    byte[] page =
        file()
            .column(
                DataFileBytes.page(ARRAY, NULLS)
                    .addBufferOffsets(position)
                    .addBufferSizes(size)
                    .build())
            .build();
    assertThatThrownBy(() -> read(page))
        .isExactlyInstanceOf(CorruptFileException.class)
        .hasMessageContaining(
            "buffer 0 of column 0 page 0: expected a range within " + page.length + " bytes");
  }

  @Test
  void columnsThatShareTheirMetadataAreCorrupt() {
    DataFileBytes file = file();
    for (int i = 0; i < 100_000; i++) {
      file.columnAt(0, 1_000_000);
    }
    assertThatThrownBy(() -> read(file.build()))
        .isExactlyInstanceOf(CorruptFileException.class)
        .hasMessageContaining("column table up to entry 1: expected at most");
  }

  @Test
  void buffersWithoutSizesAreCorrupt() {
    byte[] bytes =
        file().column(DataFileBytes.page(ARRAY, NULLS).addBufferOffsets(1).build()).build();
    corrupt(
        bytes,
        "corrupt file a.lance at offset 12: buffers of column 0 page 0: expected 1 sizes, one per"
            + " offset, found 0");
  }

  @Test
  void negativeLengthsAreCorrupt() {
    corrupt(
        file().column(DataFileBytes.page(ARRAY, NULLS).setLength(-1).build()).build(),
        "corrupt file a.lance at offset 12: length of column 0 page 0: expected below 2^63, found"
            + " 18446744073709551615");
    corrupt(
        new DataFileBytes(new byte[0]).rows(-2).build(),
        "corrupt file a.lance at offset 0: rows of the file: expected below 2^63, found"
            + " 18446744073709551614");
  }

  @Test
  void indirectEncodingsAreRefused() {
    File2Proto.StoredEncoding indirect =
        File2Proto.StoredEncoding.newBuilder()
            .setIndirect(File2Proto.StoredEncoding.Indirect.getDefaultInstance())
            .build();
    unsupported(
        file().column(DataFileBytes.page(ARRAY, NULLS).setEncoding(indirect).build()).build(),
        "unsupported encoding of column 0 page 0 in a.lance: found indirect, supported direct");
    unsupported(
        file().column(File2Proto.ColumnMetadata.newBuilder().setEncoding(indirect).build()).build(),
        "unsupported encoding of column 0 in a.lance: found indirect, supported direct");
  }

  @Test
  void aPageWithoutEncodingIsCorrupt() {
    corrupt(
        file().column(File2Proto.ColumnMetadata.Page.getDefaultInstance()).build(),
        "corrupt file a.lance at offset 12: encoding of column 0 page 0: expected an encoding, found"
            + " none");
  }

  @Test
  void encodingsOfUnknownTypeAreRefused() {
    unsupported(
        file().column(DataFileBytes.page("/lance.encodings9.X", NULLS).build()).build(),
        "unsupported encoding of column 0 page 0 in a.lance: found /lance.encodings9.X, supported"
            + " /lance.encodings.ArrayEncoding, /lance.encodings21.PageLayout");
  }

  @Test
  void metadataBeforeTheEndThatIsReadAtOnceIsRead() throws IOException {
    byte[] small = file().column(DataFileBytes.page(ARRAY, NULLS).build()).build();
    DataFileBytes far = file().column(DataFileBytes.page(ARRAY, NULLS).build());
    far.global(new byte[200_000]); // pushes descriptor and column 100 KiB away from the tail
    assertThat(read(far.build()).columns()).isEqualTo(read(small).columns());
  }

  @ParameterizedTest
  @ValueSource(strings = {"enc_ints_20", "types_nested_20", "enc_ints_21", "dict_22"})
  void aFileCutAnywhereInItsLastBytesIsCorrupt(String name) throws IOException {
    byte[] good = fixture(name);
    for (int size = Math.max(0, good.length - 4096); size < good.length; size++) {
      byte[] cut = Arrays.copyOf(good, size);
      try {
        read(cut);
        fail("cut to " + size + " of " + good.length);
      } catch (CorruptFileException | UnsupportedFormatException e) {
        assertThat(e).hasMessageContaining("a.lance");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"enc_ints_20", "types_nested_20", "enc_ints_21", "dict_22"})
  void anyFlippedBitOfTheMetadataIsReadOrRefused(String name) throws IOException {
    byte[] good = fixture(name);
    FileMetadata whole = read(good);
    long end =
        whole.columns().stream()
            .flatMap(column -> column.pages().stream())
            .flatMap(page -> page.buffers().stream())
            .mapToLong(buffer -> buffer.offset() + buffer.size())
            .max()
            .orElse(0);
    int refused = 0;
    int from = Math.max((int) end, good.length - 16_384);
    for (int bit = from * 8; bit < good.length * 8; bit++) {
      good[bit >> 3] ^= (byte) (1 << (bit & 7));
      try {
        assertThat(read(good).path()).isEqualTo("a.lance");
      } catch (CorruptFileException | UnsupportedFormatException e) {
        refused++;
      } catch (RuntimeException | Error e) {
        fail("bit " + bit + " of " + name, e);
      }
      good[bit >> 3] ^= (byte) (1 << (bit & 7));
    }
    assertThat(refused).isGreaterThan(300);
    assertThat(read(good)).usingRecursiveComparison().isEqualTo(whole);
  }
}
