package io.github.lancecalcite.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.proto.TableProto;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestReaderTest {
  @TempDir Path folder;

  @Test
  void everyFieldIsCarriedOver() throws IOException {
    TableProto.Manifest stored =
        ManifestFiles.small()
            .setVersion(7)
            .putSchemaMetadata("k", ByteString.copyFromUtf8("ü"))
            .setTimestamp(TableProto.Time.newBuilder().setSeconds(1700000000).setNanos(5))
            .setReaderFeatureFlags(16 | 32 | 4)
            .setWriterFeatureFlags(-1)
            .setNextRowId(-2)
            .setDataFormat(TableProto.DataFormat.newBuilder().setVersion("2.1"))
            .putConfig("c", "d")
            .putTableMetadata("e", "f")
            .addBasePaths(
                TableProto.BasePath.newBuilder()
                    .setId(0)
                    .setName("n")
                    .setIsDatasetRoot(true)
                    .setPath("/else"))
            .setBranch("dev")
            .setTransactionFile("t.txn")
            .build();
    Manifest manifest = read(stored);
    assertThat(manifest.version()).isEqualTo(7);
    assertThat(manifest.schemaMetadata()).containsEntry("k", "ü").hasSize(1);
    assertThat(manifest.timestamp()).isEqualTo(Instant.ofEpochSecond(1700000000, 5));
    assertThat(manifest.readerFeatureFlags()).isEqualTo(52);
    assertThat(manifest.writerFeatureFlags()).isEqualTo(-1);
    assertThat(manifest.writerVersion()).isEqualTo("lance 7.0.0");
    assertThat(manifest.nextRowId()).isEqualTo(-2);
    assertThat(manifest.dataStorageVersion()).isEqualTo("2.1");
    assertThat(manifest.config()).containsEntry("c", "d").hasSize(1);
    assertThat(manifest.tableMetadata()).containsEntry("e", "f").hasSize(1);
    assertThat(manifest.basePaths()).containsExactly(new BasePath(0, "n", true, "/else"));
    assertThat(manifest.branch()).isEqualTo("dev");
    assertThat(manifest.transactionFile()).isEqualTo("t.txn");
  }

  @Test
  void whatIsAbsentIsNullRatherThanEmpty() throws IOException {
    Manifest manifest = read(ManifestFiles.small().clearWriterVersion().build());
    assertThat(manifest.timestamp()).isNull();
    assertThat(manifest.writerVersion()).isNull();
    assertThat(manifest.dataStorageVersion()).isNull();
    assertThat(manifest.branch()).isNull();
    assertThat(manifest.transactionFile()).isNull();
    DataFragment fragment = manifest.fragments().get(0);
    assertThat(fragment.rowIds()).isNull();
    assertThat(fragment.lastUpdatedAt()).isNull();
    assertThat(fragment.createdAt()).isNull();
    assertThat(fragment.deletionFile()).isNull();
    assertThat(fragment.files().get(0).baseId()).isNull();
  }

  @Test
  void explicitBaseIdZeroIsAnId() throws IOException {
    TableProto.Manifest.Builder stored =
        ManifestFiles.small()
            .addBasePaths(TableProto.BasePath.newBuilder().setIsDatasetRoot(true).setPath("/b"));
    stored.getFragmentsBuilder(0).getFilesBuilder(0).setBaseId(0);
    stored
        .getFragmentsBuilder(0)
        .setDeletionFile(
            TableProto.DeletionFile.newBuilder()
                .setFileType(1)
                .setId(-1)
                .setReadVersion(3)
                .setBaseId(0));
    DataFragment fragment = read(stored.build()).fragments().get(0);
    assertThat(fragment.files().get(0).baseId()).isZero();
    DeletionFile deletions = fragment.deletionFile();
    assertThat(deletions).isNotNull();
    assertThat(deletions.baseId()).isZero();
    assertThat(deletions.path(4)).isEqualTo("_deletions/4-3-18446744073709551615.bin");
  }

  @Test
  void inlineAndExternalSequencesAreToldApart() throws IOException {
    ByteString bytes = ByteString.copyFrom(new byte[] {10, 0});
    TableProto.ExternalFile external =
        TableProto.ExternalFile.newBuilder().setPath("p").setOffset(3).setSize(4).build();
    TableProto.Manifest.Builder stored = ManifestFiles.small();
    stored
        .getFragmentsBuilder(0)
        .setInlineRowIds(bytes)
        .setExternalCreatedAt(external)
        .setInlineLastUpdatedAt(ByteString.EMPTY);
    DataFragment fragment = read(stored.build()).fragments().get(0);
    assertThat(fragment.rowIds())
        .isInstanceOfSatisfying(
            SequenceMetadata.Inline.class,
            inline -> assertThat(inline.bytes()).isEqualTo(bytes.toByteArray()));
    assertThat(fragment.createdAt()).isEqualTo(new SequenceMetadata.External("p", 3, 4));
    assertThat(fragment.lastUpdatedAt())
        .isInstanceOfSatisfying(
            SequenceMetadata.Inline.class, inline -> assertThat(inline.bytes()).isEmpty());
  }

  @Test
  void inlineSequencesKnowTheirBytesInTheFile() throws IOException {
    TableProto.Manifest.Builder stored = ManifestFiles.small();
    stored.addFragments(stored.getFragments(0));
    for (int i = 0; i < 2; i++) {
      stored
          .getFragmentsBuilder(i)
          .setInlineRowIds(ByteString.copyFromUtf8("ids of " + i))
          .setInlineCreatedAt(ByteString.copyFromUtf8("created " + i))
          .setInlineLastUpdatedAt(ByteString.copyFromUtf8("updated " + i));
    }
    byte[] file = ManifestFiles.bytes(stored.build());
    for (DataFragment fragment : ManifestFiles.read(folder, file).fragments()) {
      for (SequenceMetadata sequence :
          Arrays.asList(fragment.rowIds(), fragment.createdAt(), fragment.lastUpdatedAt())) {
        assertThat(sequence)
            .isInstanceOfSatisfying(
                SequenceMetadata.Inline.class,
                inline -> {
                  int at = (int) inline.manifestOffset();
                  assertThat(Arrays.copyOfRange(file, at, at + inline.bytes().length))
                      .isEqualTo(inline.bytes());
                });
      }
    }
  }

  @Test
  void unknownFieldsAreSkipped() throws IOException {
    UnknownFieldSet unknown =
        UnknownFieldSet.newBuilder()
            .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(1).addFixed32(2).build())
            .addField(
                100,
                UnknownFieldSet.Field.newBuilder()
                    .addLengthDelimited(ByteString.copyFromUtf8("x"))
                    .build())
            .build();
    TableProto.Manifest.Builder stored = ManifestFiles.small();
    Manifest plain = read(stored.build());
    stored.setUnknownFields(unknown);
    stored.getFieldsBuilder(0).setUnknownFields(unknown);
    stored.getFragmentsBuilder(0).setUnknownFields(unknown);
    stored.getFragmentsBuilder(0).getFilesBuilder(0).setUnknownFields(unknown);
    assertThat(read(stored.build())).isEqualTo(plain);
  }

  @Test
  void unknownReaderFlagsAreRefusedEachByName() {
    assertThatThrownBy(() -> read(flags(64 | 4096 | 2048 | Long.MIN_VALUE)))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessage(
            "unsupported reader feature flags in "
                + folder.resolve("x.manifest")
                + ": found 64 (data overlay files), 2048, 4096, 9223372036854775808, supported"
                + " flags 1, 2, 4, 8, 16 and 32");
    for (int bit = 6; bit < 64; bit++) {
      long flag = 1L << bit;
      assertThatThrownBy(() -> read(flags(flag)))
          .isInstanceOf(UnsupportedFormatException.class)
          .hasMessageContaining(Long.toUnsignedString(flag));
    }
  }

  @Test
  void stableRowIdsAskForASequenceInEveryFragment() throws IOException {
    assertCorrupt(
        stored -> stored.setReaderFeatureFlags(2),
        "row ids of fragment 0: expected a sequence, as feature flag 2 promises for every fragment,"
            + " found none");
    TableProto.Manifest.Builder stored = ManifestFiles.small().setReaderFeatureFlags(2);
    stored.getFragmentsBuilder(0).setInlineRowIds(ByteString.EMPTY);
    assertThat(read(stored.build()).hasStableRowIds()).isTrue();
  }

  @Test
  void contradictionsBetweenTheMessagesAreCorrupt() {
    assertCorrupt(stored -> stored.setVersion(0), "manifest version: expected a number from 1");
    assertCorrupt(
        stored -> stored.getFragmentsBuilder(0).setId(1L << 32),
        "fragment id: expected at most 4294967295, found 4294967296");
    assertCorrupt(
        stored -> stored.getFragmentsBuilder(0).setPhysicalRows(-1),
        "physical rows of fragment 0: expected at most 4294967296, found 18446744073709551615");
    assertCorrupt(
        stored -> stored.getFragmentsBuilder(0).getFilesBuilder(0).addFields(3),
        "column indices of data file a.lance: expected 2, one for each field, found 1");
    assertCorrupt(
        stored -> stored.getFragmentsBuilder(0).getFilesBuilder(0).setBaseId(1),
        "base id of a file of fragment 0: expected one of [], found 1");
    assertCorrupt(
        stored ->
            stored
                .addBasePaths(TableProto.BasePath.newBuilder().setId(5))
                .addBasePaths(TableProto.BasePath.newBuilder().setId(5)),
        "base paths: expected each id once, found id 5 twice");
    assertCorrupt(
        stored ->
            stored
                .addBasePaths(TableProto.BasePath.newBuilder().setId(5))
                .getFragmentsBuilder(0)
                .setDeletionFile(TableProto.DeletionFile.newBuilder().setBaseId(5)),
        "base id of a file of fragment 0: expected one of [], found 5");
    assertCorrupt(
        stored ->
            stored
                .getFragmentsBuilder(0)
                .setExternalRowIds(TableProto.ExternalFile.newBuilder().setOffset(-1)),
        "range of external file");
    assertCorrupt(
        stored ->
            stored
                .getFragmentsBuilder(0)
                .setDeletionFile(TableProto.DeletionFile.newBuilder().setNumDeletedRows(11)),
        "deleted rows of fragment 0: expected at most 10, found 11");
    assertCorrupt(
        stored -> stored.setTimestamp(TableProto.Time.newBuilder().setSeconds(Long.MAX_VALUE)),
        "manifest timestamp");
  }

  @Test
  void twoFragmentsMayShareAnIdAsOldReleasesWroteThem() throws IOException {
    TableProto.Manifest.Builder stored = ManifestFiles.small();
    stored.addFragments(stored.getFragments(0));
    assertThat(read(stored.build()).fragments()).hasSize(2);
  }

  @Test
  void fileNamesThatLeaveTheDataFolderAreCorrupt() {
    for (String name : new String[] {"", "/etc/passwd", "../x", "a/../../x", "a\\..\\x", "\\x"}) {
      assertCorrupt(
          stored -> stored.getFragmentsBuilder(0).getFilesBuilder(0).setPath(name),
          "file name in fragment 0: expected a name below the data folder, found '" + name + "'");
    }
  }

  @Test
  void unknownDeletionFileTypeIsRefused() {
    TableProto.Manifest.Builder stored = ManifestFiles.small();
    stored
        .getFragmentsBuilder(0)
        .setDeletionFile(TableProto.DeletionFile.newBuilder().setFileType(2));
    assertThatThrownBy(() -> read(stored.build()))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("deletion file type of fragment 0")
        .hasMessageContaining("found 2");
  }

  @Test
  void tailFaultsNameTheirOffset() {
    byte[] whole = ManifestFiles.bytes(ManifestFiles.small().build());
    int size = whole.length;
    assertTail(new byte[19], "manifest size: expected at least 20 bytes, found 19 bytes");
    assertTail(
        patched(whole, size - 1, (byte) 'D'),
        "at offset " + (size - 4) + ": manifest magic: expected 4c414e43 (LANC), found 4c414e44");
    byte[] position =
        ByteBuffer.wrap(whole.clone())
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(size - 16, -1)
            .array();
    assertTail(
        position,
        "at offset "
            + (size - 16)
            + ": manifest position: expected at most "
            + (size - 20)
            + ", found 18446744073709551615");
    assertTail(
        patched(whole, 7, (byte) (whole[7] + 1)),
        "at offset 7: manifest length: expected " + (size - 27) + ", found " + (size - 26));
  }

  private void assertTail(byte[] bytes, String message) {
    assertThatThrownBy(() -> ManifestFiles.read(folder, bytes))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining(message);
  }

  private static byte[] patched(byte[] whole, int at, byte value) {
    byte[] bytes = whole.clone();
    bytes[at] = value;
    return bytes;
  }

  private void assertCorrupt(Consumer<TableProto.Manifest.Builder> damage, String message) {
    TableProto.Manifest.Builder stored = ManifestFiles.small();
    damage.accept(stored);
    ThrowingCallable reading = () -> read(stored.build());
    assertThatThrownBy(reading)
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith("corrupt file " + folder.resolve("x.manifest") + " at offset 11: ")
        .hasMessageContaining(message);
  }

  private static TableProto.Manifest flags(long readerFlags) {
    return ManifestFiles.small().setReaderFeatureFlags(readerFlags).build();
  }

  private Manifest read(TableProto.Manifest stored) throws IOException {
    return ManifestFiles.read(folder, stored);
  }
}
