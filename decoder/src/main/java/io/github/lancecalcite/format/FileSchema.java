package io.github.lancecalcite.format;

import com.google.protobuf.InvalidProtocolBufferException;
import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.format.proto.File2Proto;
import io.github.lancecalcite.format.proto.TableProto;
import java.util.ArrayList;
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
   * The field of this id with its children, but not theirs; or null if the file has none.
   *
   * <p>Other fields are not looked at: those of blobs have ids that say nothing.
   *
   * @throws CorruptFileException if the schema is damaged
   */
  public @Nullable SchemaField field(int id) throws CorruptFileException {
    try {
      List<TableProto.Field> wanted = new ArrayList<>();
      for (TableProto.Field field : File2Proto.FileSchema.parseFrom(message).getFieldsList()) {
        if (field.getId() == id) {
          wanted.add(field.toBuilder().setParentId(-1).build());
        } else if (field.getParentId() == id) {
          wanted.add(field);
        }
      }
      List<SchemaField> roots = SchemaTree.build(wanted);
      return roots.isEmpty() ? null : roots.get(0);
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(path, offset, "schema of the file", "a message", "none", e);
    } catch (DecodeException e) {
      throw new CorruptFileException(path, offset, e.what(), e.expected(), e.actual(), e);
    }
  }
}
