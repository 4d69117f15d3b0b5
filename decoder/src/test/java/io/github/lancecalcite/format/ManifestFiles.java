package io.github.lancecalcite.format;

import io.github.lancecalcite.format.proto.TableProto;
import io.github.lancecalcite.io.LocalFile;
import io.github.lancecalcite.io.PositionalReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes manifest files for tests, byte by byte as the format says. */
public final class ManifestFiles {
  private ManifestFiles() {}

  /** The file that holds a message, with some other section before it. */
  public static byte[] bytes(TableProto.Manifest manifest) {
    byte[] message = manifest.toByteArray();
    int before = 7;
    return ByteBuffer.allocate(before + 4 + message.length + 16)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(new byte[before])
        .putInt(message.length)
        .put(message)
        .putLong(before)
        .putShort((short) 0)
        .putShort((short) 2)
        .put(new byte[] {'L', 'A', 'N', 'C'})
        .array();
  }

  /** A manifest that is whole: one int64 column, one fragment of ten rows. */
  public static TableProto.Manifest.Builder small() {
    return TableProto.Manifest.newBuilder()
        .setVersion(1)
        .setWriterVersion(
            TableProto.WriterVersion.newBuilder().setLibrary("lance").setVersion("7.0.0"))
        .addFields(field(0, -1, "id", "int64"))
        .addFragments(
            TableProto.DataFragment.newBuilder()
                .setPhysicalRows(10)
                .addFiles(
                    TableProto.DataFile.newBuilder()
                        .setPath("a.lance")
                        .addFields(0)
                        .addColumnIndices(0)
                        .setFileMajorVersion(2)
                        .setFileMinorVersion(1)));
  }

  public static TableProto.Field.Builder field(int id, int parent, String name, String type) {
    return TableProto.Field.newBuilder()
        .setId(id)
        .setParentId(parent)
        .setName(name)
        .setLogicalType(type)
        .setNullable(true);
  }

  /** Writes the file and reads it. */
  public static Manifest read(Path folder, TableProto.Manifest manifest) throws IOException {
    return read(folder, bytes(manifest));
  }

  static Manifest read(Path folder, byte[] bytes) throws IOException {
    Path file = folder.resolve("x.manifest");
    Files.write(file, bytes);
    try (PositionalReader reader = LocalFile.open(file)) {
      return ManifestReader.read(reader);
    }
  }
}
