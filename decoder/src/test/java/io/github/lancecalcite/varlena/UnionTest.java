package io.github.lancecalcite.varlena;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.ViewVarBinaryVector;
import org.apache.arrow.vector.ViewVarCharVector;
import org.junit.jupiter.api.AfterEach;

/** Shared set-up: one allocator that must be empty in the end, and every kind of vector. */
abstract class UnionTest {
  final BufferAllocator allocator = new RootAllocator();
  private final List<FieldVector> vectors = new ArrayList<>();

  @AfterEach
  void noByteIsLeft() {
    vectors.forEach(FieldVector::close);
    assertThat(allocator.getAllocatedMemory()).isZero();
    allocator.close();
  }

  enum Kind {
    VARCHAR,
    VARBINARY,
    LARGE_VARCHAR,
    LARGE_VARBINARY,
    VIEW_VARCHAR,
    VIEW_VARBINARY,
    INT,
    BIGINT,
    TINYINT,
    BIT,
    FIXED_BINARY
  }

  static Stream<Kind> variableKinds() {
    return Stream.of(Kind.values()).limit(6);
  }

  /** An empty vector without memory. */
  FieldVector vector(Kind kind) {
    return keep(
        switch (kind) {
          case VARCHAR -> new VarCharVector("v", allocator);
          case VARBINARY -> new VarBinaryVector("v", allocator);
          case LARGE_VARCHAR -> new LargeVarCharVector("v", allocator);
          case LARGE_VARBINARY -> new LargeVarBinaryVector("v", allocator);
          case VIEW_VARCHAR -> new ViewVarCharVector("v", allocator);
          case VIEW_VARBINARY -> new ViewVarBinaryVector("v", allocator);
          case INT -> new IntVector("v", allocator);
          case BIGINT -> new BigIntVector("v", allocator);
          case TINYINT -> new TinyIntVector("v", allocator);
          case BIT -> new BitVector("v", allocator);
          case FIXED_BINARY -> new FixedSizeBinaryVector("v", allocator, 5);
        });
  }

  <V extends FieldVector> V keep(V vector) {
    vectors.add(vector);
    return vector;
  }

  /** A vector of these values; null is null. */
  FieldVector vector(Kind kind, byte[]... values) {
    FieldVector vector = vector(kind);
    vector.setInitialCapacity(Math.max(1, values.length));
    vector.allocateNew();
    for (int i = 0; i < values.length; i++) {
      RowByRow.set(vector, i, values[i]);
    }
    vector.setValueCount(values.length);
    return vector;
  }

  /** A value of ASCII letters. */
  static byte[] letters(int length, int seed) {
    byte[] bytes = new byte[length];
    Random random = new Random(seed);
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) ('a' + random.nextInt(26));
    }
    return bytes;
  }

  /** Values of mixed lengths: empty, inline, around the limits, long; a share of nulls. */
  static byte[][] mixed(Random random, int count, int nullPercent) {
    int[] lengths = {0, 1, 4, 5, 8, 11, 12, 13, 23, 24, 128, 800};
    byte[][] values = new byte[count][];
    for (int i = 0; i < count; i++) {
      if (random.nextInt(100) >= nullPercent) {
        values[i] = letters(lengths[random.nextInt(lengths.length)], random.nextInt());
      }
    }
    return values;
  }

  static GroupingBits grouping(Random random, int count) {
    GroupingBits bits = new GroupingBits();
    for (int i = 0; i < count; i++) {
      bits.set(i, random.nextInt(4) == 0);
    }
    return bits;
  }
}
