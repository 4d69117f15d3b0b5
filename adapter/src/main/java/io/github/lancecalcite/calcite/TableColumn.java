package io.github.lancecalcite.calcite;

import io.github.lancecalcite.dataset.ArrowSchemas;
import io.github.lancecalcite.dataset.FieldColumn;
import io.github.lancecalcite.dataset.ScanColumn;
import io.github.lancecalcite.dataset.SystemColumn;
import io.github.lancecalcite.format.SchemaField;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.jspecify.annotations.Nullable;

/**
 * A column of a dataset table.
 *
 * @param source what to ask the decoder for
 * @param field Arrow field of a stored column, null for a system column
 * @param isFraction whether it is only what a time or timestamp holds beneath the millisecond
 */
record TableColumn(String name, ScanColumn source, @Nullable Field field, boolean isFraction) {
  TableColumn(String name, ScanColumn source, @Nullable Field field) {
    this(name, source, field, false);
  }

  /**
   * Columns of a table: the stored ones in their order, then the system columns. A stored column
   * that bears a system column's name takes its place: the system column is not there then.
   */
  static List<TableColumn> of(List<SchemaField> fields) {
    List<TableColumn> columns = new ArrayList<>(fields.size() + SystemColumn.values().length);
    Set<String> taken = new HashSet<>();
    for (SchemaField field : fields) {
      taken.add(field.name());
      columns.add(
          new TableColumn(field.name(), new FieldColumn(field.id()), ArrowSchemas.field(field)));
    }
    for (SystemColumn system : SystemColumn.values()) {
      if (!taken.contains(system.columnName())) {
        columns.add(new TableColumn(system.columnName(), system, null));
      }
    }
    return List.copyOf(columns);
  }

  boolean isSystem() {
    return field == null;
  }

  /**
   * Whether values may have digits that Calcite's runtime, which holds milliseconds, has no room
   * for.
   */
  boolean isFine() {
    return field != null && !isFraction && LanceTypes.isFine(field);
  }

  /** The nanoseconds after the millisecond of this column. */
  TableColumn fraction() {
    return new TableColumn(name + " (after the millisecond)", source, field, true);
  }

  RelDataType type(RelDataTypeFactory factory) {
    if (field != null && isFraction) {
      return LanceTypes.fraction(field, factory);
    }
    return field == null ? LanceTypes.system(factory) : LanceTypes.of(field, factory);
  }

  ValueReaders.ValueReader reader(FieldVector vector) {
    if (isFraction) {
      return ValueReaders.fraction(vector);
    }
    return field == null ? ValueReaders.system(vector, name) : ValueReaders.of(vector);
  }
}
