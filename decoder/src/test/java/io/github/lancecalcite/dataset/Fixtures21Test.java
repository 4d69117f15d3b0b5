package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.format.SchemaField;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every column of every 2.1, 2.2 and 2.3 fixture is what lance-core reads, in batches of any size.
 */
class Fixtures21Test {
  static Stream<String> fixtures() {
    return Fixtures.names().stream().filter(name -> name.matches(".*_2[123]"));
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void everyValueIsWhatLanceCoreReads(String name) throws Exception {
    if (!hasRows(name)) {
      return; // its expectation is a summary, compared elsewhere
    }
    List<JsonNode> expected = Fixtures.rows(name);
    try (BufferAllocator allocator = new RootAllocator();
        Dataset dataset = Dataset.open(Fixtures.dataset(name), allocator)) {
      for (int batchSize : new int[] {8192, 7}) {
        for (SchemaField field : dataset.fields()) {
          compare(dataset, field, expected, batchSize);
        }
      }
    }
  }

  private static boolean hasRows(String name) {
    return java.nio.file.Files.exists(Fixtures.root().resolve(name).resolve("expected.jsonl"))
        || java.nio.file.Files.exists(Fixtures.root().resolve(name).resolve("expected.jsonl.gz"));
  }

  private static void compare(
      Dataset dataset, SchemaField field, List<JsonNode> expected, int batchSize) throws Exception {
    ScanRequest request =
        ScanRequest.of(List.of(new FieldColumn(field.id()))).withBatchSize(batchSize);
    List<String> differences = new ArrayList<>();
    int row = 0;
    try (BatchCursor cursor = dataset.scan(request)) {
      while (cursor.next()) {
        VectorSchemaRoot batch = cursor.batch();
        FieldVector vector = batch.getVector(0);
        assertThat(vector.getValueCount()).isEqualTo(batch.getRowCount());
        for (int i = 0; i < batch.getRowCount(); i++, row++) {
          JsonNode wanted = expected.get(row).get(field.name());
          JsonNode found = Cells.of(vector, i);
          if (!Cells.same(wanted, found) && differences.size() < 3) {
            differences.add("row " + row + ": expected " + wanted + ", found " + found);
          }
        }
      }
    }
    assertThat(differences).as("column %s", field.name()).isEmpty();
    assertThat(row).as("rows of column %s", field.name()).isEqualTo(expected.size());
  }
}
