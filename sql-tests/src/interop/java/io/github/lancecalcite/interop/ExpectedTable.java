package io.github.lancecalcite.interop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What a dataset must hold after the commits made so far, known without reading it: the live rows
 * by their key, which is the first column.
 *
 * <p>Values as {@link io.github.lancecalcite.sqltests.ArrowCells} gives them.
 */
final class ExpectedTable {
  private final List<String> names = new ArrayList<>();
  private final Set<String> blobs = new HashSet<>();
  private Map<Long, @Nullable Object[]> rows = new LinkedHashMap<>();

  /**
   * The state at one version.
   *
   * @param blobs columns of which a reader gives where the values are
   */
  record Snapshot(List<String> names, Set<String> blobs, Map<Long, @Nullable Object[]> rows) {}

  ExpectedTable(List<String> names, Set<String> blobs) {
    this.names.addAll(names);
    this.blobs.addAll(blobs);
  }

  Snapshot snapshot() {
    return new Snapshot(List.copyOf(names), Set.copyOf(blobs), new LinkedHashMap<>(rows));
  }

  /** Leaves no row. */
  void clear() {
    rows.clear();
  }

  /** Makes the state what it was at a version. */
  void restore(Snapshot then) {
    names.clear();
    names.addAll(then.names());
    blobs.clear();
    blobs.addAll(then.blobs());
    rows = new LinkedHashMap<>(then.rows());
  }

  /** Adds rows, or replaces those of the same key. */
  void put(List<@Nullable Object[]> changed) {
    changed.forEach(row -> rows.put((Long) Objects.requireNonNull(row[0]), row));
  }

  void delete(LongPredicate keys) {
    rows.keySet().removeIf(keys::test);
  }

  void add(String name, LongFunction<@Nullable Object> value) {
    names.add(name);
    replaceRows(
        row -> {
          @Nullable Object[] wider = Arrays.copyOf(row, row.length + 1);
          wider[row.length] = value.apply((Long) Objects.requireNonNull(row[0]));
          return wider;
        });
  }

  /** Removes a column, or with a dot in the path a child of a struct. */
  void drop(String path) {
    int dot = path.indexOf('.');
    int column = column(path);
    if (dot < 0) {
      names.remove(column);
      replaceRows(
          row -> {
            List<@Nullable Object> cells = new ArrayList<>(Arrays.asList(row));
            cells.remove(column);
            return cells.toArray();
          });
    } else {
      replaceStructs(column, path.substring(dot + 1), null);
    }
  }

  /** Renames a column, or with a dot in the path a child of a struct. */
  void rename(String path, String name) {
    int dot = path.indexOf('.');
    int column = column(path);
    if (dot < 0) {
      if (blobs.remove(path)) {
        blobs.add(name);
      }
      names.set(column, name);
    } else {
      replaceStructs(column, path.substring(dot + 1), name);
    }
  }

  /** The values of a column as those of another type. */
  void cast(String name, java.util.function.UnaryOperator<Object> to) {
    int column = column(name);
    replaceRows(
        row -> {
          @Nullable Object[] copy = row.clone();
          Object value = row[column];
          copy[column] = value == null ? null : to.apply(value);
          return copy;
        });
  }

  private int column(String path) {
    return names.indexOf(path.split("\\.", 2)[0]);
  }

  private void replaceStructs(int column, String child, @Nullable String name) {
    replaceRows(
        row -> {
          @Nullable Object[] copy = row.clone();
          if (copy[column] instanceof Map<?, ?> struct) {
            Map<Object, @Nullable Object> changed = new LinkedHashMap<>();
            struct.forEach(
                (key, value) -> {
                  if (!key.equals(child)) {
                    changed.put(key, value);
                  } else if (name != null) {
                    changed.put(name, value);
                  }
                });
            copy[column] = changed;
          }
          return copy;
        });
  }

  private interface RowChange {
    @Nullable Object[] apply(@Nullable Object[] row);
  }

  private void replaceRows(RowChange change) {
    Map<Long, @Nullable Object[]> changed = new LinkedHashMap<>();
    rows.forEach((key, row) -> changed.put(key, change.apply(row)));
    rows = changed;
  }
}
