package io.github.lancecalcite.interop;

import io.github.lancecalcite.dataset.Dataset;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Writes one dataset, drawn from a seed: a schema, rows, and a history of commits; and knows what
 * every version of it must hold.
 *
 * <p>One in three is about row counts at the borders of pages, chunks and batches: few columns, few
 * commits. A commit that lance-core cannot make is counted and leaves the rows as they were.
 */
final class RandomHistory {
  private static final String[] FILE_VERSIONS = {
    "2.0", "2.0", "2.1", "2.1", "2.1", "2.2", "2.2", "2.2", "2.3"
  };
  private static final long MOST_VALUES = 4_000_000;

  private static final int[] BORDERS = {
    1, 2, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 8191,
    8192, 8193, 16_383, 16_384, 16_385, 32_767, 32_768, 32_769
  };

  private final Random random;
  private final BufferAllocator allocator;
  private final LanceCoreProcess core;
  private final InteropStatistics statistics;
  private final Path dataset;
  private final Path rowsFile;
  private final String fileVersion;
  private final boolean stableRowIds;
  private final boolean borders;
  private final List<String> story = new ArrayList<>();
  private final List<RandomColumn> columns = new ArrayList<>();
  private final ExpectedTable expected;
  private final SortedMap<Long, ExpectedTable.Snapshot> versions = new TreeMap<>();

  /** What the rows that follow a version are drawn from. */
  private final Map<Long, List<RandomColumn>> columnsOf = new HashMap<>();

  private long nextKey;
  private int nextName;

  /**
   * @param folder holds the dataset, {@code t.lance}, and the rows on their way to it
   */
  RandomHistory(
      long seed,
      BufferAllocator allocator,
      Path folder,
      LanceCoreProcess core,
      InteropStatistics statistics) {
    this.random = new Random(seed);
    this.allocator = allocator;
    this.core = core;
    this.statistics = statistics;
    this.dataset = folder.resolve("t.lance");
    this.rowsFile = folder.resolve("rows.arrow");
    borders = random.nextInt(3) == 0;
    fileVersion = FILE_VERSIONS[random.nextInt(FILE_VERSIONS.length)];
    stableRowIds = random.nextInt(3) != 0;
    List<Field> fields =
        new RandomSchema(random, fileVersion)
            .fields(borders ? 2 : 5, borders && random.nextInt(3) != 0);
    story.add("files " + fileVersion + (stableRowIds ? ", stable row ids" : ""));
    Set<String> blobs = new HashSet<>();
    List<String> names = new ArrayList<>();
    for (Field field : fields) {
      names.add(field.getName());
      if (names.size() > 1) {
        addColumn(field);
      }
      if (RandomSchema.isBlob(field)) {
        blobs.add(field.getName());
      }
    }
    expected = new ExpectedTable(names, blobs);
  }

  private void addColumn(Field field) {
    RandomColumn column = new RandomColumn(field, random, nullableStructs());
    columns.add(column);
    statistics.columns++;
    story.add(column.toString());
  }

  /** What was drawn, for the text of a failure. */
  String story() {
    return String.join("\n  ", story);
  }

  /** What every version must hold. */
  SortedMap<Long, ExpectedTable.Snapshot> versions() {
    return versions;
  }

  /**
   * Creates the dataset and makes some more commits.
   *
   * @return whether there is a dataset at all
   */
  boolean write() throws IOException, InterruptedException {
    write("create");
    if (versions.isEmpty()) {
      return false;
    }
    columnsOf.put(versions.lastKey(), List.copyOf(columns));
    int commits = random.nextInt(borders ? 3 : 8);
    for (int i = 0; i < commits; i++) {
      commit();
    }
    return true;
  }

  private void commit() throws IOException, InterruptedException {
    change();
    versions.keySet().forEach(version -> columnsOf.putIfAbsent(version, List.copyOf(columns)));
  }

  private void change() throws IOException, InterruptedException {
    switch (random.nextInt(15)) {
      case 0, 1 -> write("append");
      case 12 -> appendSome();
      case 13 -> write("overwrite");
      case 14 -> restore();
      case 2 -> {
        long from = key();
        long to = key();
        delete("k >= " + from + " and k < " + to, k -> k >= from && k < to);
      }
      case 3 -> {
        int of = 2 + random.nextInt(5);
        long to = key();
        delete("k % " + of + " = 1 and k < " + to, k -> k % of == 1 && k < to);
      }
      case 4 -> {
        Set<Long> keys = Set.copyOf(new TreeSet<>(List.of(key(), key(), key())));
        String list = keys.toString().replace('[', '(').replace(']', ')');
        delete("k in " + list, keys::contains);
      }
      case 5, 6 -> upsert();
      case 7, 8 -> {
        int target = 1 + random.nextInt(random.nextBoolean() ? 5000 : 50_000);
        attempt(List.of("compact", dataset.toString(), "" + target), () -> {});
      }
      case 9 -> addColumn();
      case 10 -> dropOrRename();
      default -> cast();
    }
  }

  private interface Effect {
    void apply() throws IOException;
  }

  /** Makes a commit; its effect on the rows is the expected one if lance-core makes it. */
  private boolean attempt(List<String> request, Effect effect)
      throws IOException, InterruptedException {
    statistics.commits++;
    story.add(String.join(" ", request));
    boolean done = false;
    try {
      core.call(request);
      effect.apply();
      done = true;
    } catch (LanceCoreFailure e) {
      story.add("(lance-core could not: " + e.getMessage() + ")");
      statistics.couldNot(e);
    }
    long known = versions.isEmpty() ? 0 : versions.lastKey();
    if (known > 0 || done) {
      // compaction makes two versions, and may fail after the first
      try (Dataset latest = Dataset.open(dataset, allocator)) {
        for (long version = known + 1; version <= latest.versionNumber(); version++) {
          versions.put(version, expected.snapshot());
        }
      }
    }
    return done;
  }

  private void delete(String predicate, LongPredicate keys)
      throws IOException, InterruptedException {
    attempt(List.of("delete", dataset.toString(), predicate), () -> expected.delete(keys));
  }

  private void write(String command) throws IOException, InterruptedException {
    int count = count();
    List<@Nullable Object[]> rows = prepare(newRows(count), columns);
    int perFile = random.nextBoolean() ? 1_000_000 : Math.max(1, count / (1 + random.nextInt(4)));
    story.add(count + " rows, " + perFile + " per file");
    attempt(
        List.of(
            command,
            dataset.toString(),
            rowsFile.toString(),
            fileVersion,
            "" + stableRowIds,
            "" + perFile),
        () -> {
          if (command.equals("overwrite")) {
            expected.clear();
          }
          expected.put(rows);
        });
  }

  /** Appends rows without some of the columns that may be null. */
  private void appendSome() throws IOException, InterruptedException {
    List<Integer> kept = new ArrayList<>();
    for (int c = 0; c < columns.size(); c++) {
      if (!columns.get(c).field().isNullable() || random.nextBoolean()) {
        kept.add(c);
      }
    }
    List<Object[]> narrow = new ArrayList<>();
    for (Object[] row : newRows(1 + random.nextInt(50))) {
      Object[] cells = new Object[kept.size() + 1];
      cells[0] = row[0];
      for (int i = 0; i < kept.size(); i++) {
        cells[i + 1] = row[kept.get(i) + 1];
      }
      narrow.add(cells);
    }
    List<@Nullable Object[]> written = prepare(narrow, kept.stream().map(columns::get).toList());
    List<@Nullable Object[]> wide = new ArrayList<>();
    for (@Nullable Object[] cells : written) {
      @Nullable Object[] row = new Object[columns.size() + 1];
      row[0] = cells[0];
      for (int i = 0; i < kept.size(); i++) {
        row[kept.get(i) + 1] = cells[i + 1];
      }
      wide.add(row);
    }
    story.add("columns " + kept + " only");
    attempt(
        List.of(
            "append",
            dataset.toString(),
            rowsFile.toString(),
            fileVersion,
            "" + stableRowIds,
            "1000000"),
        () -> expected.put(wide));
  }

  private void restore() throws IOException, InterruptedException {
    List<Long> known = List.copyOf(versions.keySet());
    long version = known.get(random.nextInt(known.size()));
    attempt(
        List.of("restore", dataset.toString(), "" + version),
        () -> {
          expected.restore(versions.get(version));
          columns.clear();
          columns.addAll(columnsOf.get(version));
        });
  }

  private void upsert() throws IOException, InterruptedException {
    TreeSet<Long> keys = new TreeSet<>();
    int known = random.nextInt(10) == 0 ? 500 : 1 + random.nextInt(20);
    for (int i = 0; i < known; i++) {
      keys.add(key());
    }
    List<Object[]> rows = new ArrayList<>();
    keys.forEach(key -> rows.add(row(key)));
    rows.addAll(newRows(random.nextInt(5)));
    Collections.shuffle(rows, random);
    List<@Nullable Object[]> cells = prepare(rows, columns);
    attempt(
        List.of("upsert", dataset.toString(), rowsFile.toString(), "k"), () -> expected.put(cells));
  }

  /** Puts rows into the file that lance-core reads them from. */
  private List<@Nullable Object[]> prepare(List<Object[]> rows, List<RandomColumn> columns)
      throws IOException {
    List<Field> fields = new ArrayList<>();
    fields.add(Field.notNullable("k", new ArrowType.Int(64, true)));
    Map<Long, List<Object>> dictionaries = new HashMap<>();
    for (RandomColumn column : columns) {
      fields.add(column.field());
      if (column.field().getDictionary() != null) {
        dictionaries.put(column.field().getDictionary().getId(), column.dictionary());
      }
    }
    int batchRows =
        random.nextInt(3) == 0 ? BORDERS[random.nextInt(BORDERS.length)] : 1 << random.nextInt(17);
    batchRows = Math.max(batchRows, rows.size() / 100);
    story.add("batches of " + batchRows);
    try (RowsReader reader =
        new RowsReader(allocator, new Schema(fields), rows, batchRows, dictionaries)) {
      return RowsFile.write(rowsFile, reader);
    }
  }

  private void addColumn() throws IOException, InterruptedException {
    String name = "a" + nextName++;
    switch (random.nextInt(5)) {
      case 0 -> add(name, "k * 3", k -> k * 3);
      case 1 -> add(name, "cast(k as string)", Long::toString);
      case 2 -> add(name, "k % 7 = 0", k -> k % 7 == 0);
      case 3 -> add(name, "cast(k as double)", k -> (double) k);
      default -> {
        Field field = new RandomSchema(random, fileVersion).fields(1, random.nextBoolean()).get(1);
        if (field.getDictionary() == null && !RandomSchema.isBlob(field)) {
          addNull(nullable(name, field));
        }
      }
    }
  }

  private static Field nullable(String name, Field field) {
    return new Field(
        name, new FieldType(true, field.getType(), null, field.getMetadata()), field.getChildren());
  }

  private void add(String name, String sql, LongFunction<@Nullable Object> value)
      throws IOException, InterruptedException {
    if (attempt(List.of("add", dataset.toString(), name, sql), () -> expected.add(name, value))) {
      try (Dataset latest = Dataset.open(dataset, allocator)) {
        addColumn(latest.schema().findField(name));
      }
    }
  }

  private void addNull(Field field) throws IOException, InterruptedException {
    write(field);
    if (attempt(
        List.of("addNull", dataset.toString(), rowsFile.toString()),
        () -> expected.add(field.getName(), k -> null))) {
      addColumn(field);
    }
  }

  /** A file of no rows, which carries a field. */
  private void write(Field field) throws IOException {
    try (RowsReader reader = new RowsReader(allocator, new Schema(List.of(field)), List.of(), 1)) {
      RowsFile.write(rowsFile, reader);
    }
  }

  private void dropOrRename() throws IOException, InterruptedException {
    if (columns.isEmpty()) {
      return;
    }
    int at = random.nextInt(columns.size());
    Field field = columns.get(at).field();
    String path = field.getName();
    boolean struct =
        field.getType().equals(ArrowType.Struct.INSTANCE) && !RandomSchema.isBlob(field);
    String name = "r" + nextName++;
    if (struct && random.nextBoolean()) {
      String child = field.getChildren().get(random.nextInt(field.getChildren().size())).getName();
      String childPath = path + "." + child;
      boolean drop = field.getChildren().size() > 1 && random.nextBoolean();
      if (drop) {
        if (attempt(
            List.of("drop", dataset.toString(), childPath), () -> expected.drop(childPath))) {
          replace(at, field, child, null);
        }
      } else if (attempt(
          List.of("rename", dataset.toString(), childPath, name),
          () -> expected.rename(childPath, name))) {
        replace(at, field, child, name);
      }
    } else if (random.nextBoolean()) {
      if (attempt(List.of("drop", dataset.toString(), path), () -> expected.drop(path))) {
        columns.remove(at);
      }
    } else if (attempt(
        List.of("rename", dataset.toString(), path, name), () -> expected.rename(path, name))) {
      columns.set(at, new RandomColumn(renamed(field, name), random, nullableStructs()));
    }
  }

  private static Field renamed(Field field, String name) {
    return new Field(name, field.getFieldType(), field.getChildren());
  }

  private boolean nullableStructs() {
    return !fileVersion.equals("2.0");
  }

  private void replace(int at, Field struct, String child, @Nullable String name) {
    List<Field> children = new ArrayList<>();
    for (Field old : struct.getChildren()) {
      if (!old.getName().equals(child)) {
        children.add(old);
      } else if (name != null) {
        children.add(renamed(old, name));
      }
    }
    Field changed = new Field(struct.getName(), struct.getFieldType(), children);
    columns.set(at, new RandomColumn(changed, random, nullableStructs()));
  }

  /** Widens an integer or float32 column, if there is one. */
  private void cast() throws IOException, InterruptedException {
    for (int at = 0; at < columns.size(); at++) {
      Field field = columns.get(at).field();
      ArrowType to = wider(field.getType());
      if (to != null && field.getDictionary() == null) {
        cast(at, field, to);
        return;
      }
    }
  }

  private static @Nullable ArrowType wider(ArrowType type) {
    if (type.equals(new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE))) {
      return new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
    }
    return type instanceof ArrowType.Int integer
            && integer.getIsSigned()
            && integer.getBitWidth() < 64
        ? new ArrowType.Int(64, true)
        : null;
  }

  private void cast(int at, Field field, ArrowType to) throws IOException, InterruptedException {
    String name = field.getName();
    Field wide =
        new Field(name, new FieldType(field.isNullable(), to, null, field.getMetadata()), null);
    write(wide);
    UnaryOperator<Object> convert =
        to instanceof ArrowType.FloatingPoint ? v -> ((Float) v).doubleValue() : v -> v;
    attempt(
        List.of("cast", dataset.toString(), name, rowsFile.toString()),
        () -> {
          // lance-core 7.0.0 may accept it and do nothing
          try (Dataset latest = Dataset.open(dataset, allocator)) {
            if (latest.schema().findField(name).getType().equals(to)) {
              expected.cast(name, convert);
              columns.set(at, new RandomColumn(wide, random, true));
            }
          }
        });
  }

  /** Of rows that are large, only as many as fit into memory several times over. */
  private int count() {
    long weight = 1 + columns.stream().mapToLong(RandomColumn::weight).sum();
    return (int) Math.min(drawnCount(), Math.max(50, MOST_VALUES / weight));
  }

  private int drawnCount() {
    if (borders) {
      return BORDERS[random.nextInt(BORDERS.length)];
    }
    return switch (random.nextInt(10)) {
      case 0 -> 1;
      case 1, 2, 3 -> 2 + random.nextInt(60);
      case 9 -> 5000 + random.nextInt(8000);
      default -> 100 + random.nextInt(2500);
    };
  }

  private long key() {
    return nextKey == 0 ? 0 : random.nextLong(nextKey);
  }

  private List<Object[]> newRows(int count) {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(row(nextKey++));
    }
    return rows;
  }

  private Object[] row(long key) {
    Object[] row = new Object[columns.size() + 1];
    row[0] = key;
    for (int c = 0; c < columns.size(); c++) {
      row[c + 1] = columns.get(c).next();
    }
    return row;
  }
}
