package io.github.lancecalcite.fuzz;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.format.proto.TableProto.IndexSection;
import io.github.lancecalcite.format.proto.TableProto.Manifest;
import io.github.lancecalcite.format.proto.TransactionProto.Transaction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Which fixtures have which field of the format's messages in any of their files. */
public final class FixtureFields {
  private static final int FOOTER_BYTES = 40;

  private final TreeMap<String, TreeSet<String>> fixturesByField = new TreeMap<>();

  private FixtureFields() {}

  /** Names of the fixtures by full name of a field or of an enum's value. */
  public static Map<String, TreeSet<String>> find() throws IOException {
    FixtureFields fields = new FixtureFields();
    for (String fixture : Fixtures.names()) {
      try (Stream<Path> files = Files.walk(Fixtures.dataset(fixture))) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          fields.collect(fixture, file);
        }
      }
    }
    return fields.fixturesByField;
  }

  private void collect(String fixture, Path file) throws IOException {
    if (file.toString().endsWith(".manifest")) {
      byte[] bytes = Files.readAllBytes(file);
      Manifest manifest = StructuredDamage.message(bytes);
      collect(fixture, manifest);
      if (manifest.hasIndexSection()) {
        int at = (int) manifest.getIndexSection();
        int length = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
        collect(fixture, IndexSection.parser().parseFrom(bytes, at + 4, length));
      }
    } else if (file.toString().endsWith(".txn")) {
      collect(fixture, Transaction.parseFrom(Files.readAllBytes(file)));
    } else if (file.toString().endsWith(".lance") && !fixture.startsWith("legacy")) {
      byte[] bytes = Files.readAllBytes(file);
      if (bytes.length >= FOOTER_BYTES) {
        DataFileParts parts = new DataFileParts(bytes, Map.of());
        collect(fixture, parts.descriptor);
        parts.columns.forEach(column -> collect(fixture, column));
      }
    }
  }

  private void collect(String fixture, Message message) {
    message
        .getAllFields()
        .forEach(
            (field, value) -> {
              add(fixture, field.getFullName());
              for (Object one : value instanceof List<?> list ? list : List.of(value)) {
                inside(fixture, message, field, one);
              }
            });
  }

  private void inside(String fixture, Message parent, FieldDescriptor field, Object value) {
    if (value instanceof Message inner) {
      collect(fixture, inner);
    } else if (value instanceof EnumValueDescriptor named) {
      add(fixture, named.getType().getFullName() + "." + named.getName());
    } else if (value instanceof ByteString bytes) {
      Message inner = Embedded.in(parent, field, bytes);
      if (inner != null) {
        collect(fixture, inner);
      }
    }
  }

  private void add(String fixture, String field) {
    fixturesByField.computeIfAbsent(field, f -> new TreeSet<>()).add(fixture);
  }
}
