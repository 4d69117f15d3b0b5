package io.github.lancecalcite.benchmarks;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * A column of the comparison by encoding: its type, what it asks the writer for, and its values,
 * which are a formula of the row.
 *
 * @param goal the ratio to lance-core that is asked for
 */
record EncodedColumn(Field field, Shape shape, double goal) {
  /** What the values are like; 0 to 63 bits of each are used. */
  enum Shape {
    /** All bits at random. */
    RANDOM,
    /** 0 to 99 at random. */
    SMALL,
    /** The row's number. */
    ASCENDING,
    /** A new value every hundred rows. */
    RUNS
  }

  private static final String HINT = "lance-encoding:";
  private static final int EMBEDDING = 128;

  /** Every column, in data files of one version. */
  static List<EncodedColumn> all() {
    ArrowType f32 = new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
    ArrowType f64 = new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
    ArrowType i32 = new ArrowType.Int(32, true);
    ArrowType i64 = new ArrowType.Int(64, true);
    ArrowType text = ArrowType.Utf8.INSTANCE;
    ArrowType bytes = ArrowType.Binary.INSTANCE;
    return List.of(
        flat("i64_random", i64, Shape.RANDOM),
        flat("i64_packed", i64, Shape.ASCENDING),
        flat("i32_random", i32, Shape.RANDOM),
        flat("i32_packed", i32, Shape.SMALL),
        flat("i32_runs", i32, Shape.RUNS, "rle-threshold", "0.9"),
        flat("i16_random", new ArrowType.Int(16, true), Shape.RANDOM),
        flat("i8_random", new ArrowType.Int(8, true), Shape.RANDOM),
        flat("bool", ArrowType.Bool.INSTANCE, Shape.RANDOM),
        flat("f32_random", f32, Shape.RANDOM),
        flat("f32_split", f32, Shape.SMALL, "bss", "on", "compression", "zstd"),
        flat("f64_random", f64, Shape.RANDOM),
        flat("f64_lz4", f64, Shape.SMALL, "compression", "lz4"),
        flat("f64_zstd", f64, Shape.SMALL, "compression", "zstd"),
        flat("decimal", new ArrowType.Decimal(38, 5, 128), Shape.SMALL),
        flat("date", new ArrowType.Date(DateUnit.DAY), Shape.SMALL),
        nulls("timestamp_nulls", new ArrowType.Timestamp(TimeUnit.MICROSECOND, null)),
        strings("text_fsst", text, Shape.RANDOM),
        strings("text_plain", text, Shape.RANDOM, "compression", "none"),
        strings("text_dictionary", text, Shape.SMALL),
        strings("text_zstd", text, Shape.SMALL, "compression", "zstd"),
        strings("binary_zipped", bytes, Shape.RANDOM, "structural-encoding", "fullzip"),
        new EncodedColumn(embedding("embedding", f32), Shape.RANDOM, 2),
        new EncodedColumn(
            new Field("list", FieldType.nullable(ArrowType.List.INSTANCE), List.of(item(i32))),
            Shape.SMALL,
            1),
        new EncodedColumn(
            new Field(
                "struct",
                FieldType.nullable(ArrowType.Struct.INSTANCE),
                List.of(Field.nullable("a", i64), Field.nullable("b", f32))),
            Shape.RANDOM,
            1),
        new EncodedColumn(
            new Field(
                "struct_packed",
                new FieldType(true, ArrowType.Struct.INSTANCE, null, hints("packed", "true")),
                List.of(Field.notNullable("a", i64), Field.notNullable("b", f32))),
            Shape.RANDOM,
            1));
  }

  private static EncodedColumn flat(String name, ArrowType type, Shape shape, String... hints) {
    return new EncodedColumn(field(name, type, hints), shape, 3);
  }

  private static EncodedColumn nulls(String name, ArrowType type) {
    return new EncodedColumn(field(name, type), Shape.ASCENDING, 3);
  }

  private static EncodedColumn strings(String name, ArrowType type, Shape shape, String... hints) {
    return new EncodedColumn(field(name, type, hints), shape, 1);
  }

  private static Field field(String name, ArrowType type, String... hints) {
    return new Field(name, new FieldType(true, type, null, hints(hints)), List.of());
  }

  private static Map<String, String> hints(String... hints) {
    return switch (hints.length) {
      case 0 -> Map.of();
      case 2 -> Map.of(HINT + hints[0], hints[1]);
      default -> Map.of(HINT + hints[0], hints[1], HINT + hints[2], hints[3]);
    };
  }

  private static Field embedding(String name, ArrowType item) {
    ArrowType list = new ArrowType.FixedSizeList(EMBEDDING);
    return new Field(name, FieldType.nullable(list), List.of(item(item)));
  }

  private static Field item(ArrowType type) {
    return Field.nullable("item", type);
  }

  String name() {
    return field.getName();
  }

  /** Whether a value takes so much that the table has fewer rows of it. */
  boolean isWide() {
    return name().equals("embedding");
  }

  /** Fills a vector with rows {@code [from, from + rows)}. */
  void fill(FieldVector vector, long from, int rows) {
    for (int i = 0; i < rows; i++) {
      put(vector, i, from + i);
    }
    vector.setValueCount(rows);
  }

  private void put(FieldVector vector, int at, long row) {
    long random = row * 6364136223846793005L + 1442695040888963407L;
    random ^= random >>> 29;
    long value =
        switch (shape) {
          case RANDOM -> random;
          case SMALL -> (random >>> 40) % 100;
          case ASCENDING -> row;
          case RUNS -> row / 100;
        };
    if (name().endsWith("_nulls") && row % 10 == 3) {
      vector.setNull(at);
    } else if (vector instanceof VarCharVector v) {
      v.setSafe(at, text(value));
    } else if (vector instanceof VarBinaryVector v) {
      v.setSafe(at, text(value));
    } else if (vector instanceof BitVector v) {
      v.setSafe(at, (int) (value >>> 40 & 1));
    } else if (vector instanceof FixedSizeListVector v) {
      v.startNewValue(at);
      for (int k = 0; k < EMBEDDING; k++) {
        put(v.getDataVector(), at * EMBEDDING + k, row * EMBEDDING + k);
      }
    } else if (vector instanceof ListVector v) {
      int start = v.startNewValue(at);
      int length = (int) (row % 8);
      for (int k = 0; k < length; k++) {
        put(v.getDataVector(), start + k, row * 8 + k);
      }
      v.endValue(at, length);
    } else if (vector instanceof StructVector v) {
      v.setIndexDefined(at);
      v.getChildrenFromFields().forEach(child -> put(child, at, row));
    } else {
      fixed((BaseFixedWidthVector) vector, at, value);
    }
  }

  private static void fixed(BaseFixedWidthVector vector, int at, long value) {
    while (vector.getValueCapacity() <= at) {
      vector.reAlloc();
    }
    int width = vector.getTypeWidth();
    vector.setIndexDefined(at);
    long place = (long) at * width;
    switch (width) {
      case 1 -> vector.getDataBuffer().setByte(place, (int) value);
      case 2 -> vector.getDataBuffer().setShort(place, (int) value);
      case 4 -> vector.getDataBuffer().setInt(place, (int) value);
      case 8 -> vector.getDataBuffer().setLong(place, value);
      default -> {
        vector.getDataBuffer().setLong(place, value);
        vector.getDataBuffer().setLong(place + 8, value >> 63);
      }
    }
  }

  private static byte[] text(long value) {
    return ("item " + Long.toString(value >>> 1, 36) + " of the list")
        .getBytes(StandardCharsets.US_ASCII);
  }
}
