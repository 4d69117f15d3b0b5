package io.github.lancecalcite.dataset;

import io.github.lancecalcite.ValueRanges;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * A conjunction of conditions on system columns: for each column named, the values it may have. A
 * scan evaluates it exactly and without opening a data file for fragments it rules out.
 *
 * <p>Equals: keep a row when, for every entry, the row's value of that system column is in the set.
 *
 * @param allowed columns and their allowed values; a column not named is not restricted. Every
 *     column but {@link SystemColumn#ROW_OFFSET}, which depends on all rows before it, may be
 *     named.
 */
public record SystemPredicate(Map<SystemColumn, ValueRanges> allowed) {
  /** Restricts nothing. */
  public static final SystemPredicate NONE = new SystemPredicate(Map.of());

  public SystemPredicate {
    if (allowed.containsKey(SystemColumn.ROW_OFFSET)) {
      throw new IllegalArgumentException("_rowoffset cannot be restricted by a scan");
    }
    EnumMap<SystemColumn, ValueRanges> copy = new EnumMap<>(SystemColumn.class);
    allowed.forEach(
        (column, values) -> {
          if (!values.isAll()) {
            copy.put(column, values);
          }
        });
    allowed = Collections.unmodifiableMap(copy);
  }

  /** This condition and another on one column. */
  public SystemPredicate and(SystemColumn column, ValueRanges values) {
    EnumMap<SystemColumn, ValueRanges> merged = new EnumMap<>(SystemColumn.class);
    merged.putAll(allowed);
    merged.merge(column, values, ValueRanges::intersect);
    return new SystemPredicate(merged);
  }

  /** Whether the column may have any value. */
  public boolean isUnrestricted(SystemColumn column) {
    return !allowed.containsKey(column);
  }

  /** Values the column may have. */
  public ValueRanges allowed(SystemColumn column) {
    ValueRanges values = allowed.get(column);
    return values == null ? ValueRanges.ALL : values;
  }

  /** Whether nothing is restricted. */
  public boolean isTrue() {
    return allowed.isEmpty();
  }

  /** For instance {@code _rowid in {5, 7..9}}; empty when nothing is restricted. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    allowed.forEach(
        (column, values) ->
            text.append(text.isEmpty() ? "" : " and ")
                .append(column.columnName())
                .append(" in ")
                .append(values));
    return text.toString();
  }
}
