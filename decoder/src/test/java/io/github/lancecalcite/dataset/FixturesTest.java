package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.format.SchemaField;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every column of every fixture is what lance-core reads, in batches of any size. */
class FixturesTest {
  static Stream<String> fixtures() {
    return Fixtures.names().stream().filter(name -> name.matches(".*_2[0123]"));
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
      for (SchemaField field : dataset.fields()) {
        compare(dataset, List.of(field), expected, 8192, Integer.MAX_VALUE);
      }
      // all columns side by side; the limits end the scan in the middle of a batch and a fragment
      compare(dataset, dataset.fields(), expected, 1000, expected.size() - expected.size() / 3);
      compare(dataset, dataset.fields(), expected, 7, Math.min(expected.size(), 1500) / 7 * 7 + 3);
    }
  }

  private static boolean hasRows(String name) {
    return Files.exists(Fixtures.root().resolve(name).resolve("expected.jsonl"))
        || Files.exists(Fixtures.root().resolve(name).resolve("expected.jsonl.gz"));
  }

  private static void compare(
      Dataset dataset, List<SchemaField> fields, List<JsonNode> expected, int batchSize, int limit)
      throws Exception {
    List<ScanColumn> columns = new ArrayList<>();
    fields.forEach(field -> columns.add(new FieldColumn(field.id())));
    ScanRequest request = ScanRequest.of(columns).withBatchSize(batchSize).withLimit(limit);
    List<String> differences = new ArrayList<>();
    int row = 0;
    try (BatchCursor cursor = dataset.scan(request)) {
      while (cursor.next()) {
        VectorSchemaRoot batch = cursor.batch();
        assertThat(batch.getRowCount()).isBetween(1, batchSize);
        for (int c = 0; c < fields.size(); c++) {
          FieldVector vector = batch.getVector(c);
          assertThat(vector.getValueCount()).isEqualTo(batch.getRowCount());
          for (int i = 0; i < batch.getRowCount(); i++) {
            JsonNode wanted = expected.get(row + i).get(fields.get(c).name());
            JsonNode found = Cells.of(vector, i);
            if (!Cells.same(wanted, found) && differences.size() < 3) {
              differences.add(
                  fields.get(c).name()
                      + ", row "
                      + (row + i)
                      + ": expected "
                      + wanted
                      + ", found "
                      + found);
            }
          }
        }
        row += batch.getRowCount();
      }
    }
    assertThat(differences).isEmpty();
    assertThat(row).as("rows").isEqualTo(Math.min(limit, expected.size()));
  }
}
