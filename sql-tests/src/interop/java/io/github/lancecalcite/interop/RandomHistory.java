package io.github.lancecalcite.interop;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Writes one dataset, drawn from a seed: a schema, rows, and a history of commits. */
final class RandomHistory {
  /**
   * How lance-core 7.0.0 sometimes fails to write a column of structs, of its own doing: its struct
   * encoder cuts the validity of a short slice too short.
   */
  private static final String WRITER_FAULT = "null_bit_buffer size too small";

  private static final String[] FILE_VERSIONS = {"2.0", "2.1", "2.2"};

  private final Random random;
  private final List<String> story = new ArrayList<>();
  private final List<RandomColumn> columns = new ArrayList<>();
  private final LanceWriter writer;
  private long nextKey;

  RandomHistory(long seed, BufferAllocator allocator, Path folder) {
    random = new Random(seed);
    String fileVersion = FILE_VERSIONS[random.nextInt(3)];
    boolean stable = random.nextInt(3) != 0;
    List<Field> fields = new RandomSchema(random, fileVersion).fields();
    for (Field field : fields.subList(1, fields.size())) {
      columns.add(new RandomColumn(field, random, !fileVersion.equals("2.0")));
    }
    writer = new LanceWriter(allocator, folder.toString(), new Schema(fields), fileVersion, stable);
    story.add("files " + fileVersion + (stable ? ", stable row ids, " : ", ") + fields);
  }

  /** What was drawn, for the text of a failure. */
  String story() {
    return String.join("; ", story);
  }

  /**
   * Creates the dataset and makes up to eight more commits.
   *
   * @return how many commits fell to {@link #WRITER_FAULT}; they left nothing behind
   */
  int write() throws IOException {
    int rows = count();
    story.add("create " + rows);
    writer.create(newRows(rows), rowsPerFile(rows));
    int commits = random.nextInt(8);
    int failed = 0;
    for (int i = 0; i < commits; i++) {
      failed += commitOrFault() ? 0 : 1;
    }
    return failed;
  }

  private boolean commitOrFault() throws IOException {
    try {
      commit();
      return true;
    } catch (RuntimeException e) {
      if (!String.valueOf(e.getMessage()).contains(WRITER_FAULT)) {
        throw e;
      }
      story.add("(lance-core could not write it)");
      return false;
    }
  }

  private void commit() throws IOException {
    switch (random.nextInt(8)) {
      case 0, 1 -> {
        int rows = count();
        story.add("append " + rows);
        writer.append(newRows(rows), rowsPerFile(rows));
      }
      case 2 -> delete("k >= " + key() + " and k < " + key());
      case 3 -> delete("k % " + (2 + random.nextInt(5)) + " = 1 and k < " + key());
      case 4 -> delete("k in (" + key() + ", " + key() + ", " + key() + ")");
      case 5, 6 -> upsert();
      default -> {
        int target = 1 + random.nextInt(5000);
        story.add("compact to " + target);
        writer.compact(target);
      }
    }
  }

  private void delete(String predicate) throws IOException {
    story.add("delete " + predicate);
    writer.delete(predicate);
  }

  private void upsert() throws IOException {
    TreeSet<Long> keys = new TreeSet<>();
    int known = random.nextInt(10) == 0 ? 500 : 1 + random.nextInt(20);
    for (int i = 0; i < known; i++) {
      keys.add(key());
    }
    List<Object[]> rows = new ArrayList<>();
    keys.forEach(key -> rows.add(row(key)));
    rows.addAll(newRows(random.nextInt(5)));
    Collections.shuffle(rows, random);
    story.add("upsert " + keys.size() + " known of " + rows.size());
    writer.upsert("k", rows);
  }

  private int count() {
    return switch (random.nextInt(10)) {
      case 0 -> 1;
      case 1, 2, 3 -> 2 + random.nextInt(60);
      case 9 -> 5000 + random.nextInt(8000);
      default -> 100 + random.nextInt(2500);
    };
  }

  private int rowsPerFile(int rows) {
    return random.nextBoolean() ? 1_000_000 : Math.max(1, rows / (1 + random.nextInt(4)));
  }

  private long key() {
    return random.nextLong(nextKey);
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
