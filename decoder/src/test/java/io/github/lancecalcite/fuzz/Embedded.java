package io.github.lancecalcite.fuzz;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.github.lancecalcite.format.proto.Encodings20Proto;
import io.github.lancecalcite.format.proto.Encodings21Proto;
import io.github.lancecalcite.format.proto.File2Proto;
import io.github.lancecalcite.format.proto.RowIdsProto;
import io.github.lancecalcite.format.proto.TableProto;
import org.jspecify.annotations.Nullable;

/** Messages that lie in bytes fields of other messages. */
final class Embedded {
  private Embedded() {}

  /** The message in a field's bytes, or null when they are just bytes. */
  static @Nullable Message in(Message parent, FieldDescriptor field, ByteString bytes) {
    try {
      if (parent instanceof File2Proto.StoredEncoding.Direct) {
        return File2Proto.TypedMessage.parseFrom(bytes);
      } else if (parent instanceof File2Proto.TypedMessage typed) {
        return switch (typed.getTypeUrl()) {
          case "/lance.encodings.ColumnEncoding" -> File2Proto.ColumnEncoding.parseFrom(bytes);
          case "/lance.encodings.ArrayEncoding" -> Encodings20Proto.ArrayEncoding.parseFrom(bytes);
          case "/lance.encodings21.PageLayout" -> Encodings21Proto.PageLayout.parseFrom(bytes);
          default -> null;
        };
      } else if (parent instanceof TableProto.DataFragment) {
        return field.getName().equals("inline_row_ids")
            ? RowIdsProto.RowIdSequence.parseFrom(bytes)
            : RowIdsProto.RowDatasetVersionSequence.parseFrom(bytes);
      }
      return null;
    } catch (InvalidProtocolBufferException e) {
      return null;
    }
  }
}
