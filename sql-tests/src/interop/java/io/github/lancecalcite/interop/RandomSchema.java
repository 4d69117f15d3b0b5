package io.github.lancecalcite.interop;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * Draws fields that lance-core 7.0.0 can write in a given file version. Left out, because its
 * writer always aborts or refuses them: zones with a colon, fixed-size lists of strings or lists,
 * fixed-size lists of structs inside lists, maps and fixed-size lists of structs below 2.2, structs
 * without children, packed structs with children that may be null.
 */
final class RandomSchema {
  private static final List<ArrowType> FIXED_WIDTH =
      List.of(
          new ArrowType.Int(8, true),
          new ArrowType.Int(16, true),
          new ArrowType.Int(32, true),
          new ArrowType.Int(64, true),
          new ArrowType.Int(8, false),
          new ArrowType.FloatingPoint(FloatingPointPrecision.HALF),
          new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE),
          new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE));

  private static final Map<String, String> BFLOAT16 =
      Map.of("ARROW:extension:name", "lance.bfloat16", "ARROW:extension:metadata", "");

  private static final Map<String, String> JSON =
      Map.of("ARROW:extension:name", "arrow.json", "ARROW:extension:metadata", "");

  private static final String BLOB_V2 = "lance.blob.v2";

  private final Random random;
  private final boolean since22;
  private long dictionaries;

  RandomSchema(Random random, String fileVersion) {
    this.random = random;
    this.since22 = !fileVersion.equals("2.0") && !fileVersion.equals("2.1");
  }

  /** Whether a scan gives the place of the field's values instead of the values. */
  static boolean isBlob(Field field) {
    return field.getMetadata().containsKey("lance-encoding:blob")
        || BLOB_V2.equals(field.getMetadata().get("ARROW:extension:name"));
  }

  /**
   * The fields of one dataset: the key {@code k}, then some others.
   *
   * @param most greatest number of others
   * @param scalars only columns without children
   */
  List<Field> fields(int most, boolean scalars) {
    List<Field> fields = new ArrayList<>();
    fields.add(Field.notNullable("k", new ArrowType.Int(64, true)));
    int more = 1 + random.nextInt(most);
    for (int i = 0; i < more; i++) {
      String name = "c" + i;
      boolean nullable = random.nextInt(4) != 0;
      fields.add(
          scalars || random.nextBoolean()
              ? scalar(name, nullable)
              : random.nextInt(5) == 0
                  ? special(name, nullable)
                  : field(name, 1 + random.nextInt(4), nullable, false));
    }
    return fields;
  }

  private Field scalar(String name, boolean nullable) {
    return new Field(
        name, new FieldType(nullable, scalarType(), null, EncodingHints.draw(random)), null);
  }

  /** Columns that are only tried at the top of a schema. */
  private Field special(String name, boolean nullable) {
    return switch (random.nextInt(6)) {
      case 5 -> json(name, nullable);
      case 0 -> Field.nullable(name, ArrowType.Null.INSTANCE);
      case 1 ->
          since22
              ? blobV2(name, nullable)
              : new Field(
                  name,
                  new FieldType(
                      nullable,
                      ArrowType.LargeBinary.INSTANCE,
                      null,
                      Map.of("lance-encoding:blob", "true")),
                  null);
      case 2 -> packed(name);
      default -> dictionary(name, nullable);
    };
  }

  private static Field json(String name, boolean nullable) {
    return new Field(name, new FieldType(nullable, ArrowType.Utf8.INSTANCE, null, JSON), null);
  }

  /** Whether values must be JSON. */
  static boolean isJson(Field field) {
    return "arrow.json".equals(field.getMetadata().get("ARROW:extension:name"));
  }

  private Field dictionary(String name, boolean nullable) {
    ArrowType values =
        random.nextInt(3) == 0 ? ArrowType.LargeUtf8.INSTANCE : ArrowType.Utf8.INSTANCE;
    ArrowType.Int index = new ArrowType.Int(8 << random.nextInt(3), random.nextInt(3) != 0);
    DictionaryEncoding encoding = new DictionaryEncoding(++dictionaries, false, index);
    return new Field(name, new FieldType(nullable, values, encoding), null);
  }

  private static Field blobV2(String name, boolean nullable) {
    return new Field(
        name,
        new FieldType(
            nullable,
            ArrowType.Struct.INSTANCE,
            null,
            Map.of("ARROW:extension:name", BLOB_V2, "ARROW:extension:metadata", "")),
        List.of(
            Field.nullable("data", ArrowType.LargeBinary.INSTANCE),
            Field.nullable("uri", ArrowType.Utf8.INSTANCE)));
  }

  private Field packed(String name) {
    List<Field> children = new ArrayList<>();
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      FieldType text =
          FieldType.notNullable(
              random.nextBoolean() ? ArrowType.Utf8.INSTANCE : ArrowType.Binary.INSTANCE);
      FieldType pair = FieldType.notNullable(new ArrowType.FixedSizeList(2));
      children.add(
          switch (random.nextInt(since22 ? 9 : 6)) {
            case 0 -> new Field("p" + i, pair, List.of(Field.notNullable("item", fixedWidth())));
            case 6, 7, 8 -> new Field("p" + i, text, null);
            default -> Field.notNullable("p" + i, fixedWidth());
          });
    }
    Map<String, String> hints = new HashMap<>(EncodingHints.draw(random));
    hints.put("lance-encoding:packed", "true");
    return new Field(name, new FieldType(false, ArrowType.Struct.INSTANCE, null, hints), children);
  }

  private Field field(String name, int depth, boolean nullable, boolean inList) {
    if (depth == 0) {
      return scalar(name, nullable);
    }
    return switch (random.nextInt(since22 ? 7 : 5)) {
      case 0 -> nested(name, nullable, ArrowType.List.INSTANCE, item(depth, true));
      case 1 -> nested(name, nullable, ArrowType.LargeList.INSTANCE, item(depth, true));
      case 2, 3 -> struct(name, nullable, depth, inList);
      case 5 -> map(name, nullable, depth);
      case 6 -> inList ? fixedSizeList(name, nullable) : fixedSizeListOfStruct(name, nullable);
      default -> fixedSizeList(name, nullable);
    };
  }

  private Field item(int depth, boolean inList) {
    return switch (random.nextInt(40)) {
      case 0 -> Field.nullable("item", ArrowType.Null.INSTANCE);
      case 1 -> packed("item");
      case 2 -> json("item", true);
      default -> field("item", random.nextInt(depth), true, inList);
    };
  }

  private Field struct(String name, boolean nullable, int depth, boolean inList) {
    List<Field> children = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      // a null struct's child has a slot, and a child that may not be null has nothing to put there
      boolean mayBeNull = nullable || random.nextInt(4) != 0;
      children.add(field("f" + i, random.nextInt(depth), mayBeNull, inList));
    }
    return new Field(name, new FieldType(nullable, ArrowType.Struct.INSTANCE, null), children);
  }

  private Field map(String name, boolean nullable, int depth) {
    ArrowType key = random.nextBoolean() ? ArrowType.Utf8.INSTANCE : new ArrowType.Int(32, true);
    Field entries =
        new Field(
            "entries",
            FieldType.notNullable(ArrowType.Struct.INSTANCE),
            List.of(
                Field.notNullable("key", key),
                field("value", random.nextInt(depth), random.nextInt(4) != 0, true)));
    return nested(name, nullable, new ArrowType.Map(false), entries);
  }

  private Field fixedSizeList(String name, boolean nullable) {
    int size = new int[] {1, 2, 3, 8, 33, 128}[random.nextInt(6)];
    // nullability of items is not recorded: they come back nullable
    Field item =
        size < 33 && random.nextInt(3) == 0
            ? nested(
                "item",
                true,
                new ArrowType.FixedSizeList(1 + random.nextInt(40)),
                Field.nullable("item", fixedWidth()))
            : fixedSizeListItem();
    return new Field(
        name,
        new FieldType(
            nullable, new ArrowType.FixedSizeList(size), null, EncodingHints.draw(random)),
        List.of(item));
  }

  private Field fixedSizeListItem() {
    return switch (random.nextInt(24)) {
      case 0, 1 -> Field.nullable("item", ArrowType.Bool.INSTANCE);
      case 2 -> Field.nullable("item", new ArrowType.Decimal(20, 2, 128));
      case 3 -> Field.nullable("item", new ArrowType.Timestamp(TimeUnit.SECOND, "UTC"));
      case 4 -> Field.nullable("item", new ArrowType.FixedSizeBinary(5));
      case 5 ->
          new Field(
              "item", new FieldType(true, new ArrowType.FixedSizeBinary(2), null, BFLOAT16), null);
      default -> Field.nullable("item", fixedWidth());
    };
  }

  private Field fixedSizeListOfStruct(String name, boolean nullable) {
    List<Field> children = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      children.add(scalar("s" + i, true));
    }
    Field item = new Field("item", FieldType.nullable(ArrowType.Struct.INSTANCE), children);
    return nested(name, nullable, new ArrowType.FixedSizeList(1 + random.nextInt(5)), item);
  }

  private static Field nested(String name, boolean nullable, ArrowType type, Field child) {
    return new Field(name, new FieldType(nullable, type, null), List.of(child));
  }

  private ArrowType fixedWidth() {
    return FIXED_WIDTH.get(random.nextInt(FIXED_WIDTH.size()));
  }

  private ArrowType scalarType() {
    TimeUnit unit = TimeUnit.values()[random.nextInt(4)];
    return switch (random.nextInt(22)) {
      case 0 -> ArrowType.Bool.INSTANCE;
      case 1 -> new ArrowType.Int(16, false);
      case 2 -> new ArrowType.Int(32, false);
      case 3 -> new ArrowType.Int(64, false);
      case 4 -> new ArrowType.Decimal(1 + random.nextInt(38), 0, 128);
      case 5 -> new ArrowType.Decimal(20 + random.nextInt(18), 7, 128);
      case 6 -> new ArrowType.Decimal(40 + random.nextInt(36), 9, 256);
      case 7 -> new ArrowType.Date(random.nextBoolean() ? DateUnit.DAY : DateUnit.MILLISECOND);
      case 8 -> {
        boolean coarse = unit == TimeUnit.SECOND || unit == TimeUnit.MILLISECOND;
        yield new ArrowType.Time(unit, coarse ? 32 : 64);
      }
      case 9 -> new ArrowType.Timestamp(unit, null);
      case 10 -> new ArrowType.Timestamp(unit, random.nextBoolean() ? "UTC" : "America/New_York");
      case 11 -> new ArrowType.Duration(unit);
      case 12, 13, 14 -> ArrowType.Utf8.INSTANCE;
      case 15 -> ArrowType.LargeUtf8.INSTANCE;
      case 16 -> ArrowType.Binary.INSTANCE;
      case 17 -> ArrowType.LargeBinary.INSTANCE;
      case 18 -> new ArrowType.FixedSizeBinary(1 + random.nextInt(20));
      default -> fixedWidth();
    };
  }
}
