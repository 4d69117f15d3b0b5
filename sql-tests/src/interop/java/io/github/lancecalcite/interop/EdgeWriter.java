package io.github.lancecalcite.interop;

import io.github.lancecalcite.sqltests.EdgeInstants;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Writes {@code sql-tests/src/test/resources/edges} with lance-core: {@code instants}, digits of
 * the second on both sides of 1970 and numbers that are none, and {@code names}, columns with names
 * that SQL would rather not see. The argument is the folder.
 */
public final class EdgeWriter {
  private static final long[] NANOS = EdgeInstants.nanos();

  private static final List<String> NAMES =
      List.of(
          "id",
          "MixedCase",
          "mixedcase",
          "with space",
          "quo\"te",
          "it's",
          "select",
          "dollar$1",
          "data$versions",
          "emoji\uD83D\uDE80",
          "a@2",
          "back\\slash",
          "_rowix",
          "a#b");

  private EdgeWriter() {}

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    try (BufferAllocator allocator = new RootAllocator()) {
      instants(allocator, folder.resolve("instants.lance"));
      names(allocator, folder.resolve("names.lance"));
    }
  }

  private static Field field(String name, ArrowType type) {
    return new Field(name, FieldType.nullable(type), null);
  }

  private static void instants(BufferAllocator allocator, Path to) throws IOException {
    List<Field> fields = new ArrayList<>(List.of(field("id", new ArrowType.Int(64, true))));
    for (TimeUnit unit : TimeUnit.values()) {
      String name = "ts_" + unit.name().toLowerCase(java.util.Locale.ROOT);
      fields.add(field(name, new ArrowType.Timestamp(unit, null)));
      fields.add(field(name + "_utc", new ArrowType.Timestamp(unit, "UTC")));
    }
    fields.add(field("t_us", new ArrowType.Time(TimeUnit.MICROSECOND, 64)));
    fields.add(field("t_ns", new ArrowType.Time(TimeUnit.NANOSECOND, 64)));
    fields.add(field("f16", new ArrowType.FloatingPoint(FloatingPointPrecision.HALF)));
    fields.add(field("f32", new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE)));
    fields.add(field("f64", new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE)));
    short[] half = {0x7C00, (short) 0xFC00, 0x7E00, 0x3C00, (short) 0x8000, 0x0001};
    double[] real = {
      Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN, 1, -0.0, Double.MIN_VALUE
    };
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < NANOS.length; i++) {
      List<Object> row = new ArrayList<>(List.of((long) i));
      for (long size : new long[] {1_000_000_000L, 1_000_000L, 1_000L, 1L}) {
        row.add(Math.floorDiv(NANOS[i], size));
        row.add(Math.floorDiv(NANOS[i], size));
      }
      long ofDay = Math.floorMod(NANOS[i], 86_400_000_000_000L);
      row.add(ofDay / 1000);
      row.add(ofDay);
      row.add(half[i % half.length]);
      row.add((float) real[i % real.length]);
      row.add(real[i % real.length]);
      rows.add(row.toArray());
    }
    Object[] nulls = new Object[fields.size()];
    nulls[0] = (long) NANOS.length;
    rows.add(nulls);
    new LanceWriter(allocator, to.toString(), new Schema(fields), "2.2", true).create(rows, 10);
  }

  /** Column c of row r holds {@code name:(r mod 7)}; {@code id} holds r, {@code _rowid} 100 − r. */
  private static void names(BufferAllocator allocator, Path to) throws IOException {
    List<Field> fields = new ArrayList<>();
    for (String name : NAMES) {
      boolean number = name.equals("id") || name.equals("_rowix");
      fields.add(field(name, number ? new ArrowType.Int(64, true) : new ArrowType.Utf8()));
    }
    List<Object[]> rows = new ArrayList<>();
    for (int r = 0; r < 20; r++) {
      Object[] row = new Object[NAMES.size()];
      for (int c = 0; c < row.length; c++) {
        row[c] = NAMES.get(c) + ":" + r % 7;
      }
      row[0] = (long) r;
      row[NAMES.indexOf("_rowix")] = 100L - r;
      rows.add(row);
    }
    new LanceWriter(allocator, to.toString(), new Schema(fields), "2.1", true).create(rows, 8);
    rename(to);
  }

  /** lance-core refuses two of the names; other writers, and older ones, need not. */
  private static void rename(Path dataset) throws IOException {
    try (Stream<Path> manifests = Files.list(dataset.resolve("_versions"))) {
      for (Path file : manifests.filter(f -> f.toString().endsWith(".manifest")).toList()) {
        String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
        String renamed = bytes.replace("_rowix", "_rowid").replace("a#b", "a.b");
        Files.writeString(file, renamed, StandardCharsets.ISO_8859_1);
      }
    }
  }
}
