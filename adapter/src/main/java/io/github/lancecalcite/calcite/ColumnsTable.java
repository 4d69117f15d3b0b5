package io.github.lancecalcite.calcite;

import static io.github.lancecalcite.calcite.MetadataColumn.bool;
import static io.github.lancecalcite.calcite.MetadataColumn.integer;
import static io.github.lancecalcite.calcite.MetadataColumn.properties;
import static io.github.lancecalcite.calcite.MetadataColumn.text;

import io.github.lancecalcite.dataset.ArrowSchemas;
import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.format.DataFile;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.Manifest;
import io.github.lancecalcite.format.SchemaField;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.jspecify.annotations.Nullable;

/** {@code t$columns}: the stored columns of a version and the fields inside them. */
final class ColumnsTable {
  /**
   * One row per field, a parent before its children. {@code field_id}; {@code parent_id}, NULL at
   * the top level; {@code path}, the names from the top joined by dots; {@code name}; {@code
   * sql_type}; {@code arrow_type}; {@code nullable}; {@code primary_key}, which Lance does not
   * enforce; {@code extension} type, or NULL; {@code metadata}; {@code fragments} with a file that
   * holds values of it, the others being all NULL there.
   */
  static final MetadataTable.Definition COLUMNS =
      new MetadataTable.Definition(
          List.of(
              integer("field_id"),
              integer("parent_id").orNull(),
              text("path"),
              text("name"),
              text("sql_type"),
              text("arrow_type"),
              bool("nullable"),
              bool("primary_key"),
              text("extension").orNull(),
              properties("metadata"),
              integer("fragments")),
          ColumnsTable::rows);

  private final RelDataTypeFactory types = new LanceTypeFactory();
  private final List<@Nullable Object[]> rows = new ArrayList<>();

  /** Per fragment, the ids of the fields that its files hold. */
  private final List<Set<Integer>> held = new ArrayList<>();

  private ColumnsTable(Manifest manifest) {
    for (DataFragment fragment : manifest.fragments()) {
      Set<Integer> ids = new HashSet<>();
      for (DataFile file : fragment.files()) {
        ids.addAll(file.fields());
      }
      held.add(ids);
    }
  }

  private static List<@Nullable Object[]> rows(Dataset dataset) {
    ColumnsTable table = new ColumnsTable(dataset.manifest());
    dataset.fields().forEach(field -> table.add(field, null, ""));
    return table.rows;
  }

  private void add(SchemaField field, @Nullable SchemaField parent, String prefix) {
    Field arrow = ArrowSchemas.field(field);
    String path = prefix + field.name();
    rows.add(
        new @Nullable Object[] {
          field.id(),
          parent == null ? null : parent.id(),
          path,
          field.name(),
          LanceTypes.of(arrow, types).toString().replace("RecordType(", "ROW("),
          arrow.getType().toString(),
          field.nullable(),
          field.unenforcedPrimaryKey(),
          field.extensionName(),
          new TreeMap<>(field.metadata()),
          (int) held.stream().filter(ids -> isHeld(field, ids)).count()
        });
    field.children().forEach(child -> add(child, field, path + "."));
  }

  /** Parents stand in files of 2.0 alone; from 2.1 on their children speak for them. */
  private static boolean isHeld(SchemaField field, Set<Integer> ids) {
    return ids.contains(field.id())
        || field.children().stream().anyMatch(child -> isHeld(child, ids));
  }
}
