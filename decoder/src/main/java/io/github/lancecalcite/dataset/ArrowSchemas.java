package io.github.lancecalcite.dataset;

import io.github.lancecalcite.format.LogicalType;
import io.github.lancecalcite.format.SchemaField;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** The Arrow view of a dataset's schema. Pure functions. */
public final class ArrowSchemas {
  private static final String ITEM = "item";
  private static final String EXTENSION_NAME = "ARROW:extension:name";

  private static final List<Field> BLOB_DESCRIPTOR =
      List.of(unsigned("position", 64), unsigned("size", 64));

  private static final List<Field> BLOB_V2_DESCRIPTOR =
      List.of(
          unsigned("kind", 8),
          unsigned("position", 64),
          unsigned("size", 64),
          unsigned("blob_id", 32),
          Field.nullable("blob_uri", ArrowType.Utf8.INSTANCE));

  private ArrowSchemas() {}

  private static Field unsigned(String name, int bits) {
    return Field.nullable(name, new ArrowType.Int(bits, false));
  }

  /** Whether the values lie outside the column's pages, which hold {position, size} instead. */
  public static boolean isBlob(SchemaField field) {
    return field.logicalType() instanceof LogicalType.Binary type
        && type.large()
        && "true".equals(field.metadata().get("lance-encoding:blob"));
  }

  /** Whether this is the second kind of blob: a struct whose one column holds descriptors. */
  public static boolean isBlobV2(SchemaField field) {
    String extension =
        field.extensionName() != null
            ? field.extensionName()
            : field.metadata().get(EXTENSION_NAME);
    return field.logicalType() instanceof LogicalType.Struct && "lance.blob.v2".equals(extension);
  }

  /** Whether the field and everything below it has a type this reader knows. */
  public static boolean isKnown(SchemaField field) {
    return isKnown(field.logicalType())
        && field.children().stream().allMatch(ArrowSchemas::isKnown);
  }

  private static boolean isKnown(LogicalType type) {
    if (type instanceof LogicalType.FixedSizeList list) {
      return isKnown(list.inner());
    }
    if (type instanceof LogicalType.Dictionary dictionary) {
      return isKnown(dictionary.value());
    }
    return !(type instanceof LogicalType.Unknown);
  }

  /** The schema of these fields; those of unknown type stand in it as {@code Null} columns. */
  public static Schema schema(List<SchemaField> fields, Map<String, String> metadata) {
    List<Field> columns = new ArrayList<>(fields.size());
    for (SchemaField field : fields) {
      columns.add(field(field));
    }
    return new Schema(columns, metadata);
  }

  /**
   * The Arrow field that a scan of this field returns. A dictionary-encoded field surfaces as its
   * value type, since the decoder materialises the values; JSON, stored in binary form, as its
   * text; a blob as the struct that says where its bytes are, since that is what a scan of Lance
   * itself returns. A field whose type this reader does not know has Arrow type {@code Null} and
   * keeps its type string in the metadata under {@code lance:logical-type}; reading it is refused.
   */
  public static Field field(SchemaField field) {
    Map<String, String> metadata = new LinkedHashMap<>(field.metadata());
    if (field.extensionName() != null) {
      metadata.putIfAbsent(EXTENSION_NAME, field.extensionName());
    }
    if (field.logicalType() instanceof LogicalType.Unknown unknown) {
      metadata.put("lance:logical-type", unknown.text());
    }
    if (JsonRows.isJson(field)) {
      metadata.put(EXTENSION_NAME, "arrow.json"); // of the text, lance.json is of the binary form
    }
    if (isBlob(field)) {
      return new Field(
          field.name(),
          new FieldType(field.nullable(), ArrowType.Struct.INSTANCE, null, metadata),
          BLOB_DESCRIPTOR);
    }
    if (isBlobV2(field)) {
      return new Field(
          field.name(),
          new FieldType(field.nullable(), ArrowType.Struct.INSTANCE, null, metadata),
          BLOB_V2_DESCRIPTOR);
    }
    List<Field> children = new ArrayList<>(field.children().size());
    for (SchemaField child : field.children()) {
      children.add(field(child));
    }
    return field(field.name(), field.nullable(), field.logicalType(), metadata, children);
  }

  private static Field field(
      String name,
      boolean nullable,
      LogicalType type,
      Map<String, String> metadata,
      List<Field> children) {
    if (type instanceof LogicalType.Dictionary dictionary) {
      return field(name, nullable, dictionary.value(), metadata, children);
    }
    List<Field> below = children;
    if (type instanceof LogicalType.FixedSizeList list && children.isEmpty()) {
      // a primitive item has no field of its own, and its nullability is not recorded
      Map<String, String> extension =
          list.inner() instanceof LogicalType.BFloat16
              ? Map.of(EXTENSION_NAME, LogicalType.BFloat16.EXTENSION_NAME)
              : Map.of();
      below = List.of(field(ITEM, true, list.inner(), extension, List.of()));
    }
    return new Field(name, new FieldType(nullable, arrowType(type), null, metadata), below);
  }

  private static ArrowType arrowType(LogicalType type) {
    if (type instanceof LogicalType.Null || type instanceof LogicalType.Unknown) {
      return ArrowType.Null.INSTANCE;
    } else if (type instanceof LogicalType.Bool) {
      return ArrowType.Bool.INSTANCE;
    } else if (type instanceof LogicalType.Int t) {
      return new ArrowType.Int(t.bits(), t.signed());
    } else if (type instanceof LogicalType.FloatingPoint t) {
      return new ArrowType.FloatingPoint(
          switch (t.bits()) {
            case 16 -> FloatingPointPrecision.HALF;
            case 32 -> FloatingPointPrecision.SINGLE;
            default -> FloatingPointPrecision.DOUBLE;
          });
    } else if (type instanceof LogicalType.BFloat16) {
      return new ArrowType.FixedSizeBinary(2); // Arrow has no type for it
    } else if (type instanceof LogicalType.Decimal t) {
      return new ArrowType.Decimal(t.precision(), t.scale(), t.bits());
    } else if (type instanceof LogicalType.Utf8 t) {
      return t.large() ? ArrowType.LargeUtf8.INSTANCE : ArrowType.Utf8.INSTANCE;
    } else if (type instanceof LogicalType.Binary t) {
      return t.large() ? ArrowType.LargeBinary.INSTANCE : ArrowType.Binary.INSTANCE;
    } else if (type instanceof LogicalType.Json) {
      return ArrowType.Utf8.INSTANCE;
    } else if (type instanceof LogicalType.FixedSizeBinary t) {
      return new ArrowType.FixedSizeBinary(t.byteWidth());
    } else if (type instanceof LogicalType.Date t) {
      return new ArrowType.Date(t.bits() == 32 ? DateUnit.DAY : DateUnit.MILLISECOND);
    } else if (type instanceof LogicalType.Time t) {
      return new ArrowType.Time(unit(t.unit()), t.bits());
    } else if (type instanceof LogicalType.Timestamp t) {
      return new ArrowType.Timestamp(unit(t.unit()), t.zone());
    } else if (type instanceof LogicalType.Duration t) {
      return new ArrowType.Duration(unit(t.unit()));
    } else if (type instanceof LogicalType.FixedSizeList t) {
      return new ArrowType.FixedSizeList(t.size());
    } else if (type instanceof LogicalType.Struct) {
      return ArrowType.Struct.INSTANCE;
    } else if (type instanceof LogicalType.List t) {
      return t.large() ? ArrowType.LargeList.INSTANCE : ArrowType.List.INSTANCE;
    } else if (type instanceof LogicalType.Map) {
      return new ArrowType.Map(false);
    }
    throw new AssertionError("a dictionary is replaced by its value type: " + type);
  }

  private static TimeUnit unit(LogicalType.Unit unit) {
    return switch (unit) {
      case SECOND -> TimeUnit.SECOND;
      case MILLISECOND -> TimeUnit.MILLISECOND;
      case MICROSECOND -> TimeUnit.MICROSECOND;
      case NANOSECOND -> TimeUnit.NANOSECOND;
    };
  }
}
