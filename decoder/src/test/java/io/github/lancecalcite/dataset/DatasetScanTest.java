package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.NotFoundException;
import io.github.lancecalcite.ValueRanges;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.FileMetadata;
import io.github.lancecalcite.format.FileMetadataReader;
import io.github.lancecalcite.format.SchemaField;
import io.github.lancecalcite.io.LocalFile;
import io.github.lancecalcite.io.PositionalReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatasetScanTest {
  private final RootAllocator allocator = new RootAllocator();

  @TempDir Path folder;

  @AfterEach
  void noMemoryIsLeft() {
    allocator.close();
  }

  private Dataset open(String name) throws IOException {
    return Dataset.open(Fixtures.dataset(name), allocator);
  }

  private static List<ScanColumn> stored(Dataset dataset) {
    List<ScanColumn> columns = new ArrayList<>();
    for (SchemaField field : dataset.fields()) {
      columns.add(new FieldColumn(field.id()));
    }
    return columns;
  }

  /** Files below a folder that this process has open, as the operating system sees it. */
  private static long openFiles(Path below) throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    assumeThat(descriptors).isDirectory();
    long count = 0;
    try (Stream<Path> links = Files.list(descriptors)) {
      for (Path link : (Iterable<Path>) links::iterator) {
        try {
          count += Files.readSymbolicLink(link).startsWith(below.toRealPath()) ? 1 : 0;
        } catch (IOException e) {
          continue; // closed meanwhile: that of the listing itself
        }
      }
    }
    return count;
  }

  private static List<List<String>> rows(Dataset dataset, ScanRequest request) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    try (BatchCursor cursor = dataset.scan(request)) {
      while (cursor.next()) {
        VectorSchemaRoot batch = cursor.batch();
        assertThat(batch.getRowCount()).isBetween(1, request.batchSize());
        for (int i = 0; i < batch.getRowCount(); i++) {
          List<String> row = new ArrayList<>();
          for (var vector : batch.getFieldVectors()) {
            row.add(Cells.of(vector, i).toString());
          }
          rows.add(row);
        }
      }
      assertThat(cursor.next()).isFalse();
    }
    return rows;
  }

  private static List<Path> dataFiles(Path dataset) throws IOException {
    try (Stream<Path> files = Files.list(dataset.resolve("data"))) {
      return files.sorted().toList();
    }
  }

  private static Path dataFile(Path path, Dataset dataset, Fragment fragment) {
    for (DataFragment stored : dataset.manifest().fragments()) {
      if (stored.id() == fragment.id()) {
        return path.resolve("data").resolve(stored.files().get(0).path());
      }
    }
    throw new AssertionError(fragment);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"delfew_stable_20", "delfew_stable_21", "delfew_unstable_22", "updcols_21"})
  void filesAreOpenOnlyWhileTheirFragmentIsRead(String name) throws IOException {
    Path path = Fixtures.copy(name, folder);
    try (Dataset dataset = Dataset.open(path, allocator)) {
      ScanRequest all = ScanRequest.of(stored(dataset)).withBatchSize(50);
      assertThat(openFiles(path)).as("before").isZero();

      try (BatchCursor cursor = dataset.scan(all)) {
        assertThat(cursor.next()).isTrue();
        assertThat(openFiles(path)).as("while reading").isPositive();
        while (cursor.next()) {
          assertThat(openFiles(path)).isLessThanOrEqualTo(4);
        }
        assertThat(openFiles(path)).as("at the end").isZero();
      }
      try (BatchCursor cursor = dataset.scan(all.withLimit(7))) {
        int found = 0;
        while (cursor.next()) {
          found += cursor.batch().getRowCount();
        }
        assertThat(found).isEqualTo(7);
        assertThat(openFiles(path)).as("at the limit").isZero();
      }
      BatchCursor abandoned = dataset.scan(all);
      assertThat(abandoned.next()).isTrue();
      abandoned.close();
      assertThat(openFiles(path)).as("abandoned").isZero();
      dataset.scan(all).close();
      assertThat(openFiles(path)).as("not begun").isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"delfew_stable_20", "delfew_stable_21"})
  void aTruncatedFileIsNamedAfterTheFragmentsBeforeItWereRead(String name) throws IOException {
    Path path = Fixtures.copy(name, folder);
    try (Dataset dataset = Dataset.open(path, allocator)) {
      List<Fragment> fragments = dataset.fragments();
      Fragment last = fragments.get(fragments.size() - 1);
      Path file = dataFile(path, dataset, last);
      byte[] good = Files.readAllBytes(file);
      Files.write(file, Arrays.copyOf(good, good.length / 2));
      long rows = 0;
      try (BatchCursor cursor = dataset.scan(ScanRequest.of(stored(dataset)))) {
        while (rows < dataset.countRows() - last.liveRows()) {
          assertThat(cursor.next()).isTrue();
          rows += cursor.batch().getRowCount();
        }
        assertThatThrownBy(cursor::next)
            .isExactlyInstanceOf(CorruptFileException.class)
            .hasMessageContaining(file.getFileName().toString());
        assertThat(openFiles(path)).as("after the error").isZero();
        assertThat(cursor.next()).as("after the error").isFalse();
        assertThatThrownBy(cursor::batch).isInstanceOf(IllegalStateException.class);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"types_nested_20", "enc_zstd_20", "types_nested_21", "enc_zstd_22"})
  void anErrorInTheMiddleOfABatchLeavesNoFileAndNoMemory(String name) throws IOException {
    Path path = Fixtures.copy(name, folder);
    Path file;
    try (Dataset dataset = Dataset.open(path, allocator)) {
      file = dataFile(path, dataset, dataset.fragments().get(0));
    }
    byte[] bytes = Files.readAllBytes(file);
    try (PositionalReader reader = LocalFile.open(file)) {
      FileMetadata metadata = FileMetadataReader.read(reader);
      metadata.columns().stream()
          .flatMap(column -> column.pages().stream())
          .flatMap(page -> page.buffers().stream())
          .forEach(
              b ->
                  Arrays.fill(bytes, (int) b.offset(), (int) (b.offset() + b.size()), (byte) 0xff));
    }
    Files.write(file, bytes);
    try (Dataset dataset = Dataset.open(path, allocator)) {
      List<ScanColumn> columns = stored(dataset);
      columns.add(0, SystemColumn.ROW_ID);
      try (BatchCursor cursor = dataset.scan(ScanRequest.of(columns))) {
        assertThatThrownBy(cursor::next)
            .isExactlyInstanceOf(CorruptFileException.class)
            .hasMessageContaining(file.getFileName().toString());
        assertThat(openFiles(path)).isZero();
      }
    }
  }

  @Test
  void aMissingDataFileIsNamed() throws IOException {
    Path path = Fixtures.copy("delfew_stable_20", folder);
    Path file = dataFiles(path).get(0);
    Files.delete(file);
    try (Dataset dataset = Dataset.open(path, allocator);
        BatchCursor cursor = dataset.scan(ScanRequest.of(stored(dataset)))) {
      assertThatThrownBy(
              () -> {
                while (cursor.next()) {
                  assertThat(cursor.batch().getRowCount()).isPositive();
                }
              })
          .isExactlyInstanceOf(NotFoundException.class)
          .hasMessageContaining(file.getFileName().toString());
    }
  }

  @Test
  void aFileOfOtherRowsThanTheManifestSaysIsCorrupt() throws IOException {
    Path path = Fixtures.copy("versions_stable_20", folder);
    try (Dataset dataset = Dataset.open(path, allocator)) {
      Fragment first = dataset.fragments().get(0);
      Fragment other =
          dataset.fragments().stream()
              .filter(fragment -> fragment.physicalRows() != first.physicalRows())
              .findFirst()
              .orElseThrow();
      Path file = dataFile(path, dataset, first);
      Files.copy(dataFile(path, dataset, other), file, StandardCopyOption.REPLACE_EXISTING);
      try (BatchCursor cursor = dataset.scan(ScanRequest.of(stored(dataset)))) {
        assertThatThrownBy(cursor::next)
            .isExactlyInstanceOf(CorruptFileException.class)
            .hasMessage(
                "corrupt file "
                    + file
                    + ": rows of fragment "
                    + first.id()
                    + ": expected "
                    + first.physicalRows()
                    + " (manifest), found "
                    + other.physicalRows());
      }
    }
  }

  @Test
  void aCursorHasABatchOnlyBetweenNextAndTheEnd() throws IOException {
    try (Dataset dataset = open("types_nested_20")) {
      BatchCursor cursor = dataset.scan(ScanRequest.of(stored(dataset)));
      assertThatThrownBy(cursor::batch)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("there is no current batch");
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.batch().getSchema()).isEqualTo(cursor.schema());
      cursor.close();
      cursor.close();
      assertThatThrownBy(cursor::next)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the scan is closed");
      assertThatThrownBy(cursor::batch).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void columnsThatAreNotThereOrRequestedTwiceAreRefused() throws IOException {
    try (Dataset dataset = open("types_nested_20")) {
      assertThatThrownBy(() -> dataset.scan(ScanRequest.of(List.of(new FieldColumn(4711)))))
          .isExactlyInstanceOf(IllegalArgumentException.class)
          .hasMessage("no top-level field with id 4711 in " + dataset.path());
      ScanColumn column = stored(dataset).get(0);
      assertThatThrownBy(() -> dataset.scan(ScanRequest.of(List.of(column, column))))
          .isExactlyInstanceOf(IllegalArgumentException.class)
          .hasMessage("column " + column + " is requested twice");
      List<ScanColumn> twice = List.of(SystemColumn.ROW_ID, column, SystemColumn.ROW_ID);
      assertThatThrownBy(() -> dataset.scan(ScanRequest.of(twice)))
          .isExactlyInstanceOf(IllegalArgumentException.class)
          .hasMessage("column ROW_ID is requested twice");
    }
  }

  @Test
  void fragmentsThatAreNotThereAreRefused() throws IOException {
    try (Dataset dataset = open("delfrag_20")) {
      List<Long> ids = dataset.fragments().stream().map(Fragment::id).toList();
      ScanRequest request = ScanRequest.of(stored(dataset)).withFragments(List.of(99L, ids.get(0)));
      assertThatThrownBy(() -> dataset.scan(request))
          .isExactlyInstanceOf(NotFoundException.class)
          .hasMessageContaining("fragment [99]")
          .hasMessageContaining("version " + dataset.versionNumber() + " has fragments " + ids);
    }
  }

  @Test
  void aScanWithoutColumnsCountsRows() throws IOException {
    for (String name : List.of("delfew_stable_20", "types_nested_20", "empty_20")) {
      try (Dataset dataset = open(name)) {
        ScanRequest none = ScanRequest.of(List.of()).withBatchSize(77);
        assertThat(rows(dataset, none)).hasSize((int) dataset.countRows());
        if (dataset.countRows() > 0) {
          long id = rows(dataset, ScanRequest.of(List.of(SystemColumn.ROW_ID))).size() / 2;
          SystemPredicate half =
              SystemPredicate.NONE.and(SystemColumn.ROW_ID, ValueRanges.closed(0, id));
          assertThat(rows(dataset, none.withPredicate(half)).size())
              .isEqualTo(rows(dataset, ScanRequest.of(stored(dataset)).withPredicate(half)).size());
        }
      }
    }
  }

  @Test
  void storedAndSystemColumnsOfARowStandTogether() throws IOException {
    for (String name : List.of("delfew_unstable_20", "versions_stable_21")) {
      try (Dataset dataset = open(name)) {
        List<ScanColumn> columns = new ArrayList<>(stored(dataset));
        columns.add(0, SystemColumn.ROW_OFFSET);
        columns.add(2, SystemColumn.FRAGMENT_ID);
        columns.add(SystemColumn.ROW_ADDR);
        List<List<String>> plain = rows(dataset, ScanRequest.of(stored(dataset)));
        List<List<String>> all = rows(dataset, ScanRequest.of(columns).withBatchSize(33));
        assertThat(all).hasSameSizeAs(plain);
        for (int i = 0; i < all.size(); i++) {
          List<String> row = new ArrayList<>(all.get(i));
          long address = Long.parseLong(row.remove(row.size() - 1));
          assertThat(row.remove(2)).isEqualTo(Long.toString(address >>> 32));
          assertThat(row.remove(0)).isEqualTo(Integer.toString(i));
          assertThat(row).isEqualTo(plain.get(i));
        }
        // ordinals count the rows of fragments that are not read
        Fragment last = dataset.fragments().get(dataset.fragments().size() - 1);
        assertThat(rows(dataset, ScanRequest.of(columns).withFragments(List.of(last.id()))))
            .isEqualTo(all.subList(all.size() - (int) last.liveRows(), all.size()));
      }
    }
  }

  static Stream<String> histories() {
    return Fixtures.names().stream().filter(name -> name.matches("(seg_|versions_|manyupd).*"));
  }

  @ParameterizedTest
  @MethodSource("histories")
  void conditionsKeepTheRowsThatAFilterWouldKeep(String name) throws IOException {
    try (Dataset dataset = open(name)) {
      List<ScanColumn> columns = stored(dataset);
      int firstSystem = columns.size();
      List<SystemColumn> system =
          Arrays.stream(SystemColumn.values()).filter(c -> c != SystemColumn.ROW_OFFSET).toList();
      columns.addAll(system);
      ScanRequest request = ScanRequest.of(columns);
      List<List<String>> all = rows(dataset, request);
      Random random = new Random(name.hashCode());
      for (int c = 0; c < system.size(); c++) {
        int column = firstSystem + c;
        for (int i = 0; i < 6; i++) {
          ValueRanges allowed = ValueRanges.NONE;
          for (int part = random.nextInt(4); part >= 0; part--) {
            long a = value(all.get(random.nextInt(all.size())), column);
            long b = value(all.get(random.nextInt(all.size())), column);
            allowed =
                allowed.union(
                    i % 2 == 0
                        ? ValueRanges.of(a)
                        : ValueRanges.closed(Math.min(a, b), Math.max(a, b)));
          }
          ValueRanges values = allowed;
          SystemPredicate predicate = SystemPredicate.NONE.and(system.get(c), values);
          List<List<String>> expected =
              all.stream().filter(row -> values.contains(value(row, column))).toList();
          ScanRequest restricted =
              request.withPredicate(predicate).withBatchSize(1 + random.nextInt(900));
          assertThat(rows(dataset, restricted)).as("%s", predicate).isEqualTo(expected);
          int limit = random.nextInt(expected.size() + 1);
          assertThat(rows(dataset, restricted.withLimit(limit)))
              .as("%s, limit %d", predicate, limit)
              .isEqualTo(expected.subList(0, limit));
        }
      }
    }
  }

  private static long value(List<String> row, int column) {
    return Long.parseUnsignedLong(row.get(column));
  }

  @Test
  void conditionsOnSeveralColumnsAreAllMet() throws IOException {
    try (Dataset dataset = open("versions_stable_20")) {
      List<ScanColumn> columns = stored(dataset);
      int n = columns.size();
      columns.add(SystemColumn.ROW_ID);
      columns.add(SystemColumn.ROW_LAST_UPDATED_AT_VERSION);
      List<List<String>> all = rows(dataset, ScanRequest.of(columns));
      long id = value(all.get(all.size() / 2), n);
      long version = value(all.get(all.size() - 1), n + 1);
      SystemPredicate both =
          SystemPredicate.NONE
              .and(SystemColumn.ROW_ID, ValueRanges.closed(id, -1L))
              .and(SystemColumn.ROW_LAST_UPDATED_AT_VERSION, ValueRanges.of(version));
      List<List<String>> expected =
          all.stream()
              .filter(r -> Long.compareUnsigned(value(r, n), id) >= 0 && value(r, n + 1) == version)
              .toList();
      assertThat(expected).isNotEmpty().hasSizeLessThan(all.size());
      assertThat(rows(dataset, ScanRequest.of(columns).withPredicate(both))).isEqualTo(expected);
    }
  }
}
