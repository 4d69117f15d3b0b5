package io.github.lancecalcite.fuzz;

import com.google.protobuf.InvalidProtocolBufferException;
import io.github.lancecalcite.dataset.SystemColumn;
import io.github.lancecalcite.format.proto.File2Proto.ColumnMetadata;
import io.github.lancecalcite.format.proto.File2Proto.FileDescriptor;
import io.github.lancecalcite.format.proto.TableProto.Manifest;
import io.github.lancecalcite.fuzz.Damage.Demand;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Lies in the messages of a file whose framing stays right, so that readers come to see them. */
final class StructuredDamage {
  private StructuredDamage() {}

  static Damage dataFile(byte[] whole, byte[] donor, Map<Integer, String> shownBy, Random random)
      throws InvalidProtocolBufferException {
    DataFileParts parts = new DataFileParts(whole, shownBy);
    DataFileParts other = new DataFileParts(donor, Map.of());
    int column = random.nextInt(parts.columns.size() + 1) - 1;
    if (column < 0 || other.columns.isEmpty()) {
      MessageDamage.Result result = MessageDamage.of(parts.descriptor, other.descriptor, random);
      FileDescriptor changed = (FileDescriptor) result.message();
      byte[] bytes = parts.rebuilt(changed, parts.columns);
      // the schema in it is not the one that counts, so that no column may look different
      return damage("file descriptor", result.what(), bytes, Set.of());
    }
    ColumnMetadata from = other.columns.get(random.nextInt(other.columns.size()));
    MessageDamage.Result result = MessageDamage.of(parts.columns.get(column), from, random);
    List<ColumnMetadata> columns = new ArrayList<>(parts.columns);
    columns.set(column, (ColumnMetadata) result.message());
    String name = shownBy.get(column);
    return damage(
        "column metadata",
        "column " + column + ": " + result.what(),
        parts.rebuilt(parts.descriptor, columns),
        name == null ? Set.of() : Set.of(name));
  }

  private static Damage damage(String kind, String what, byte[] bytes, Set<String> shownBy) {
    return new Damage(kind, what, bytes, shownBy, false, Demand.NONE);
  }

  static Damage manifest(byte[] whole, byte[] donor, Random random)
      throws InvalidProtocolBufferException {
    MessageDamage.Result result = MessageDamage.of(message(whole), message(donor), random);
    byte[] message = result.message().toByteArray();
    int at = messageAt(whole) - 4;
    byte[] bytes =
        ByteBuffer.allocate(at + 4 + message.length + 16)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(whole, 0, at)
            .putInt(message.length)
            .put(message)
            .put(whole, whole.length - 16, 16)
            .array();
    for (SystemColumn column : SystemColumn.values()) {
      String sequence = sequenceOf(column);
      if (!sequence.isEmpty() && result.what().contains("." + sequence + ".")) {
        return damage("sequence", result.what(), bytes, Set.of(column.columnName()));
      }
    }
    return new Damage("manifest message", result.what(), bytes, Damage.ANYTHING, true, Demand.NONE);
  }

  private static String sequenceOf(SystemColumn column) {
    return switch (column) {
      case ROW_ID -> "inline_row_ids";
      case ROW_CREATED_AT_VERSION -> "inline_created_at";
      case ROW_LAST_UPDATED_AT_VERSION -> "inline_last_updated_at";
      case ROW_ADDR, ROW_OFFSET, FRAGMENT_ID -> "";
    };
  }

  private static int messageAt(byte[] manifest) {
    ByteBuffer bytes = ByteBuffer.wrap(manifest).order(ByteOrder.LITTLE_ENDIAN);
    return (int) bytes.getLong(manifest.length - 16) + 4;
  }

  static Manifest message(byte[] manifest) throws InvalidProtocolBufferException {
    int at = messageAt(manifest);
    return Manifest.parser().parseFrom(manifest, at, manifest.length - 16 - at);
  }

  static List<Region> manifestRegions(byte[] manifest) {
    int at = messageAt(manifest);
    List<Region> regions = new ArrayList<>();
    if (at > 4) {
      regions.add(new Region("transaction", 0, at - 4, Set.of(), true));
    }
    regions.add(Region.of("length of the manifest", at - 4, at));
    regions.add(Region.of("manifest message", at, manifest.length - 16));
    regions.add(Region.of("tail", manifest.length - 16, manifest.length));
    return regions;
  }
}
