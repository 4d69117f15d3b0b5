package io.github.lancecalcite.calcite;

import java.util.Arrays;
import java.util.Map;
import org.apache.calcite.linq4j.Enumerable;
import org.jspecify.annotations.Nullable;

/** Rows in which times and timestamps have the digits back that walked beside them. */
final class FineRows {
  private FineRows() {}

  /**
   * Each row shortened to the statement's columns; a row of one column is its value.
   *
   * @param rows arrays that are longer than that
   * @param fractions of columns, by position, the positions of their nanoseconds
   */
  @SuppressWarnings("unchecked") // a row is whatever Calcite's cursor takes it for
  static <T> Enumerable<T> merge(Enumerable<T> rows, int columns, Map<Integer, Integer> fractions) {
    int[] of = fractions.keySet().stream().mapToInt(Integer::intValue).toArray();
    int[] at = Arrays.stream(of).map(fractions::get).toArray();
    return rows.select(row -> (T) merged((Object[]) row, columns, of, at));
  }

  private static @Nullable Object merged(@Nullable Object[] row, int columns, int[] of, int[] at) {
    @Nullable Object[] merged = Arrays.copyOf(row, columns);
    for (int i = 0; i < of.length; i++) {
      Number nanos = (Number) row[at[i]];
      Number millis = (Number) row[of[i]];
      if (millis != null && nanos != null && nanos.intValue() != 0) {
        merged[of[i]] = new FineMillis(millis.longValue(), nanos.intValue());
      }
    }
    return columns == 1 ? merged[0] : merged;
  }
}
