package io.github.lancecalcite.fuzz;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What may become of one field of a message. */
final class FieldDamage {
  private FieldDamage() {}

  /** The message with a field that it did not have; of a choice, another one. */
  static Message addField(
      Message whole, Map<Descriptor, List<Message>> pool, Random random, Consumer<String> say) {
    List<FieldDescriptor> fields = whole.getDescriptorForType().getFields();
    if (fields.isEmpty()) {
      return whole;
    }
    FieldDescriptor field = fields.get(random.nextInt(fields.size()));
    Message.Builder builder = whole.toBuilder();
    Object value =
        switch (field.getJavaType()) {
          case INT -> (int) Lies.number(0, random);
          case LONG -> Lies.number(0, random);
          case BOOLEAN -> true;
          case STRING -> "x";
          case BYTE_STRING -> ByteString.copyFrom(new byte[1 + random.nextInt(40)]);
          case ENUM -> field.getEnumType().getValues().get(0);
          case FLOAT, DOUBLE -> throw new AssertionError("the format has no such field");
          case MESSAGE -> {
            List<Message> donors = pool.getOrDefault(field.getMessageType(), List.of());
            yield donors.isEmpty() || random.nextInt(4) == 0
                ? builder.newBuilderForField(field).build()
                : donors.get(random.nextInt(donors.size()));
          }
        };
    if (value instanceof DynamicMessage) { // an entry of a map stays as it is
      return whole;
    }
    if (field.isRepeated()) {
      builder.addRepeatedField(field, value);
    } else {
      builder.setField(field, value);
    }
    say.accept("given " + field.getName() + " " + brief(value));
    return builder.build();
  }

  /** Another message of the same type, or null for none. */
  static @Nullable Message replace(
      Message whole, Map<Descriptor, List<Message>> pool, Random random, Consumer<String> say) {
    switch (random.nextInt(4)) {
      case 0 -> {
        say.accept("removed");
        return null;
      }
      case 1 -> {
        say.accept("made empty");
        return whole.getDefaultInstanceForType();
      }
      case 2 -> {
        Message nested = whole;
        int depth = 1 << random.nextInt(9);
        for (int i = 0; i < depth; i++) {
          nested = nest(whole, nested);
        }
        say.accept("put into itself " + depth + " times");
        return nested;
      }
      default -> {
        List<Message> donors = pool.getOrDefault(whole.getDescriptorForType(), List.of(whole));
        Message donor = donors.get(random.nextInt(donors.size()));
        say.accept("replaced by " + brief(donor));
        return donor;
      }
    }
  }

  /** The message with {@code inner} in place of the first message of its type inside. */
  private static Message nest(Message whole, Message inner) {
    for (Map.Entry<FieldDescriptor, Object> entry : whole.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      if (field.isRepeated() || !(entry.getValue() instanceof Message child)) {
        continue;
      }
      Message changed =
          child.getDescriptorForType() == inner.getDescriptorForType() ? inner : nest(child, inner);
      if (changed != child) {
        return whole.toBuilder().setField(field, changed).build();
      }
    }
    return whole;
  }

  static ByteString bytes(ByteString old, Random random, Consumer<String> say) {
    int size = old.size();
    byte[] bytes = old.toByteArray();
    int kind = size == 0 ? 2 : random.nextInt(4);
    ByteString changed =
        switch (kind) {
          case 0 -> {
            bytes[random.nextInt(size)] ^= (byte) (1 << random.nextInt(8));
            yield ByteString.copyFrom(bytes);
          }
          case 1 -> old.substring(0, random.nextInt(size));
          case 2 -> old.concat(ByteString.copyFrom(new byte[1 + random.nextInt(70)]));
          default -> old.substring(random.nextInt(size));
        };
    say.accept(size + " bytes became " + changed.size());
    return changed;
  }

  static String text(String old, Random random) {
    return switch (random.nextInt(7)) {
      case 0 -> "";
      case 1 -> old + ":1";
      case 2 -> old.isEmpty() ? "-" : old.substring(0, random.nextInt(old.length()));
      case 3 -> "../" + old;
      case 4 -> "fixed_size_list:" + old + ":" + Lies.number(1, random);
      case 5 -> old.replaceAll("[0-9]+", String.valueOf(Lies.number(3, random)));
      default -> "/" + old + "\n\u0000é";
    };
  }

  private static String brief(Object value) {
    String text = value.toString().replaceAll("\\s+", " ").strip();
    return text.length() <= 200 ? text : text.substring(0, 200) + "…";
  }
}
