package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.NotFoundException;
import io.github.lancecalcite.format.ManifestFiles;
import io.github.lancecalcite.format.proto.TableProto;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Row-id and version sequences that lie in a file of their own, as no writer at hand does it. */
class ExternalSequencesTest {
  @TempDir Path folder;
  private final RootAllocator allocator = new RootAllocator();

  @AfterEach
  void noMemoryIsLeft() {
    allocator.close();
  }

  /** Every sequence of a real dataset, moved out of the manifest, with strangers around it. */
  @ParameterizedTest
  @ValueSource(strings = {"versions_stable_21", "seg_mixed_21"})
  void externalSequencesGiveTheRowsThatInlineOnesGive(String fixture) throws IOException {
    Path copy = Fixtures.copy(fixture, folder);
    List<String> inline = systemRows(copy);
    Path manifest;
    try (Dataset dataset = Dataset.open(copy, allocator)) {
      manifest = Path.of(dataset.manifest().path());
    }
    byte[] bytes = Files.readAllBytes(manifest);
    int at = (int) ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(bytes.length - 16);
    TableProto.Manifest.Builder stored =
        TableProto.Manifest.parser()
            .parseFrom(bytes, at + 4, bytes.length - 16 - at - 4)
            .toBuilder();
    ByteArrayOutputStream sequences = new ByteArrayOutputStream();
    for (TableProto.DataFragment.Builder fragment : stored.getFragmentsBuilderList()) {
      fragment.setExternalRowIds(moved(fragment.getInlineRowIds(), sequences));
      fragment.setExternalCreatedAt(moved(fragment.getInlineCreatedAt(), sequences));
      fragment.setExternalLastUpdatedAt(moved(fragment.getInlineLastUpdatedAt(), sequences));
    }
    Files.write(copy.resolve("sequences.bin"), sequences.toByteArray());
    Files.write(manifest, ManifestFiles.bytes(stored.build()));
    assertThat(systemRows(copy)).isNotEmpty().isEqualTo(inline);

    byte[] damaged = sequences.toByteArray();
    Files.write(copy.resolve("sequences.bin"), Arrays.copyOf(damaged, damaged.length / 2));
    assertThatThrownBy(() -> systemRows(copy))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("sequences.bin");
    Files.delete(copy.resolve("sequences.bin"));
    assertThatThrownBy(() -> systemRows(copy)).isInstanceOf(NotFoundException.class);
  }

  private static TableProto.ExternalFile moved(ByteString inline, ByteArrayOutputStream into) {
    into.write(0xff);
    TableProto.ExternalFile place = external("sequences.bin", into.size(), inline.size());
    into.writeBytes(inline.toByteArray());
    return place;
  }

  private List<String> systemRows(Path root) throws IOException {
    List<String> rows = new ArrayList<>();
    try (Dataset dataset = Dataset.open(root, allocator);
        BatchCursor cursor = dataset.scan(ScanRequest.of(List.of(SystemColumn.values())))) {
      while (cursor.next()) {
        for (int i = 0; i < cursor.batch().getRowCount(); i++) {
          StringBuilder row = new StringBuilder();
          for (FieldVector vector : cursor.batch().getFieldVectors()) {
            row.append(vector.getObject(i)).append(' ');
          }
          rows.add(row.toString());
        }
      }
    }
    return rows;
  }

  private static TableProto.ExternalFile external(String path, long offset, long size) {
    return TableProto.ExternalFile.newBuilder()
        .setPath(path)
        .setOffset(offset)
        .setSize(size)
        .build();
  }
}
