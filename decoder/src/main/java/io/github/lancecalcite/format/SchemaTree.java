package io.github.lancecalcite.format;

import com.google.protobuf.ByteString;
import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.format.proto.TableProto;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds the field trees of a schema from the flat list of the manifest, through parent ids. */
final class SchemaTree {
  /** Deepest nesting that is accepted: it bounds every later recursion over a schema. */
  static final int MAX_DEPTH = 64;

  private final Map<Integer, TableProto.Field> byId = new LinkedHashMap<>();
  private final Map<Integer, List<TableProto.Field>> children = new LinkedHashMap<>();
  private int reached;

  private SchemaTree() {}

  /**
   * The top-level fields in order.
   *
   * @throws DecodeException if ids repeat, a parent is missing or is its own descendant, a field's
   *     children do not fit its type, or two children of a struct have one name
   */
  static List<SchemaField> build(List<TableProto.Field> fields) {
    SchemaTree tree = new SchemaTree();
    for (TableProto.Field field : fields) {
      if (field.getId() < 0) {
        throw corrupt("field id of " + quoted(field), "a number from 0", field.getId());
      }
      if (tree.byId.put(field.getId(), field) != null) {
        throw corrupt("field ids", "each id once", "id " + field.getId() + " twice");
      }
    }
    for (TableProto.Field field : fields) {
      int parent = field.getParentId();
      if (parent != -1 && !tree.byId.containsKey(parent)) {
        throw corrupt("parent of field " + quoted(field), "the id of a field", parent);
      }
      tree.children.computeIfAbsent(parent, id -> new ArrayList<>()).add(field);
    }
    List<SchemaField> roots = tree.childrenOf(-1, 0);
    if (tree.reached != fields.size()) {
      throw corrupt(
          "parents of the fields",
          "a tree below the top level",
          (fields.size() - tree.reached) + " fields that are their own ancestors");
    }
    return roots;
  }

  private List<SchemaField> childrenOf(int parent, int depth) {
    List<TableProto.Field> stored = children.getOrDefault(parent, List.of());
    if (!stored.isEmpty() && depth >= MAX_DEPTH) {
      throw corrupt("nesting of the schema", "at most " + MAX_DEPTH + " levels", "more");
    }
    List<SchemaField> result = new ArrayList<>(stored.size());
    for (TableProto.Field field : stored) {
      reached++;
      result.add(field(field, childrenOf(field.getId(), depth + 1)));
    }
    return result;
  }

  private static SchemaField field(TableProto.Field field, List<SchemaField> children) {
    LogicalType type = LogicalTypeText.parse(field.getLogicalType());
    int wanted = childCount(type);
    if (wanted >= 0 && children.size() != wanted) {
      throw corrupt(
          "children of " + field.getLogicalType() + " field " + quoted(field),
          wanted,
          children.size());
    }
    if (type instanceof LogicalType.Map) {
      SchemaField entries = children.get(0);
      if (!(entries.logicalType() instanceof LogicalType.Struct)
          || entries.children().size() != 2) {
        throw corrupt("entries of map field " + quoted(field), "a struct of two", entries.name());
      }
      if (entries.children().get(0).nullable()) { // Arrow has no such maps
        throw corrupt("keys of map field " + quoted(field), "never null", "nullable");
      }
    }
    if (type instanceof LogicalType.Struct) {
      checkNames(field, children); // Arrow keeps the children of a struct by name
    }
    return new SchemaField(
        field.getId(),
        field.getName(),
        type,
        field.getNullable(),
        field.getExtensionName().isEmpty() ? null : field.getExtensionName(),
        utf8Values(field.getMetadataMap()),
        field.getUnenforcedPrimaryKey(),
        children);
  }

  private static void checkNames(TableProto.Field struct, List<SchemaField> children) {
    Set<String> names = new HashSet<>();
    for (SchemaField child : children) {
      if (!names.add(child.name())) {
        throw corrupt(
            "children of struct field " + quoted(struct),
            "each name once",
            "'" + child.name() + "' twice");
      }
    }
  }

  /** How many children a type has; −1 where any number goes. */
  private static int childCount(LogicalType type) {
    if (type instanceof LogicalType.List || type instanceof LogicalType.Map) {
      return 1;
    }
    if (type instanceof LogicalType.FixedSizeList list) {
      return list.inner() instanceof LogicalType.Struct ? 1 : 0;
    }
    return type instanceof LogicalType.Struct || type instanceof LogicalType.Unknown ? -1 : 0;
  }

  /** Arrow metadata is text; the wire has bytes. */
  static Map<String, String> utf8Values(Map<String, ByteString> stored) {
    Map<String, String> result = new LinkedHashMap<>();
    stored.forEach((key, value) -> result.put(key, value.toStringUtf8()));
    return result;
  }

  private static String quoted(TableProto.Field field) {
    return "'" + field.getName() + "'";
  }

  private static DecodeException corrupt(String what, Object expected, @Nullable Object actual) {
    return new DecodeException(-1, what, expected, String.valueOf(actual));
  }
}
