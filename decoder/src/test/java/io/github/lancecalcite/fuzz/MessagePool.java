package io.github.lancecalcite.fuzz;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All messages inside of messages, by type. */
final class MessagePool {
  private MessagePool() {}

  static Map<Descriptor, List<Message>> of(Message... roots) {
    Map<Descriptor, List<Message>> pool = new HashMap<>();
    for (Message root : roots) {
      collect(root, pool);
    }
    return pool;
  }

  private static void collect(Message message, Map<Descriptor, List<Message>> pool) {
    pool.computeIfAbsent(message.getDescriptorForType(), type -> new ArrayList<>()).add(message);
    message
        .getAllFields()
        .forEach(
            (field, value) -> {
              for (Object one : value instanceof List<?> list ? list : List.of(value)) {
                if (one instanceof Message inner) {
                  collect(inner, pool);
                } else if (field.getJavaType() == FieldDescriptor.JavaType.BYTE_STRING) {
                  Message inner = Embedded.in(message, field, (ByteString) one);
                  if (inner != null) {
                    collect(inner, pool);
                  }
                }
              }
            });
  }
}
