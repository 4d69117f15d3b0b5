package io.github.lancecalcite.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.format.proto.TableProto;
import io.github.lancecalcite.io.LocalFile;
import io.github.lancecalcite.io.LocalStorage;
import io.github.lancecalcite.io.PositionalReader;
import io.github.lancecalcite.io.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestSectionsTest {
  private static final byte[] UUID =
      ByteBuffer.allocate(16).putLong(0x0123456789abcdefL).putLong(0x8877665544332211L).array();

  @TempDir Path folder;

  @Test
  void realIndicesAreRead() throws IOException {
    Storage storage = LocalStorage.of(Fixtures.dataset("index_21"));
    try (PositionalReader file = ManifestNaming.openFile(storage, 3)) {
      List<IndexMetadata> indices = ManifestSections.indices(file, ManifestNaming.read(file, 3));
      assertThat(indices).hasSize(1);
      IndexMetadata index = indices.get(0);
      assertThat(index.name()).isEqualTo("id_idx");
      assertThat(index.fields()).containsExactly(0);
      assertThat(index.datasetVersion()).isEqualTo(1);
      assertThat(index.type()).isEqualTo("BTree");
      assertThat(index.indexVersion()).isEqualTo(0);
      assertThat(index.createdAt()).isEqualTo(Instant.ofEpochMilli(1796080704569L));
      assertThat(index.baseId()).isNull();
      Path files = Fixtures.dataset("index_21").resolve("_indices").resolve(index.uuid());
      long bytes = 0;
      try (var entries = Files.list(files)) {
        for (Path entry : (Iterable<Path>) entries::iterator) {
          bytes += Files.size(entry);
        }
      }
      assertThat(index.bytes()).isEqualTo(bytes);
    }
  }

  @Test
  void versionsWithoutASectionHaveNoIndices() throws IOException {
    Storage storage = LocalStorage.of(Fixtures.dataset("index_21"));
    try (PositionalReader file = ManifestNaming.openFile(storage, 1)) {
      assertThat(ManifestSections.indices(file, ManifestNaming.read(file, 1))).isEmpty();
    }
  }

  @Test
  void whatAWriterDidNotSayIsNotThere() throws IOException {
    IndexMetadata index = one(index());
    assertThat(index.uuid()).isEqualTo("01234567-89ab-cdef-8877-665544332211");
    assertThat(index.type()).isNull();
    assertThat(index.fragmentBitmap()).isEmpty();
    assertThat(index.indexVersion()).isNull();
    assertThat(index.createdAt()).isNull();
    assertThat(index.bytes()).isEqualTo(-1);
  }

  @Test
  void typesGoByTheirShortNames() throws IOException {
    assertThat(type("/lance.table.BTreeIndexDetails")).isEqualTo("BTree");
    assertThat(type("/lance.index.pb.InvertedIndexDetails")).isEqualTo("Inverted");
    assertThat(type("type.googleapis.com/own.Thing")).isEqualTo("Thing");
    assertThat(type("IndexDetails")).isEqualTo("IndexDetails");
  }

  private String type(String url) throws IOException {
    return one(index().setIndexDetails(TableProto.TypedMessage.newBuilder().setTypeUrl(url)))
        .type();
  }

  @Test
  void aUuidOfAnotherLengthIsCorrupt() {
    TableProto.IndexMetadata.Builder index =
        index().setUuid(TableProto.Uuid.newBuilder().setUuid(ByteString.copyFromUtf8("short")));
    assertThatThrownBy(() -> one(index))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("at offset 4: uuid of index 'i': expected 16 bytes, found 5");
  }

  @Test
  void sizesThatCannotBeAddedAreCorrupt() {
    TableProto.IndexFile.Builder half =
        TableProto.IndexFile.newBuilder().setPath("f").setSizeBytes(Long.MAX_VALUE);
    assertThatThrownBy(() -> one(index().addFiles(half).addFiles(half)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("size of file 'f' of index 'i'");
    assertThatThrownBy(() -> one(index().addFiles(half.clone().setSizeBytes(-1))))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("found 18446744073709551615");
  }

  @Test
  void positionsOutsideTheFileAreCorrupt() throws IOException {
    for (long at : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1 << 20}) {
      TableProto.Manifest.Builder manifest =
          ManifestFiles.small().setIndexSection(at).setTransactionSection(at);
      try (PositionalReader file = write(new byte[0], manifest)) {
        Manifest read = ManifestReader.read(file);
        assertThatThrownBy(() -> ManifestSections.indices(file, read))
            .isInstanceOf(CorruptFileException.class)
            .hasMessageContaining("position of the index section: expected at most ")
            .hasMessageContaining("found " + Long.toUnsignedString(at));
        assertThatThrownBy(() -> ManifestSections.transaction(file, read))
            .isInstanceOf(CorruptFileException.class)
            .hasMessageContaining("position of the transaction section");
      }
    }
  }

  @Test
  void lengthsBeyondTheFileAreCorrupt() throws IOException {
    byte[] section = {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 1, 2, 3};
    try (PositionalReader file = write(section, ManifestFiles.small().setIndexSection(0))) {
      Manifest read = ManifestReader.read(file);
      assertThatThrownBy(() -> ManifestSections.indices(file, read))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("at offset 0: length of the index section: expected at most ")
          .hasMessageContaining("found 4294967295");
    }
  }

  @Test
  void everyTruncatedIndexMessageIsCorrupt() throws IOException {
    byte[] whole =
        TableProto.IndexSection.newBuilder()
            .addIndices(index().addFields(1).setDatasetVersion(9))
            .build()
            .toByteArray();
    // nothing at all is a section without indices
    for (int length = 1; length < whole.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> indices(cut))
          .as("cut to " + length + " bytes")
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("at offset 4: index section: expected a protobuf message");
    }
  }

  private static TableProto.IndexMetadata.Builder index() {
    return TableProto.IndexMetadata.newBuilder()
        .setName("i")
        .setUuid(TableProto.Uuid.newBuilder().setUuid(ByteString.copyFrom(UUID)));
  }

  private IndexMetadata one(TableProto.IndexMetadata.Builder index) throws IOException {
    List<IndexMetadata> read =
        indices(TableProto.IndexSection.newBuilder().addIndices(index).build().toByteArray());
    assertThat(read).hasSize(1);
    return read.get(0);
  }

  private List<IndexMetadata> indices(byte[] message) throws IOException {
    byte[] section =
        ByteBuffer.allocate(4 + message.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(message.length)
            .put(message)
            .array();
    try (PositionalReader file = write(section, ManifestFiles.small().setIndexSection(0))) {
      return ManifestSections.indices(file, ManifestReader.read(file));
    }
  }

  /** A manifest's file with a section at its start. */
  private PositionalReader write(byte[] section, TableProto.Manifest.Builder manifest)
      throws IOException {
    byte[] rest = ManifestFiles.bytes(manifest.build());
    // what follows moves by the section's length, and with it the position in the tail
    ByteBuffer bytes =
        ByteBuffer.allocate(section.length + rest.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(section)
            .put(rest);
    int tail = bytes.capacity() - 16;
    bytes.putLong(tail, bytes.getLong(tail) + section.length);
    Path file = folder.resolve("x.manifest");
    Files.write(file, bytes.array());
    return LocalFile.open(file);
  }
}
