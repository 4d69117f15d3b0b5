package io.github.lancecalcite.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.lancecalcite.dataset.BatchCursor;
import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.dataset.Fragment;
import io.github.lancecalcite.dataset.ScanColumn;
import io.github.lancecalcite.dataset.ScanRequest;
import io.github.lancecalcite.dataset.SystemColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Compares every version of a fixture with what {@link Dataset#scan} gives, in several batch sizes,
 * column orders and subsets.
 */
final class DecoderComparison {
  private static final List<SystemColumn> DUMPED =
      List.of(
          SystemColumn.ROW_ID,
          SystemColumn.ROW_ADDR,
          SystemColumn.ROW_CREATED_AT_VERSION,
          SystemColumn.ROW_LAST_UPDATED_AT_VERSION);

  private final Fixture fixture;
  private final Tally.Work work = new Tally.Work();

  private DecoderComparison(Fixture fixture) {
    this.fixture = fixture;
  }

  /**
   * @throws AssertionError at the first difference
   * @throws io.github.lancecalcite.UnsupportedFormatException if the reader refuses the dataset
   */
  static Tally.Work run(Fixture fixture) throws IOException {
    DecoderComparison comparison = new DecoderComparison(fixture);
    try (BufferAllocator allocator = new RootAllocator();
        Dataset latest = Dataset.open(fixture.dataset(), allocator)) {
      assertThat(latest.versionNumber()).isEqualTo(fixture.latestVersion());
      SchemaComparison.check(latest, fixture.schema());
      for (long version : fixture.versions()) {
        try (Dataset dataset = latest.version(version)) {
          comparison.version(dataset);
        }
      }
    }
    return comparison.work;
  }

  private void version(Dataset dataset) throws IOException {
    List<JsonNode> expected = fixture.rows(dataset.versionNumber());
    assertThat(dataset.countRows()).as("countRows").isEqualTo(expected.size());
    List<ScanColumn> columns = new ArrayList<>();
    dataset.fields().forEach(field -> columns.add(dataset.column(field.name())));
    columns.addAll(DUMPED);

    List<Integer> batchSizes = new ArrayList<>(List.of(ScanRequest.DEFAULT_BATCH_SIZE, 1024, 7));
    if (expected.size() <= 1000) {
      batchSizes.add(1);
    }
    for (int batchSize : batchSizes) {
      compare(dataset, ScanRequest.of(columns).withBatchSize(batchSize), expected);
    }
    List<ScanColumn> reversed = new ArrayList<>(columns);
    Collections.reverse(reversed);
    compare(dataset, ScanRequest.of(reversed).withBatchSize(100), expected);
    for (ScanColumn column : columns) {
      compare(dataset, ScanRequest.of(List.of(column)), expected);
    }
    compare(dataset, ScanRequest.of(List.of()), expected);
    for (long limit : new long[] {0, 1, expected.size() / 2, expected.size() + 1L}) {
      int kept = (int) Math.min(limit, expected.size());
      compare(dataset, ScanRequest.of(columns).withLimit(limit), expected.subList(0, kept));
    }
    fragmentByFragment(dataset, columns, expected);
    positions(dataset, expected);
  }

  private void fragmentByFragment(
      Dataset dataset, List<ScanColumn> columns, List<JsonNode> expected) throws IOException {
    int next = 0;
    for (Fragment fragment : dataset.fragments()) {
      int end = Math.toIntExact(next + fragment.liveRows());
      ScanRequest one = ScanRequest.of(columns).withFragments(List.of(fragment.id()));
      compare(dataset, one, expected.subList(next, end));
      next = end;
    }
    assertThat(next).as("live rows of all fragments").isEqualTo(expected.size());
  }

  /** {@code _rowoffset} and {@code _fragid}, which the dumps leave out but imply. */
  private void positions(Dataset dataset, List<JsonNode> expected) throws IOException {
    int row = 0;
    try (BatchCursor cursor =
        dataset.scan(
            ScanRequest.of(List.of(SystemColumn.ROW_OFFSET, SystemColumn.FRAGMENT_ID))
                .withBatchSize(50))) {
      while (cursor.next()) {
        VectorSchemaRoot batch = cursor.batch();
        for (int i = 0; i < batch.getRowCount(); i++, row++) {
          long fragment = expected.get(row).get("_rowaddr").longValue() >>> 32;
          assertThat(String.valueOf(ArrowCells.get(batch.getVector(0), i)))
              .isEqualTo(Integer.toString(row));
          assertThat(String.valueOf(ArrowCells.get(batch.getVector(1), i)))
              .isEqualTo(Long.toString(fragment));
        }
      }
    }
    assertThat(row).isEqualTo(expected.size());
  }

  private void compare(Dataset dataset, ScanRequest request, List<JsonNode> expected)
      throws IOException {
    int row = 0;
    try (BatchCursor cursor = dataset.scan(request)) {
      while (cursor.next()) {
        VectorSchemaRoot batch = cursor.batch();
        int count = batch.getRowCount();
        assertThat(count).as("rows of a batch").isBetween(1, request.batchSize());
        if (row + count > expected.size()) {
          throw new AssertionError(where(dataset, request) + ": more than " + expected.size());
        }
        List<FieldVector> vectors = batch.getFieldVectors();
        assertThat(vectors).hasSameSizeAs(request.columns());
        for (FieldVector vector : vectors) {
          assertThat(vector.getValueCount()).isEqualTo(count);
          column(vector, expected.subList(row, row + count), row, dataset, request);
        }
        row += count;
      }
    }
    if (row != expected.size()) {
      throw new AssertionError(
          where(dataset, request) + ": " + row + " rows instead of " + expected.size());
    }
    work.add(row, (long) row * request.columns().size());
  }

  private void column(
      FieldVector vector, List<JsonNode> rows, int firstRow, Dataset dataset, ScanRequest request) {
    Field field = vector.getField();
    for (int i = 0; i < rows.size(); i++) {
      JsonNode json = rows.get(i).get(field.getName());
      if (json == null) {
        throw new AssertionError("the dump has no column " + field.getName());
      }
      Object expected = ExpectedCells.of(json, field);
      Object actual = ArrowCells.get(vector, i);
      if (!Objects.equals(expected, actual)) {
        throw new AssertionError(
            String.format(
                "%s, row %d, column %s: expected %s, got %s",
                where(dataset, request), firstRow + i, field.getName(), expected, actual));
      }
    }
  }

  private static String where(Dataset dataset, ScanRequest request) {
    return String.format(
        "version %d, batch size %d, %d columns, fragments %s, limit %d",
        dataset.versionNumber(),
        request.batchSize(),
        request.columns().size(),
        request.fragmentIds(),
        request.limit());
  }
}
