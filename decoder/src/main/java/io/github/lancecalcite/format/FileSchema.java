package io.github.lancecalcite.format;

import com.google.protobuf.InvalidProtocolBufferException;
import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.format.proto.File2Proto;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The schema of a data file as of when it was written: fields may have been dropped since. Parsed
 * when it is asked. Immutable.
 */
public final class FileSchema {
  /** Knows no field. */
  public static final FileSchema UNKNOWN = new FileSchema("", 0, new byte[0]);

  private final String path;
  private final long offset;
  private final byte[] message;

  /**
   * @param path of the file, for errors
   * @param offset where the file's descriptor is, for errors
   * @param message the serialized message
   */
  public FileSchema(String path, long offset, byte[] message) {
    this.path = path;
    this.offset = offset;
    this.message = message.clone();
  }

  /**
   * The field of this id with all that lies below it, or null if the file has none.
   *
   * @throws CorruptFileException if the schema is damaged
   */
  public @Nullable SchemaField field(int id) throws CorruptFileException {
    try {
      List<SchemaField> roots =
          SchemaTree.build(File2Proto.FileSchema.parseFrom(message).getFieldsList());
      return find(roots, id);
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(path, offset, "schema of the file", "a message", "none", e);
    } catch (DecodeException e) {
      throw new CorruptFileException(path, offset, e.what(), e.expected(), e.actual(), e);
    }
  }

  private static @Nullable SchemaField find(List<SchemaField> fields, int id) {
    for (SchemaField field : fields) {
      SchemaField found = field.id() == id ? field : find(field.children(), id);
      if (found != null) {
        return found;
      }
    }
    return null;
  }
}
