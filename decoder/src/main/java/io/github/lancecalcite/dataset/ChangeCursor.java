package io.github.lancecalcite.dataset;

import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.Transaction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampNanoTZVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * What the commits of a range of versions did to the rows, commit after commit: of each its deleted
 * rows, the updated ones before, the updated ones after, the inserted ones. A batch holds {@link
 * #FIELDS}, then the requested columns, and is of one commit and one kind of change.
 *
 * <p>A commit is worked out when it is reached, from the row ids and row versions of the fragments
 * it touched; columns are read for changed rows only.
 */
final class ChangeCursor implements BatchCursor {
  /** Columns that every batch begins with. */
  static final List<Field> FIELDS =
      List.of(
          Field.notNullable("_change_type", ArrowType.Utf8.INSTANCE),
          Field.notNullable("_commit_version", new ArrowType.Int(64, true)),
          Field.nullable("_commit_timestamp", new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC")));

  private final Dataset line;
  private final long to;
  private final List<ScanColumn> columns;
  private final BufferAllocator allocator;
  private final Schema schema;
  private final Deque<CommitChanges.Part> parts = new ArrayDeque<>();
  private @Nullable Dataset reached;
  private long version;
  private @Nullable BatchCursor scan;
  private CommitChanges.@Nullable Part part;
  private @Nullable VectorSchemaRoot batch;
  private List<FieldVector> constants = List.of();
  private boolean closed;

  private ChangeCursor(
      Dataset line, long from, Dataset last, List<ScanColumn> columns, BufferAllocator parent)
      throws IOException {
    this.line = line;
    this.to = last.versionNumber();
    this.version = from;
    this.reached = from == 0 ? null : line.version(from);
    this.columns = List.copyOf(columns);
    List<Field> fields = new ArrayList<>(FIELDS);
    FieldsById byId = new FieldsById(last.path(), last.fields());
    for (ScanColumn column : columns) {
      fields.add(
          column instanceof FieldColumn stored
              ? ArrowSchemas.field(byId.get(stored.fieldId()))
              : SystemVectors.field((SystemColumn) column));
    }
    this.schema = new Schema(fields);
    this.allocator = parent.newChildAllocator("changes of " + line.path(), 0, Long.MAX_VALUE);
  }

  static BatchCursor open(
      Dataset line, long from, long to, List<ScanColumn> columns, BufferAllocator parent)
      throws IOException {
    if (from < 0 || from > to) {
      throw new IllegalArgumentException("versions " + from + " to " + to + " are no range");
    }
    Dataset last = line.version(to);
    Dataset different = null;
    for (long version = Math.max(from, 1); version <= to; version++) {
      Dataset dataset = version == to ? last : line.version(version);
      checkRowIds(dataset);
      if (version > from) {
        checkOperation(dataset);
      }
      if (!sameColumns(dataset, last)) {
        different = dataset;
      }
    }
    if (different != null) {
      throw new UnsupportedFormatException(
          line.path(),
          "changes up to version " + to,
          "other columns in version " + different.versionNumber(),
          "ranges over which the columns stay: end at "
              + different.versionNumber()
              + ", go on behind the change");
    }
    return new ChangeCursor(line, from, last, columns, parent);
  }

  private static void checkRowIds(Dataset dataset) throws UnsupportedFormatException {
    if (!dataset.manifest().hasStableRowIds()) {
      throw new UnsupportedFormatException(
          dataset.path(),
          "changes of version " + dataset.versionNumber(),
          "no stable row ids",
          "datasets written with them");
    }
  }

  private static void checkOperation(Dataset dataset) throws IOException {
    long version = dataset.versionNumber();
    Transaction transaction = dataset.transaction();
    String operation =
        transaction == null ? "nothing that says what made it" : transaction.operation();
    boolean ends =
        switch (operation) {
          case "Overwrite" -> version > 1;
          case "Restore", "Clone" -> true;
          default -> transaction == null;
        };
    if (ends) {
      throw new UnsupportedFormatException(
          dataset.path(),
          "changes through version " + version,
          operation + ", after which row ids may be used again",
          "read version " + version + " whole, then changes from " + version + " on");
    }
  }

  private static boolean sameColumns(Dataset a, Dataset b) {
    return a.schema().equals(b.schema()) && ids(a).equals(ids(b));
  }

  private static List<Integer> ids(Dataset dataset) {
    return dataset.fields().stream().map(field -> field.id()).toList();
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public boolean next() throws IOException {
    if (closed) {
      throw new IllegalStateException("the scan is closed");
    }
    releaseBatch();
    while (true) {
      BatchCursor current = scan;
      if (current != null) {
        if (current.next()) {
          batch = wrap(current.batch());
          return true;
        }
        scan = null;
        current.close();
      }
      CommitChanges.Part following = parts.poll();
      if (following != null) {
        part = following;
        scan = following.of().scan(following.request(columns));
      } else if (version == to) {
        return false;
      } else {
        advance();
      }
    }
  }

  private void advance() throws IOException {
    Dataset after = line.version(version + 1);
    parts.addAll(CommitChanges.of(reached, after).parts());
    reached = after;
    version++;
  }

  private VectorSchemaRoot wrap(VectorSchemaRoot rows) {
    int count = rows.getRowCount();
    List<FieldVector> made = new ArrayList<>();
    for (Field field : FIELDS) {
      made.add(field.createVector(allocator));
    }
    constants = made;
    byte[] type = Objects.requireNonNull(part).type().text().getBytes(StandardCharsets.UTF_8);
    Instant time = Objects.requireNonNull(reached).manifest().timestamp();
    VarCharVector types = (VarCharVector) made.get(0);
    BigIntVector versions = (BigIntVector) made.get(1);
    TimeStampNanoTZVector times = (TimeStampNanoTZVector) made.get(2);
    types.allocateNew((long) type.length * count, count);
    versions.allocateNew(count);
    times.allocateNew(count);
    for (int i = 0; i < count; i++) {
      types.set(i, type);
      versions.set(i, version);
      if (time != null) {
        times.set(
            i,
            Math.addExact(
                Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano()));
      }
    }
    List<FieldVector> all = new ArrayList<>(made);
    made.forEach(vector -> vector.setValueCount(count));
    all.addAll(rows.getFieldVectors());
    return new VectorSchemaRoot(schema, all, count);
  }

  /** The rows' own vectors are the scan's. */
  private void releaseBatch() {
    constants.forEach(FieldVector::close);
    constants = List.of();
    batch = null;
  }

  @Override
  public VectorSchemaRoot batch() {
    if (batch == null) {
      throw new IllegalStateException("there is no current batch");
    }
    return batch;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    releaseBatch();
    try {
      if (scan != null) {
        scan.close();
      }
    } finally {
      allocator.close();
    }
  }
}
