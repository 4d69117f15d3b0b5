package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.ViewVarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RunCopyTest {
  private static final int ROWS = 150;

  private final RootAllocator allocator = new RootAllocator();

  @AfterEach
  void noMemoryIsLeft() {
    allocator.close();
  }

  private static Field field(String name, boolean nullable, ArrowType type, Field... children) {
    return new Field(name, new FieldType(nullable, type, null), List.of(children));
  }

  private static Field field(ArrowType type, Field... children) {
    return field("f", true, type, children);
  }

  private static ArrowType integer(int bits) {
    return new ArrowType.Int(bits, true);
  }

  static Stream<Field> fields() {
    Field text = field(ArrowType.Utf8.INSTANCE);
    Field bool = field(ArrowType.Bool.INSTANCE);
    Field struct =
        field(
            ArrowType.Struct.INSTANCE,
            field("a", true, integer(32)),
            field("b", true, ArrowType.Utf8.INSTANCE));
    Field entries =
        field(
            "entries",
            false,
            ArrowType.Struct.INSTANCE,
            field("key", false, integer(16)),
            field("value", true, ArrowType.Utf8.INSTANCE));
    Field list = field(ArrowType.List.INSTANCE, text);
    return Stream.of(
        field(ArrowType.Null.INSTANCE),
        bool,
        field(integer(8)),
        field(integer(16)),
        field(integer(32)),
        field(integer(64)),
        field(new ArrowType.Int(64, false)),
        field(new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE)),
        field(new ArrowType.Decimal(30, 2, 128)),
        field(new ArrowType.Date(DateUnit.DAY)),
        field(new ArrowType.FixedSizeBinary(5)),
        text,
        field(ArrowType.LargeUtf8.INSTANCE),
        field(ArrowType.Binary.INSTANCE),
        field(ArrowType.LargeBinary.INSTANCE),
        field(new ArrowType.FixedSizeList(3), field(integer(16))),
        field(new ArrowType.FixedSizeList(3), bool),
        field(new ArrowType.FixedSizeList(2), field(new ArrowType.FixedSizeList(2), text)),
        list,
        field(ArrowType.List.INSTANCE, bool),
        field(ArrowType.LargeList.INSTANCE, field(integer(64))),
        field(ArrowType.LargeList.INSTANCE, list),
        field(ArrowType.List.INSTANCE, struct),
        struct,
        field(ArrowType.Struct.INSTANCE, field("x", true, ArrowType.List.INSTANCE, struct)),
        field(new ArrowType.Map(false), entries));
  }

  /** Fills a vector with values and, where its field allows it, nulls. */
  private static void fill(FieldVector vector, int count, Random random) {
    vector.setInitialCapacity(count);
    vector.allocateNew();
    if (vector instanceof NullVector) {
      vector.setValueCount(count);
    } else if (vector instanceof LargeListVector list) {
      for (int i = 0; i < count; i++) {
        list.startNewValue(i);
        list.endValue(i, random.nextInt(4));
      }
      fill(list.getDataVector(), (int) list.getOffsetBuffer().getLong(count * 8L), random);
    } else if (vector instanceof ListVector list) {
      for (int i = 0; i < count; i++) {
        list.startNewValue(i);
        list.endValue(i, random.nextInt(4));
      }
      fill(list.getDataVector(), list.getOffsetBuffer().getInt(count * 4L), random);
    } else if (vector instanceof FixedSizeListVector list) {
      fill(list.getDataVector(), count * list.getListSize(), random);
    } else if (vector instanceof StructVector struct) {
      struct.getChildrenFromFields().forEach(child -> fill(child, count, random));
    } else if (vector instanceof BitVector bits) {
      for (int i = 0; i < count; i++) {
        bits.setSafe(i, random.nextInt(2));
      }
    } else if (vector instanceof BaseVariableWidthVector strings) {
      for (int i = 0; i < count; i++) {
        strings.setSafe(i, text(random));
      }
    } else if (vector instanceof BaseLargeVariableWidthVector strings) {
      for (int i = 0; i < count; i++) {
        strings.setSafe(i, text(random));
      }
    } else {
      int width = ((BaseFixedWidthVector) vector).getTypeWidth();
      for (int i = 0; i < count; i++) {
        BitVectorHelper.setBit(vector.getValidityBuffer(), i);
        for (int b = 0; b < width; b++) { // small enough for a decimal of 30 digits
          vector.getDataBuffer().setByte((long) i * width + b, b < 12 ? random.nextInt(256) : 0);
        }
      }
    }
    vector.setValueCount(count);
    for (int i = 0; i < count && !(vector instanceof NullVector); i++) {
      if (vector.getField().isNullable() && random.nextInt(4) == 0) {
        BitVectorHelper.unsetBit(vector.getValidityBuffer(), i);
      } else {
        BitVectorHelper.setBit(vector.getValidityBuffer(), i);
      }
    }
  }

  private static byte[] text(Random random) {
    byte[] text = new byte[random.nextInt(9)];
    for (int i = 0; i < text.length; i++) {
      text[i] = (byte) ('a' + random.nextInt(26));
    }
    return text;
  }

  private static Runs runs(Random random, int percent, List<Integer> rows) {
    Runs runs = new Runs();
    for (int row = 0; row < ROWS; row++) {
      int run = random.nextInt(100) < percent ? 1 + random.nextInt(20) : 0;
      for (int i = 0; i < run && row < ROWS; i++, row++) {
        runs.add(row, 1);
        rows.add(row);
      }
    }
    return runs;
  }

  @ParameterizedTest
  @MethodSource("fields")
  void theCopyHoldsTheRowsOfTheRunsOneByOne(Field field) {
    for (int seed = 0; seed < 12; seed++) {
      Random random = new Random(seed);
      try (FieldVector source = field.createVector(allocator)) {
        fill(source, ROWS, random);
        for (int percent : new int[] {0, 3, 30, 100}) {
          List<Integer> rows = new ArrayList<>();
          Runs runs = runs(random, percent, rows);
          try (FieldVector copy = new RunCopy(allocator).copy(source, runs)) {
            assertThat(copy.getField()).isEqualTo(source.getField());
            assertThat(copy.getValueCount()).isEqualTo(rows.size());
            int nulls = 0;
            for (int i = 0; i < rows.size(); i++) {
              assertThat(Cells.of(copy, i))
                  .as("row %d of %s, seed %d", i, field, seed)
                  .isEqualTo(Cells.of(source, rows.get(i)));
              nulls += copy.isNull(i) ? 1 : 0;
            }
            assertThat(copy.getNullCount()).isEqualTo(nulls);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("fields")
  void aCopyForWhichMemoryIsMissingLeavesNothingBehind(Field field) {
    try (FieldVector source = field.createVector(allocator)) {
      fill(source, ROWS, new Random(1));
      Runs runs = Runs.ofBits(new long[] {-2L, -1L, -1L}, ROWS);
      long before = allocator.getAllocatedMemory();
      boolean done = false;
      // each limit lets the copy come a little further
      for (long more = 1; !done; more += 64) {
        allocator.setLimit(before + more);
        try (FieldVector copy = new RunCopy(allocator).copy(source, runs)) {
          done = copy.getValueCount() == ROWS - 1;
          assertThat(done).isTrue();
        } catch (OutOfMemoryException e) {
          assertThat(allocator.getAllocatedMemory()).isEqualTo(before);
        }
      }
      allocator.setLimit(Long.MAX_VALUE);
    }
  }

  @Test
  void viewsAreCopied() {
    try (ViewVarCharVector source = new ViewVarCharVector("f", allocator)) {
      source.allocateNew(3);
      source.setSafe(0, "short".getBytes(StandardCharsets.UTF_8));
      source.setSafe(1, "longer than twelve bytes".getBytes(StandardCharsets.UTF_8));
      source.setNull(2);
      source.setValueCount(3);
      Runs runs = new Runs();
      runs.add(1, 2);
      try (FieldVector copy = new RunCopy(allocator).copy(source, runs)) {
        assertThat(copy.getValueCount()).isEqualTo(2);
        assertThat(copy.getObject(0)).hasToString("longer than twelve bytes");
        assertThat(copy.isNull(1)).isTrue();
      }
    }
  }
}
