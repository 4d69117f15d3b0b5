package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.ValueRanges;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.UInt8Vector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SystemScanTest {
  private static final List<ScanColumn> LANCE_COLUMNS =
      List.of(
          SystemColumn.ROW_ADDR,
          SystemColumn.ROW_ID,
          SystemColumn.ROW_LAST_UPDATED_AT_VERSION,
          SystemColumn.ROW_CREATED_AT_VERSION);

  private final RootAllocator allocator = new RootAllocator();

  @AfterEach
  void noMemoryIsLeft() {
    allocator.close();
  }

  static Stream<String> fixtures() {
    return Fixtures.names().stream()
        .filter(
            name -> name.matches("(seg_|del(few|many|frag)|customids|manyupd|versions_|over).*"));
  }

  private static List<List<Long>> rows(Dataset dataset, ScanRequest request) throws IOException {
    List<List<Long>> rows = new ArrayList<>();
    try (BatchCursor cursor = dataset.scan(request)) {
      while (cursor.next()) {
        assertThat(cursor.batch().getRowCount()).isBetween(1, request.batchSize());
        assertThat(cursor.batch().getSchema()).isEqualTo(cursor.schema());
        for (int i = 0; i < cursor.batch().getRowCount(); i++) {
          List<Long> row = new ArrayList<>();
          for (var vector : cursor.batch().getFieldVectors()) {
            row.add(((UInt8Vector) vector).get(i));
          }
          rows.add(row);
        }
      }
      assertThat(cursor.next()).isFalse();
    }
    return rows;
  }

  private static List<List<Long>> expected(String name) throws IOException {
    List<List<Long>> rows = new ArrayList<>();
    for (JsonNode row : Fixtures.rows(name)) {
      rows.add(
          LANCE_COLUMNS.stream()
              .map(c -> row.get(((SystemColumn) c).columnName()).bigIntegerValue().longValue())
              .toList());
    }
    return rows;
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void rowsAreThoseThatLanceReturned(String name) throws IOException {
    List<List<Long>> expected = expected(name);
    try (Dataset dataset = Dataset.open(Fixtures.dataset(name), allocator)) {
      for (int batch : new int[] {3, 1000, 100_000}) {
        ScanRequest request = ScanRequest.of(LANCE_COLUMNS).withBatchSize(batch);
        assertThat(rows(dataset, request)).isEqualTo(expected);
        assertThat(rows(dataset, request.withLimit(5)))
            .isEqualTo(expected.subList(0, Math.min(5, expected.size())));
        assertThat(rows(dataset, request.withLimit(0))).isEmpty();
        assertThat(rows(dataset, ScanRequest.of(List.of()).withBatchSize(batch)))
            .hasSize(expected.size())
            .allMatch(List::isEmpty);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void conditionsKeepTheRowsThatAFilterWouldKeep(String name) throws IOException {
    List<List<Long>> all = expected(name);
    try (Dataset dataset = Dataset.open(Fixtures.dataset(name), allocator)) {
      for (int probe : new int[] {0, all.size() / 3, all.size() - 1}) {
        for (int c = 0; c < LANCE_COLUMNS.size(); c++) {
          int column = c;
          long value = all.get(probe).get(c);
          for (ValueRanges values :
              List.of(
                  ValueRanges.of(value),
                  ValueRanges.of(value, value + 7, value + 8, 0),
                  ValueRanges.closed(value + 1, -1L))) {
            SystemPredicate condition =
                SystemPredicate.NONE.and((SystemColumn) LANCE_COLUMNS.get(c), values);
            ScanRequest request = ScanRequest.of(LANCE_COLUMNS).withPredicate(condition);
            assertThat(rows(dataset, request))
                .as(condition.toString())
                .isEqualTo(all.stream().filter(r -> values.contains(r.get(column))).toList());
          }
        }
      }
    }
  }

  @Test
  void ordinalsCountLiveRowsOfFragmentsThatAreNotRead() throws IOException {
    try (Dataset dataset = Dataset.open(Fixtures.dataset("delmany_stable_21"), allocator)) {
      List<Fragment> fragments = dataset.fragments();
      Fragment last = fragments.get(fragments.size() - 1);
      ScanRequest request =
          ScanRequest.of(List.of(SystemColumn.ROW_OFFSET, SystemColumn.FRAGMENT_ID))
              .withFragments(List.of(last.id()));
      List<List<Long>> rows = rows(dataset, request);
      assertThat(rows).hasSize((int) last.liveRows());
      long first = dataset.countRows() - last.liveRows();
      for (int i = 0; i < rows.size(); i++) {
        assertThat(rows.get(i)).containsExactly(first + i, last.id());
      }
    }
  }

  @Test
  void manyScansOfOneDatasetRunAtOnce() throws Exception {
    List<List<Long>> expected = expected("seg_mixed_21");
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (Dataset dataset = Dataset.open(Fixtures.dataset("seg_mixed_21"), allocator)) {
      List<Callable<List<List<Long>>>> scans = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        int batch = 1 + i * 7;
        scans.add(() -> rows(dataset, ScanRequest.of(LANCE_COLUMNS).withBatchSize(batch)));
      }
      for (Future<List<List<Long>>> scan : threads.invokeAll(scans)) {
        assertThat(scan.get()).isEqualTo(expected);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aCursorHasABatchOnlyBetweenNextAndTheEnd() throws IOException {
    try (Dataset dataset = Dataset.open(Fixtures.dataset("seg_range_21"), allocator)) {
      BatchCursor cursor = dataset.scan(ScanRequest.of(LANCE_COLUMNS));
      assertThatThrownBy(cursor::batch).isInstanceOf(IllegalStateException.class);
      assertThat(cursor.next()).isTrue();
      cursor.close();
      cursor.close();
      assertThatThrownBy(cursor::next).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(cursor::batch).isInstanceOf(IllegalStateException.class);
    }
  }
}
