package io.github.lancecalcite.fuzz;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Makes one lie in a protobuf message, in any message inside it, or in one that lies in its bytes
 * fields: what comes out is well-formed, and its lengths are right.
 */
final class MessageDamage {
  private static final int MOST_BYTES = 1 << 20;

  private final Random random;
  private final Map<Descriptor, List<Message>> pool;

  /** Places are counted in a first walk, and the chosen one is damaged in a second. */
  private int chosen;

  private int count;
  private final Deque<String> path = new ArrayDeque<>();
  private String what = "";

  private MessageDamage(Random random, Map<Descriptor, List<Message>> pool) {
    this.random = random;
    this.pool = pool;
  }

  /**
   * A damaged message.
   *
   * @param what path of the place and what became of it
   */
  record Result(Message message, String what) {}

  /** Damages a message, with pieces of itself and of the donor. */
  static Result of(Message whole, Message donor, Random random) {
    Map<Descriptor, List<Message>> pool = MessagePool.of(whole, donor);
    while (true) {
      MessageDamage damage = new MessageDamage(random, pool);
      damage.chosen = -1;
      damage.message(whole);
      damage.chosen = random.nextInt(Math.max(1, damage.count));
      damage.count = 0;
      Message result = damage.message(whole);
      if (result.getSerializedSize() < MOST_BYTES && !result.equals(whole)) {
        return new Result(result, damage.what);
      }
    }
  }

  private boolean isHere() {
    return count++ == chosen;
  }

  private void say(String text) {
    what = String.join(".", (Iterable<String>) path::descendingIterator) + ": " + text;
  }

  /** The message with the damage, if its place is in it; otherwise the message itself. */
  private Message message(Message whole) {
    if (isHere()) {
      return FieldDamage.addField(whole, pool, random, this::say);
    }
    for (Map.Entry<FieldDescriptor, Object> entry : whole.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      Object old = entry.getValue();
      Object changed =
          field.isRepeated() ? list(whole, field, (List<?>) old) : single(whole, field, "", old);
      if (changed == null) {
        return whole.toBuilder().clearField(field).build();
      }
      if (changed != old) {
        return whole.toBuilder().setField(field, changed).build();
      }
    }
    return whole;
  }

  private Object list(Message parent, FieldDescriptor field, List<?> old) {
    if (isHere()) {
      path.push(field.getName());
      say(old.size() + " elements");
      return listDamage(field, old);
    }
    for (int i = 0; i < old.size(); i++) {
      Object changed = single(parent, field, "[" + i + "]", old.get(i));
      if (changed != old.get(i)) {
        List<Object> copy = new ArrayList<>(old);
        if (changed == null) {
          copy.remove(i);
        } else {
          copy.set(i, changed);
        }
        return copy;
      }
    }
    return old;
  }

  private List<Object> listDamage(FieldDescriptor field, List<?> old) {
    List<Object> copy = new ArrayList<>(old);
    int at = random.nextInt(old.size());
    switch (random.nextInt(6)) {
      case 0 -> copy.remove(at);
      case 1 -> copy.add(at, old.get(random.nextInt(old.size())));
      case 2 -> Collections.swap(copy, at, random.nextInt(old.size()));
      case 3 -> copy.clear();
      case 4 -> {
        int times = random.nextBoolean() ? 2 : 1 << random.nextInt(14);
        for (int i = 1; i < times && copy.size() < 1 << 16; i++) {
          copy.addAll(old);
        }
      }
      default -> Collections.reverse(copy);
    }
    if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && random.nextInt(3) == 0) {
      List<Message> donors = pool.getOrDefault(field.getMessageType(), List.of());
      if (!donors.isEmpty()) {
        copy.add(random.nextInt(copy.size() + 1), donors.get(random.nextInt(donors.size())));
      }
    }
    say(old.size() + " elements became " + copy.size());
    return copy;
  }

  /** A changed value, null for none, or the same object when the place is elsewhere. */
  private @Nullable Object single(Message parent, FieldDescriptor field, String index, Object old) {
    path.push(field.getName() + index);
    Object result =
        switch (field.getJavaType()) {
          case MESSAGE ->
              isHere()
                  ? FieldDamage.replace((Message) old, pool, random, this::say)
                  : message((Message) old);
          case BYTE_STRING -> bytes(parent, field, (ByteString) old);
          default -> isHere() ? scalar(field, old) : old;
        };
    path.pop();
    return result;
  }

  private Object bytes(Message parent, FieldDescriptor field, ByteString old) {
    if (isHere()) {
      return FieldDamage.bytes(old, random, this::say);
    }
    Message inner = Embedded.in(parent, field, old);
    if (inner != null) {
      Message changed = message(inner);
      return changed == inner ? old : changed.toByteString();
    }
    return old;
  }

  private Object scalar(FieldDescriptor field, Object old) {
    Object lie =
        switch (field.getJavaType()) {
          case INT -> (int) Lies.number((int) old, random);
          case LONG -> Lies.number((long) old, random);
          case BOOLEAN -> !(boolean) old;
          case STRING -> FieldDamage.text((String) old, random);
          case ENUM ->
              field
                  .getEnumType()
                  .findValueByNumberCreatingIfUnknown(
                      (int) (Lies.number(((EnumValueDescriptor) old).getNumber(), random) & 15));
          default -> old;
        };
    say(old + " became " + lie);
    return lie;
  }
}
