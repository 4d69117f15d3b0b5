package io.github.lancecalcite.interop;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.ValueRanges;
import io.github.lancecalcite.dataset.BatchCursor;
import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.dataset.FieldColumn;
import io.github.lancecalcite.dataset.ScanColumn;
import io.github.lancecalcite.dataset.ScanRequest;
import io.github.lancecalcite.dataset.SystemColumn;
import io.github.lancecalcite.dataset.SystemPredicate;
import io.github.lancecalcite.sqltests.ArrowCells;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.compare.Range;
import org.apache.arrow.vector.compare.RangeEqualsVisitor;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/**
 * Holds one version of a dataset, as we read it, against what lance-core reads and against what was
 * written; then row ranges and single rows against the whole.
 *
 * <p>A column is wrong when it differs from what was written, unless lance-core reads exactly the
 * same. That, and where only lance-core differs from what was written, or cannot read a column at
 * all, is counted as lance-core's.
 */
final class VersionComparison {
  private static final List<SystemColumn> SYSTEM_COLUMNS =
      List.of(
          SystemColumn.ROW_ADDR,
          SystemColumn.ROW_ID,
          SystemColumn.ROW_CREATED_AT_VERSION,
          SystemColumn.ROW_LAST_UPDATED_AT_VERSION,
          SystemColumn.ROW_OFFSET);

  /** What we say of nested fixed-size lists whose items lance-core 7.0.0 does not write. */
  private static final String LOST = "some writers lose the data of nested fixed-size lists";

  private final BufferAllocator allocator;
  private final LanceCoreProcess core;
  private final InteropStatistics statistics;
  private final Random random;
  private final Path file;
  private final Dataset ours;
  private final ExpectedTable.Snapshot expected;

  /** Stored columns, then system columns. */
  private final List<String> names = new ArrayList<>();

  /** Stored columns among them. */
  private int stored;

  private final List<ScanColumn> columns = new ArrayList<>();

  /** Every row as we read it. */
  private final List<@Nullable Object[]> rows = new ArrayList<>();

  /** First differences, by column. */
  private final Map<String, String> fromTheirs = new TreeMap<>();

  private final Map<String, String> fromWritten = new TreeMap<>();

  /** Columns that lance-core could read. */
  private final Set<String> theirs = new HashSet<>();

  /**
   * @param file where lance-core's rows may be put
   */
  VersionComparison(
      BufferAllocator allocator,
      LanceCoreProcess core,
      InteropStatistics statistics,
      Random random,
      Path file,
      Dataset ours,
      ExpectedTable.Snapshot expected) {
    this.allocator = allocator;
    this.core = core;
    this.statistics = statistics;
    this.random = random;
    this.file = file;
    this.ours = ours;
    this.expected = expected;
  }

  private void addColumns(Set<String> leftOut) {
    for (String name : expected.names()) {
      if (!leftOut.contains(name)) {
        names.add(name);
        columns.add(ours.column(name));
      }
    }
    stored = names.size();
    for (SystemColumn column : SYSTEM_COLUMNS) {
      names.add(column.columnName());
      columns.add(column);
    }
  }

  /** Columns that lance-core wrote without their values, and so cannot read itself. */
  private Set<String> lost() throws IOException, InterruptedException {
    Set<String> lost = new HashSet<>();
    for (String name : expected.names()) {
      try {
        scan(List.of(ours.column(name)), SystemPredicate.NONE, ScanRequest.DEFAULT_BATCH_SIZE);
      } catch (CorruptFileException e) {
        if (!String.valueOf(e.getMessage()).contains(LOST) || theyReadWhatWasWritten(name)) {
          throw e;
        }
        statistics.wrong("no values in the file: " + kind(name), String.valueOf(e.getMessage()));
        lost.add(name);
      }
    }
    return lost;
  }

  /**
   * @throws AssertionError at a difference that is ours
   */
  void run() throws IOException, InterruptedException {
    int batchSize = batchSize();
    addColumns(Set.of());
    try {
      rows.addAll(scan(columns, SystemPredicate.NONE, batchSize));
    } catch (CorruptFileException e) {
      names.clear();
      columns.clear();
      addColumns(lost());
      rows.addAll(scan(columns, SystemPredicate.NONE, batchSize));
    }
    compareWithWritten();
    compareWithTheirs(names);
    judge(batchSize);
    for (int i = 0; i < 4; i++) {
      compareSomeRows();
    }
    if (random.nextInt(4) == 0 && !rows.isEmpty()) {
      compareTake();
    }
    check((long) rows.size(), ours.countRows(), "countRows");
    statistics.versions++;
    statistics.rows += rows.size();
  }

  /** lance-core may also read on beyond the values, and give whatever lies there. */
  private boolean theyReadWhatWasWritten(String name) throws IOException, InterruptedException {
    if (!theyRead(List.of(expected.names().get(0), name))) {
      return false;
    }
    int column = expected.names().indexOf(name);
    boolean same = true;
    try (ArrowFileReader reader =
        new ArrowFileReader(FileChannel.open(file, StandardOpenOption.READ), allocator)) {
      while (reader.loadNextBatch()) {
        VectorSchemaRoot batch = reader.getVectorSchemaRoot();
        for (int i = 0; i < batch.getRowCount(); i++) {
          Object key = Objects.requireNonNull(ArrowCells.get(batch.getVector(0), i));
          @Nullable Object[] written = expected.rows().get((Long) key);
          same &=
              written != null
                  && Objects.equals(written[column], ArrowCells.get(batch.getVector(1), i));
        }
      }
    }
    return same;
  }

  private int batchSize() {
    int most = expected.rows().size();
    return Math.max(1 + most / 500, drawnBatchSize());
  }

  private int drawnBatchSize() {
    return switch (random.nextInt(4)) {
      case 0 -> 1 + random.nextInt(100);
      case 1 -> Math.max(1, (1 << random.nextInt(15)) + random.nextInt(3) - 1);
      case 2 -> ScanRequest.DEFAULT_BATCH_SIZE;
      default -> 1 + random.nextInt(40_000);
    };
  }

  private List<@Nullable Object[]> scan(
      List<ScanColumn> wanted, SystemPredicate predicate, int batchSize) throws IOException {
    List<@Nullable Object[]> found = new ArrayList<>();
    ScanRequest request = ScanRequest.of(wanted).withPredicate(predicate).withBatchSize(batchSize);
    try (BatchCursor cursor = ours.scan(request)) {
      while (cursor.next()) {
        VectorSchemaRoot batch = cursor.batch();
        for (int i = 0; i < batch.getRowCount(); i++) {
          @Nullable Object[] row = new Object[wanted.size()];
          for (int c = 0; c < row.length; c++) {
            row[c] = ArrowCells.get(batch.getVector(c), i);
          }
          found.add(row);
        }
      }
    }
    return found;
  }

  private void compareWithWritten() throws IOException {
    Map<Integer, Integer> fields = new TreeMap<>();
    for (int c = 0; c < stored; c++) {
      fields.put(c, ((FieldColumn) columns.get(c)).fieldId());
    }
    BlobContents blobs = new BlobContents(Path.of(ours.path()), ours, fields);
    check(expected.rows().size(), rows.size(), "rows");
    for (@Nullable Object[] row : rows) {
      @Nullable Object[] written = expected.rows().get(Objects.requireNonNull((Long) row[0]));
      check(true, written != null, "key " + row[0] + " is live");
      for (int c = 0; c < stored; c++) {
        String name = names.get(c);
        Object cell = Objects.requireNonNull(written)[expected.names().indexOf(name)];
        boolean same =
            expected.blobs().contains(name)
                ? blobs.same(cell, row[c], c, address(row) >>> 32)
                : Objects.equals(cell, row[c]);
        if (!same) {
          fromWritten.putIfAbsent(
              name, "key " + row[0] + ": " + cell + " was written, we read " + row[c]);
        }
      }
    }
    statistics.cellsAgainstWritten += (long) rows.size() * stored;
  }

  /** Asks lance-core for columns at once, and where it cannot, for each alone. */
  private void compareWithTheirs(List<String> wanted) throws IOException, InterruptedException {
    if (!theyRead(wanted)) {
      if (wanted.size() > 1) {
        for (String name : wanted) {
          compareWithTheirs(List.of(name));
        }
      }
      return;
    }
    List<ScanColumn> some = new ArrayList<>();
    wanted.forEach(name -> some.add(columns.get(names.indexOf(name))));
    try (ArrowFileReader reader =
            new ArrowFileReader(FileChannel.open(file, StandardOpenOption.READ), allocator);
        BatchCursor cursor = ours.scan(ScanRequest.of(some).withBatchSize(batchSize()))) {
      compare(wanted, new Batches(reader), cursor);
    }
    theirs.addAll(wanted);
    statistics.cellsAgainstLanceCore += (long) rows.size() * wanted.size();
  }

  /** Has lance-core put columns into the file; a single one that it cannot read is counted. */
  private boolean theyRead(List<String> wanted) throws IOException, InterruptedException {
    List<String> request = new ArrayList<>();
    request.add("scan");
    request.add(ours.path());
    request.add("" + ours.versionNumber());
    request.add(file.toString());
    request.addAll(wanted);
    try {
      core.call(request);
      return true;
    } catch (LanceCoreFailure e) {
      if (wanted.size() == 1) {
        statistics.couldNot(e);
      }
      return false;
    }
  }

  /** The batches of a reader, of which some rows are used up. */
  private static final class Batches {
    private final ArrowFileReader reader;
    private int at;
    private int end;

    Batches(ArrowFileReader reader) {
      this.reader = reader;
    }

    /** Whether there is a row left; then the current batch has one. */
    boolean more() throws IOException {
      while (at == end) {
        if (!reader.loadNextBatch()) {
          return false;
        }
        at = 0;
        end = reader.getVectorSchemaRoot().getRowCount();
      }
      return true;
    }
  }

  private void compare(List<String> wanted, Batches their, BatchCursor cursor) throws IOException {
    while (cursor.next()) {
      VectorSchemaRoot batch = cursor.batch();
      int at = 0;
      while (at < batch.getRowCount()) {
        check(true, their.more(), "lance-core has a row where we have one");
        int count = Math.min(batch.getRowCount() - at, their.end - their.at);
        VectorSchemaRoot root = their.reader.getVectorSchemaRoot();
        for (int c = 0; c < wanted.size(); c++) {
          Range range = new Range(their.at, at, count);
          compare(wanted.get(c), root.getVector(c), batch.getVector(c), range);
        }
        at += count;
        their.at += count;
      }
    }
    check(false, their.more(), "lance-core has a row where we have none");
  }

  private void compare(String name, FieldVector theirs, FieldVector our, Range range) {
    // equal ranges are equal; of unequal ones, what lies below a null does not count
    if (sameTypes(theirs.getField(), our.getField())
        && new RangeEqualsVisitor(theirs, our, (a, b) -> true).rangeEquals(range)) {
      return;
    }
    for (int i = 0; i < range.getLength(); i++) {
      Object their = ArrowCells.get(theirs, range.getLeftStart() + i);
      Object ourCell = ArrowCells.get(our, range.getRightStart() + i);
      if (!Objects.equals(their, ourCell)) {
        fromTheirs.putIfAbsent(name, "lance-core has " + their + ", we have " + ourCell);
        return;
      }
    }
  }

  /** JSON inside of other fields has another type than ours. */
  private static boolean sameTypes(Field theirs, Field our) {
    List<Field> below = theirs.getChildren();
    boolean same =
        theirs.getType().equals(our.getType()) && below.size() == our.getChildren().size();
    for (int i = 0; same && i < below.size(); i++) {
      same = sameTypes(below.get(i), our.getChildren().get(i));
    }
    return same;
  }

  private void judge(int batchSize) {
    for (String name : names) {
      boolean known = names.indexOf(name) < stored;
      String written = known ? fromWritten.get(name) : null;
      String their = fromTheirs.get(name);
      if (written == null && their == null) {
        continue;
      }
      if (known && written == null) {
        statistics.wrong("reads something else: " + kind(name), name + ": " + their);
      } else if (known && their == null && theirs.contains(name)) {
        // it read something else itself, and wrote that when it compacted
        statistics.wrong("wrote something else: " + kind(name), name + ": " + written);
      } else {
        throw new AssertionError(
            String.format(
                "version %d, batch size %d, column %s: %s; %s",
                ours.versionNumber(),
                batchSize,
                name,
                written == null ? "what was written is not known" : written,
                their == null ? "lance-core cannot read it" : their));
      }
    }
  }

  private String kind(String name) {
    return ours.schema().findField(name).getType().getTypeID().toString();
  }

  /** A range of rows, or single ones, of some of the columns. */
  private void compareSomeRows() throws IOException {
    if (rows.isEmpty()) {
      return;
    }
    List<Integer> some = new ArrayList<>();
    for (int c = 0; c < columns.size(); c++) {
      some.add(c);
    }
    Collections.shuffle(some, random);
    List<Integer> wanted = some.subList(0, 1 + random.nextInt(some.size()));
    ValueRanges addresses = random.nextBoolean() ? range() : singleRows();
    List<@Nullable Object[]> expectedRows = new ArrayList<>();
    for (@Nullable Object[] row : rows) {
      if (addresses.contains(address(row))) {
        expectedRows.add(wanted.stream().map(c -> row[c]).toArray());
      }
    }
    int batchSize = batchSize();
    List<@Nullable Object[]> actual =
        scan(
            wanted.stream().map(columns::get).toList(),
            SystemPredicate.NONE.and(SystemColumn.ROW_ADDR, addresses),
            batchSize);
    String where =
        String.format(
            "version %d, rows at %s, batch size %d: ", ours.versionNumber(), addresses, batchSize);
    check(expectedRows.size(), actual.size(), where + "rows");
    for (int i = 0; i < actual.size(); i++) {
      for (int c = 0; c < wanted.size(); c++) {
        check(
            expectedRows.get(i)[c],
            actual.get(i)[c],
            where + "row " + i + ", column " + names.get(wanted.get(c)));
      }
    }
    statistics.ranges++;
    statistics.cellsInRanges += (long) actual.size() * wanted.size();
  }

  /** Single rows, in any order and some twice, as lance-core takes them. */
  private void compareTake() throws IOException, InterruptedException {
    List<String> request = new ArrayList<>();
    request.add("take");
    request.add(ours.path());
    request.add("" + ours.versionNumber());
    request.add(file.toString());
    int count = 1 + random.nextInt(20);
    request.add("" + count);
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      places.add(random.nextInt(rows.size()));
      request.add("" + places.get(i));
    }
    List<String> wanted = names.subList(0, stored);
    request.addAll(wanted);
    try {
      core.call(request);
    } catch (LanceCoreFailure e) {
      statistics.couldNot(e);
      return;
    }
    try (ArrowFileReader reader =
        new ArrowFileReader(FileChannel.open(file, StandardOpenOption.READ), allocator)) {
      int row = 0;
      while (reader.loadNextBatch()) {
        VectorSchemaRoot batch = reader.getVectorSchemaRoot();
        for (int i = 0; i < batch.getRowCount(); i++, row++) {
          for (int c = 0; c < stored; c++) {
            Object our = rows.get(places.get(row))[c];
            Object their = ArrowCells.get(batch.getVector(c), i);
            if (!Objects.equals(their, our)) {
              // what was written is known to be what we read
              String name = wanted.get(c);
              statistics.wrong(
                  "takes something else: " + kind(name), name + ": " + their + ", not " + our);
            }
          }
        }
      }
      check(count, row, "rows taken");
    }
    statistics.cellsInRanges += (long) count * stored;
    statistics.ranges++;
  }

  private ValueRanges range() {
    long first = address(rows.get(random.nextInt(rows.size())));
    long last = address(rows.get(random.nextInt(rows.size())));
    return ValueRanges.closed(Math.min(first, last), Math.max(first, last));
  }

  private ValueRanges singleRows() {
    long[] addresses = new long[1 + random.nextInt(30)];
    for (int i = 0; i < addresses.length; i++) {
      addresses[i] = address(rows.get(random.nextInt(rows.size())));
    }
    return ValueRanges.of(addresses);
  }

  private long address(@Nullable Object[] row) {
    return ((BigInteger) Objects.requireNonNull(row[stored])).longValue();
  }

  private static void check(@Nullable Object expected, @Nullable Object actual, String where) {
    if (!Objects.equals(expected, actual)) {
      throw new AssertionError(where + ": expected " + expected + ", got " + actual);
    }
  }
}
