package io.github.lancecalcite.format;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.format.proto.TableProto;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Turns the index section of a manifest file into records. */
final class IndexMessages {
  private static final int UUID_BYTES = 16;

  private IndexMessages() {}

  /**
   * @param path the file that the message came from, for errors
   * @param offset position of {@code message[0]} in that file, for errors
   */
  static List<IndexMetadata> parse(byte[] message, String path, long offset)
      throws CorruptFileException {
    TableProto.IndexSection section;
    try {
      section = TableProto.IndexSection.parseFrom(message);
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(
          path, offset, "index section", "a protobuf message", String.valueOf(e.getMessage()), e);
    }
    List<IndexMetadata> indices = new ArrayList<>(section.getIndicesCount());
    for (TableProto.IndexMetadata index : section.getIndicesList()) {
      ByteString uuid = index.getUuid().getUuid();
      if (uuid.size() != UUID_BYTES) {
        throw new CorruptFileException(
            path,
            offset,
            "uuid of index '" + index.getName() + "'",
            UUID_BYTES + " bytes",
            uuid.size());
      }
      indices.add(index(index, uuid.asReadOnlyByteBuffer(), path, offset));
    }
    return List.copyOf(indices);
  }

  private static IndexMetadata index(
      TableProto.IndexMetadata stored, ByteBuffer uuid, String path, long offset)
      throws CorruptFileException {
    return new IndexMetadata(
        stored.getName(),
        new UUID(uuid.getLong(), uuid.getLong()).toString(),
        stored.getFieldsList(),
        stored.getDatasetVersion(),
        stored.getFragmentBitmap().toByteArray(),
        type(stored.getIndexDetails().getTypeUrl()),
        stored.hasIndexVersion() ? stored.getIndexVersion() : null,
        stored.hasCreatedAt() ? Instant.ofEpochMilli(stored.getCreatedAt()) : null,
        stored.hasBaseId() ? stored.getBaseId() : null,
        bytes(stored, path, offset));
  }

  private static long bytes(TableProto.IndexMetadata stored, String path, long offset)
      throws CorruptFileException {
    if (stored.getFilesCount() == 0) {
      return -1;
    }
    long sum = 0;
    for (TableProto.IndexFile file : stored.getFilesList()) {
      sum += file.getSizeBytes();
      if (file.getSizeBytes() < 0 || sum < 0) {
        throw new CorruptFileException(
            path,
            offset,
            "size of file '" + file.getPath() + "' of index '" + stored.getName() + "'",
            "a sum below 2^63",
            Long.toUnsignedString(file.getSizeBytes()));
      }
    }
    return sum;
  }

  /** {@code /lance.table.BTreeIndexDetails} and its like in other packages are BTree. */
  private static @Nullable String type(String url) {
    String name = url.substring(Math.max(url.lastIndexOf('.'), url.lastIndexOf('/')) + 1);
    String ending = "IndexDetails";
    return name.isEmpty()
        ? null
        : name.endsWith(ending) && name.length() > ending.length()
            ? name.substring(0, name.length() - ending.length())
            : name;
  }
}
