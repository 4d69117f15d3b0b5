package io.github.lancecalcite.dataset;

import io.github.lancecalcite.format.SchemaField;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The top-level fields of a dataset version by id. */
final class FieldsById {
  private final String path;
  private final Map<Integer, SchemaField> fields = new HashMap<>();

  FieldsById(String path, List<SchemaField> topLevel) {
    this.path = path;
    for (SchemaField field : topLevel) {
      fields.put(field.id(), field);
    }
  }

  /**
   * @throws IllegalArgumentException if there is no such top-level field
   */
  SchemaField get(int id) {
    SchemaField field = fields.get(id);
    if (field == null) {
      throw new IllegalArgumentException("no top-level field with id " + id + " in " + path);
    }
    return field;
  }
}
