package io.github.lancecalcite.varlena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.StructVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every kind of vector, every call, against rows copied one by one. */
class VectorUnionTest extends UnionTest {
  @ParameterizedTest
  @EnumSource(Kind.class)
  void randomCallsEqualRowByRow(Kind kind) {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      FieldVector to = vector(kind);
      GroupingBits toGrouping = random.nextBoolean() ? new GroupingBits() : null;
      VectorUnion union = VectorUnion.into(to, toGrouping);
      List<String> expected = new ArrayList<>();
      for (int call = 0; call < 12; call++) {
        int[] nulls = {0, 10, 50, 100};
        boolean self = random.nextInt(6) == 0;
        int size = random.nextInt(150);
        FieldVector source =
            self ? to : vector(kind, mixed(random, size, nulls[random.nextInt(4)]));
        size = source.getValueCount();
        GroupingBits grouping =
            toGrouping == null || random.nextInt(3) == 0
                ? null
                : self ? toGrouping : grouping(random, size);
        int offset = random.nextInt(size + 1);
        int count = random.nextInt(size - offset + 1);
        List<String> rows = RowByRow.rows(source, grouping);
        switch (random.nextInt(5)) {
          case 0 -> {
            union.append(source, grouping, 0, size);
            expected.addAll(rows);
          }
          case 1 -> {
            union.append(source, grouping, offset, count);
            expected.addAll(rows.subList(offset, offset + count));
          }
          case 2 -> {
            int[] selected = size == 0 ? new int[0] : random.ints(count, 0, size).toArray();
            int from = random.nextInt(selected.length + 1);
            union.appendSelected(source, grouping, selected, from, selected.length - from);
            for (int i = from; i < selected.length; i++) {
              expected.add(rows.get(selected[i]));
            }
          }
          case 3 -> {
            byte[] flags = new byte[count];
            for (int i = 0; i < count; i++) {
              flags[i] = (byte) (random.nextInt(5) == 0 ? 0 : 1);
              if (flags[i] == 1) {
                expected.add(rows.get(offset + i));
              }
            }
            union.appendFlagged(source, grouping, offset, flags);
          }
          default -> {
            if (size > 0) {
              int row = random.nextInt(size);
              int n = random.nextInt(100);
              union.repeat(source, grouping, row, n);
              expected.addAll(Collections.nCopies(n, rows.get(row)));
            }
          }
        }
        assertThat(RowByRow.rows(to, toGrouping))
            .as("seed " + seed + ", call " + call)
            .isEqualTo(expected);
        if (!self) {
          assertThat(RowByRow.rows(source, grouping)).as("source unchanged").isEqualTo(rows);
          source.close();
        }
      }
      // the vector goes on like any other
      RowByRow.set(to, expected.size(), letters(30, 1));
      to.setValueCount(expected.size() + 1);
      assertThat(RowByRow.rows(to, toGrouping).subList(0, expected.size())).isEqualTo(expected);
      to.close();
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void theShapesOfTheReferenceTests(Kind kind) {
    Random random = new Random(kind.ordinal());
    byte[][] values = new byte[500][];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 3 == 0 ? letters(9, i) : letters(810, i);
    }
    FieldVector to = vector(kind, letters(5, 1), letters(700, 2));
    FieldVector source = vector(kind, values);
    List<String> expected = new ArrayList<>(RowByRow.rows(to, null));
    VectorUnion union = VectorUnion.into(to);
    union.append(source);
    expected.addAll(RowByRow.rows(source, null));
    assertThat(RowByRow.rows(to, null)).isEqualTo(expected);

    FieldVector nulls = vector(kind, new byte[50][]);
    union.append(nulls);
    expected.addAll(Collections.nCopies(50, "null"));
    int[] backwards = new int[400];
    for (int i = 0; i < 400; i++) {
      backwards[i] = 399 - i;
    }
    FieldVector four = vector(kind, mixed(random, 400, 25));
    union.appendSelected(four, backwards, 0, 400);
    for (int row : backwards) {
      expected.add(RowByRow.row(four, null, row));
    }
    union.repeat(source, 1, 333);
    expected.addAll(Collections.nCopies(333, RowByRow.row(source, null, 1)));
    union.append(source, 41, 173);
    expected.addAll(RowByRow.rows(source, null).subList(41, 214));
    assertThat(RowByRow.rows(to, null)).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void everyAlignmentOfValidityBits(Kind kind) {
    Random random = new Random(3);
    byte[][] values = mixed(random, 200, 40);
    FieldVector source = vector(kind, values);
    for (int before = 0; before <= 17; before++) {
      for (int offset = 0; offset <= 9; offset++) {
        int count = 1 + random.nextInt(150);
        FieldVector to = vector(kind);
        VectorUnion union = VectorUnion.into(to);
        union.append(source, 0, before);
        union.append(source, offset, count);
        List<String> expected = new ArrayList<>(RowByRow.rows(source, null).subList(0, before));
        expected.addAll(RowByRow.rows(source, null).subList(offset, offset + count));
        assertThat(RowByRow.rows(to, null)).isEqualTo(expected);
        to.close();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void emptySourcesChangeNothing(Kind kind) {
    FieldVector to = vector(kind);
    GroupingBits grouping = new GroupingBits();
    VectorUnion union = VectorUnion.into(to, grouping);
    union.append(vector(kind), null, 0, 0);
    union.append(vector(kind, letters(3, 1)), null, 1, 0);
    union.repeat(vector(kind, letters(3, 1)), 0, 0);
    union.appendFlagged(vector(kind, letters(3, 1)), null, 0, new byte[] {0});
    union.appendSelected(vector(kind, letters(3, 1)), new int[0], 0, 0);
    assertThat(to.getValueCount()).isZero();
    assertThat(grouping.length()).isZero();
    union.append(vector(kind, new byte[][] {null, null}));
    assertThat(RowByRow.rows(to, grouping)).containsExactly("null", "null");
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void rowsThatAreNotThereAreRefused(Kind kind) {
    FieldVector to = vector(kind, letters(3, 1));
    FieldVector source = vector(kind, letters(3, 2), letters(20, 3));
    VectorUnion union = VectorUnion.into(to);
    List<String> before = RowByRow.rows(to, null);
    assertThatThrownBy(() -> union.append(source, 1, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> union.append(source, -1, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> union.appendSelected(source, new int[] {0, 2}, 0, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> union.repeat(source, 2, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> union.repeat(source, 0, -1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> union.appendFlagged(source, null, 0, new byte[] {1, 2}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("flag 1 is 2, not 0 or 1");
    assertThat(RowByRow.rows(to, null)).isEqualTo(before);
  }

  @Test
  void otherTypesAreRefused() {
    VectorUnion union = VectorUnion.into(vector(Kind.VARCHAR));
    assertThatThrownBy(() -> union.append(vector(Kind.VARBINARY)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot append");
    StructVector struct = keep(StructVector.empty("s", allocator));
    assertThat(VectorUnion.serves(struct)).isFalse();
    assertThatThrownBy(() -> VectorUnion.into(struct)).isInstanceOf(IllegalArgumentException.class);
  }
}
