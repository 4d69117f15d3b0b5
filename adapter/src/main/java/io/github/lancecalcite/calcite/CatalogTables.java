package io.github.lancecalcite.calcite;

import io.github.lancecalcite.NotFoundException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.lookup.LikePattern;
import org.jspecify.annotations.Nullable;

/** The schemas and tables of a connection that patterns ask for. There are no catalogs. */
final class CatalogTables {
  private final CalciteSchema root;

  CatalogTables(CalciteConnection connection) {
    this.root = CalciteSchema.from(connection.getRootSchema());
  }

  /** A table, and where it was found. */
  record Found(String schema, String name, Table table) {
    String type() {
      return table.getJdbcTableType().jdbcName;
    }
  }

  /** Whether a catalog argument leaves anything: null, empty and {@code %} do. */
  static boolean isNoCatalog(@Nullable String catalog) {
    return catalog == null || catalog.isEmpty() || catalog.equals("%");
  }

  /** Names of schemas, sorted. */
  List<String> schemas(@Nullable String catalog, NamePattern pattern) {
    if (!isNoCatalog(catalog)) {
      return List.of();
    }
    return new TreeSet<>(root.subSchemas().getNames(LikePattern.any()))
        .stream().filter(pattern::matches).toList();
  }

  /**
   * Tables by schema and name. A name that is spelled out finds also what is not listed, such as
   * {@code t@5}.
   */
  List<Found> tables(@Nullable String catalog, NamePattern schemas, NamePattern names) {
    List<Found> found = new ArrayList<>();
    for (String name : schemas(catalog, schemas)) {
      CalciteSchema schema = root.getSubSchema(name, true);
      if (schema != null) {
        tables(schema, names).forEach((table, value) -> found.add(new Found(name, table, value)));
      }
    }
    return found;
  }

  /** The table of exactly this name; null for the schema means any. */
  Collection<Found> table(@Nullable String catalog, @Nullable String schema, String name) {
    List<Found> found = new ArrayList<>();
    if (!isNoCatalog(catalog)) {
      return found;
    }
    for (String each : schemas(null, new NamePattern(null))) {
      CalciteSchema candidate = root.getSubSchema(each, true);
      Table table =
          candidate == null || (schema != null && !schema.equals(each))
              ? null
              : get(candidate, name);
      if (table != null && exists(table)) {
        found.add(new Found(each, name, table));
      }
    }
    return found;
  }

  private static Map<String, Table> tables(CalciteSchema schema, NamePattern names) {
    Map<String, Table> tables = new TreeMap<>(Comparator.naturalOrder());
    for (String name : schema.getTableNames(LikePattern.any())) {
      if (names.matches(name)) {
        Table table = get(schema, name);
        if (table != null) {
          tables.put(name, table);
        }
      }
    }
    new LinkedHashMap<>(schema.getTablesBasedOnNullaryFunctions())
        .forEach(
            (name, table) -> {
              if (names.matches(name)) {
                tables.put(name, table);
              }
            });
    String literal = names.literal();
    if (tables.isEmpty() && literal != null) {
      Table unlisted = get(schema, literal);
      if (unlisted != null && exists(unlisted)) {
        tables.put(literal, unlisted);
      }
    }
    return tables;
  }

  private static @Nullable Table get(CalciteSchema schema, String name) {
    CalciteSchema.TableEntry entry = schema.getTable(name, true);
    if (entry == null) {
      entry = schema.getTableBasedOnNullaryFunction(name, true);
    }
    return entry == null ? null : entry.getTable();
  }

  /** Whether there are the version, tag and fragment that a table's name says; if damaged, yes. */
  private static boolean exists(Table table) {
    try {
      if (table instanceof LanceTable rows) {
        rows.columns();
      } else if (table instanceof MetadataTable metadata) {
        metadata.source().dataset();
      }
      return true;
    } catch (LanceException e) {
      return !(e.getCause() instanceof NotFoundException);
    }
  }
}
