package io.github.lancecalcite.varlena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseVariableWidthViewVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ViewVarBinaryVector;
import org.apache.arrow.vector.util.TransferPair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One test per later fix of the reference implementation that concerns vectors, by its number.
 * Those that concern files are in the test of the same name of the io room.
 */
class LaterFixesTest extends UnionTest {
  private static final String VARIABLE = "variableKinds";

  /** Nulls over long values: their slots keep what they held. */
  private FieldVector staleNulls(Kind kind, int rows, int staleBytes) {
    FieldVector vector = vector(kind);
    for (int i = 0; i < rows; i++) {
      RowByRow.set(vector, i, letters(i % 2 == 0 ? 20 : staleBytes, i));
    }
    vector.setValueCount(rows);
    for (int i = 1; i < rows; i += 2) {
      vector.setNull(i);
    }
    return vector;
  }

  private static long payload(FieldVector vector) {
    if (vector instanceof BaseVariableWidthViewVector view) {
      return view.getDataBuffers().stream().mapToLong(ArrowBuf::capacity).sum();
    }
    return vector.getDataBuffer().capacity();
  }

  @ParameterizedTest
  @MethodSource(VARIABLE)
  void pr24063NullRowsAreNotDereferenced(Kind kind) {
    FieldVector source = staleNulls(kind, 32, 300);
    // what a null slot says would lead outside of every buffer
    for (int i = 1; i < 32 && kind.name().startsWith("VIEW"); i += 2) {
      source.getDataBuffer().setInt(i * 16L, Integer.MAX_VALUE);
      source.getDataBuffer().setInt(i * 16L + 8, 12345);
      source.getDataBuffer().setInt(i * 16L + 12, -7);
    }
    FieldVector to = vector(kind);
    VectorUnion union = VectorUnion.into(to);
    union.append(source);
    union.appendSelected(source, new int[] {3, 2, 1, 31}, 0, 4);
    union.repeat(source, 5, 3);
    List<String> expected = new ArrayList<>(RowByRow.rows(source, null));
    expected.addAll(List.of("null", expected.get(2), "null", "null", "null", "null", "null"));
    assertThat(RowByRow.rows(to, null)).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource(VARIABLE)
  void pr25824DeadBytesAreNotDraggedAlong(Kind kind) {
    FieldVector source = staleNulls(kind, 32, 1 << 20);
    FieldVector to = vector(kind);
    VectorUnion union = VectorUnion.into(to);
    union.append(source);
    union.append(source, 3, 20);
    union.appendSelected(source, new int[] {1, 3, 4}, 0, 3);
    assertThat(payload(to)).as("bytes held").isLessThan(1 << 20);
    assertThat(RowByRow.rows(to, null).subList(0, 32)).isEqualTo(RowByRow.rows(source, null));
  }

  @Test
  void pr26332ViewsOfUntrustedBytesAreChecked() {
    int[][] bad = {{13, 7, 0}, {13, -1, 0}, {13, 0, -1}, {13, 0, 1 << 20}, {-1, 0, 0}};
    for (int[] view : bad) {
      FieldVector source = vector(Kind.VIEW_VARBINARY, letters(20, 1), letters(30, 2));
      source.getDataBuffer().setInt(16, view[0]);
      source.getDataBuffer().setInt(24, view[1]);
      source.getDataBuffer().setInt(28, view[2]);
      FieldVector to = vector(Kind.VIEW_VARBINARY, letters(15, 3));
      VectorUnion union = VectorUnion.into(to);
      assertThatThrownBy(() -> union.append(source))
          .as(Arrays.toString(view))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(RowByRow.rows(to, null)).hasSize(1);
    }
  }

  @Test
  void pr26513OffsetsOfUntrustedBytesAreChecked() {
    FieldVector source = vector(Kind.VARBINARY, letters(20, 1), letters(30, 2));
    source.getOffsetBuffer().setInt(8, 1 << 30);
    FieldVector to = vector(Kind.VARBINARY, letters(15, 3));
    assertThatThrownBy(() -> VectorUnion.into(to).append(source))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> VectorUnion.into(to).repeat(source, 1, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> VectorUnion.into(to).appendSelected(source, new int[] {1}, 0, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(RowByRow.rows(to, null)).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource(VARIABLE)
  void pr26293RebaseLeavesInlineValuesAlone(Kind kind) {
    FieldVector to = vector(kind, letters(100, 1));
    FieldVector source =
        vector(
            kind, letters(12, 2), letters(13, 3), letters(0, 4), letters(400, 5), letters(11, 6));
    List<String> expected = new ArrayList<>(RowByRow.rows(to, null));
    expected.addAll(RowByRow.rows(source, null));
    VectorUnion.into(to).append(source);
    assertThat(RowByRow.rows(to, null)).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void pr26608AppendingAVectorToItselfSurvivesGrowth(Kind kind) {
    FieldVector to = vector(kind, letters(700, 1), null, letters(9, 2));
    VectorUnion union = VectorUnion.into(to);
    List<String> expected = new ArrayList<>(RowByRow.rows(to, null));
    for (int i = 0; i < 9; i++) {
      union.append(to);
      expected.addAll(List.copyOf(expected));
      assertThat(RowByRow.rows(to, null)).isEqualTo(expected);
    }
    union.repeat(to, 0, 5000);
    expected.addAll(Collections.nCopies(5000, expected.get(0)));
    assertThat(RowByRow.rows(to, null)).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void pr26989SliceOfTheDestinationIsAppendedAndStaysAsItWas(Kind kind) {
    for (int start : new int[] {0, 1, 8}) {
      FieldVector to = vector(kind, mixed(new Random(start), 40, 20));
      List<String> before = RowByRow.rows(to, null);
      TransferPair pair = to.getTransferPair(allocator);
      pair.splitAndTransfer(start, 24);
      FieldVector slice = keep((FieldVector) pair.getTo());
      List<String> sliced = RowByRow.rows(slice, null);
      assertThat(sliced).isEqualTo(before.subList(start, start + 24));
      List<String> expected = new ArrayList<>(before);
      for (int i = 0; i < 40; i++) {
        VectorUnion.into(to).append(slice);
        expected.addAll(sliced);
      }
      assertThat(RowByRow.rows(to, null)).isEqualTo(expected);
      // and the other way: the slice is the destination
      VectorUnion.into(slice).append(to, 0, 30);
      List<String> grown = new ArrayList<>(sliced);
      grown.addAll(expected.subList(0, 30));
      assertThat(RowByRow.rows(slice, null)).isEqualTo(grown);
      assertThat(RowByRow.rows(to, null)).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @MethodSource(VARIABLE)
  void pr26989WindowCopiesItsOwnBytesOnly(Kind kind) {
    byte[][] values = new byte[300][];
    for (int i = 0; i < 300; i++) {
      values[i] = letters(256, i);
    }
    FieldVector source = vector(kind, values);
    FieldVector to = vector(kind);
    VectorUnion.into(to).append(source, 101, 37);
    assertThat(RowByRow.rows(to, null)).isEqualTo(RowByRow.rows(source, null).subList(101, 138));
    long written =
        to instanceof BaseVariableWidthViewVector view
            ? view.getDataBuffers().stream().mapToLong(ArrowBuf::writerIndex).sum()
            : to.getDataBuffer().writerIndex();
    assertThat(written).isEqualTo(37 * 256);
    // a window at the start, whose count is its own length
    TransferPair pair = source.getTransferPair(allocator);
    pair.splitAndTransfer(0, 10);
    FieldVector window = keep((FieldVector) pair.getTo());
    FieldVector two = vector(kind);
    VectorUnion.into(two).append(window);
    assertThat(payload(two)).isLessThan(256 * 300);
    assertThat(RowByRow.rows(two, null)).isEqualTo(RowByRow.rows(window, null));
  }

  @Test
  void pr26585RecycledSlotOfANullIsZeroed() {
    FieldVector to = vector(Kind.VIEW_VARBINARY, letters(20, 1), letters(30, 2));
    to.setValueCount(0);
    VectorUnion.into(to).append(vector(Kind.VIEW_VARBINARY, null, letters(3, 1)));
    for (int i = 0; i < 16; i++) {
      assertThat(to.getDataBuffer().getByte(i)).isZero();
    }
    for (int i = 4 + 3; i < 16; i++) {
      assertThat(to.getDataBuffer().getByte(16 + i)).as("padding").isZero();
    }
    assertThat(RowByRow.rows(to, null).get(0)).isEqualTo("null");
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void pr26531GroupingBitsTravelOnEveryPath(Kind kind) {
    FieldVector source = vector(kind, mixed(new Random(1), 300, 20));
    GroupingBits from = new GroupingBits();
    for (int row : new int[] {3, 7, 100, 299}) {
      from.set(row, true);
    }
    from.set(900, true); // longer than the vector: legal
    FieldVector to = vector(kind);
    GroupingBits grouping = new GroupingBits();
    VectorUnion union = VectorUnion.into(to, grouping);
    union.append(source, from, 0, 300);
    union.append(source, from, 90, 20);
    union.appendSelected(source, from, new int[] {299, 3, 4}, 0, 3);
    union.appendFlagged(source, from, 98, new byte[] {1, 0, 1});
    union.repeat(source, from, 7, 2);
    union.repeat(source, from, 8, 2);
    List<Integer> grouped = new ArrayList<>();
    for (int i = 0; i < to.getValueCount() + 1000; i++) {
      if (grouping.isGrouped(i)) {
        grouped.add(i);
      }
    }
    assertThat(grouped).containsExactly(3, 7, 100, 299, 310, 320, 321, 324, 325, 326);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void pr26877AppendedNullsExtendTheVector(Kind kind) {
    FieldVector to = vector(kind, letters(5, 1));
    VectorUnion.into(to).append(vector(kind, new byte[700][]));
    assertThat(to.getValueCount()).isEqualTo(701);
    assertThat(to.getNullCount()).isEqualTo(700);
    VectorUnion.into(to).repeat(to, 700, 100_000);
    assertThat(to.getNullCount()).isEqualTo(100_700);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void pr26900BitsPastTheLengthOfTheSourceDoNotTravel(Kind kind) {
    for (int before : new int[] {0, 1, 8, 63, 64, 65}) {
      FieldVector source = vector(kind, mixed(new Random(2), 20, 30));
      GroupingBits from = new GroupingBits();
      for (int row : new int[] {5, 12, 17}) {
        from.set(row, true);
      }
      source.setValueCount(10);
      from.setLength(10);
      FieldVector to = vector(kind);
      GroupingBits grouping = new GroupingBits();
      VectorUnion union = VectorUnion.into(to, grouping);
      union.repeat(vector(kind, letters(4, 1)), 0, Math.max(1, before));
      int start = to.getValueCount();
      union.append(source, from, 0, 10);
      assertThat(grouping.length()).isEqualTo(start + 10);
      grouping.setLength(start + 20);
      to.setValueCount(start + 20);
      for (int i = start + 10; i < start + 20; i++) {
        assertThat(to.isNull(i)).as("row " + i + " after " + start).isTrue();
        assertThat(grouping.isGrouped(i)).isFalse();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void pr26938ConstantOfOneRowHasAnyLogicalLength(Kind kind) {
    FieldVector one = vector(kind, letters(24, 1));
    for (int count : new int[] {1, 2, 3, 7, 8, 9, 63, 64, 65, 8192}) {
      FieldVector to = vector(kind, letters(5, 2), null);
      VectorUnion.into(to).repeat(one, 0, count);
      assertThat(to.getValueCount()).isEqualTo(2 + count);
      List<String> rows = RowByRow.rows(to, null);
      assertThat(rows.subList(2, 2 + count)).containsOnly(RowByRow.row(one, null, 0));
      to.close();
    }
  }

  @ParameterizedTest
  @MethodSource(VARIABLE)
  void pr26906SparseFlagsOverTheVectorItself(Kind kind) {
    FieldVector to = vector(kind, mixed(new Random(5), 1000, 10));
    List<String> expected = new ArrayList<>(RowByRow.rows(to, null));
    byte[] flags = new byte[1000];
    flags[0] = 1;
    flags[999] = 1; // far behind the number of selected rows
    VectorUnion.into(to).appendFlagged(to, null, 0, flags);
    expected.add(expected.get(0));
    expected.add(expected.get(999));
    assertThat(RowByRow.rows(to, null)).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void pr26906ManySmallAppendsGrowGeometrically(Kind kind) {
    FieldVector one = vector(kind, letters(30, 1));
    FieldVector to = vector(kind);
    VectorUnion union = VectorUnion.into(to);
    int moves = 0;
    long address = 0;
    for (int i = 0; i < 20_000; i++) {
      union.append(one);
      if (to.getDataBuffer().memoryAddress() != address) {
        moves++;
        address = to.getDataBuffer().memoryAddress();
      }
    }
    assertThat(moves).isLessThan(40);
    if (to instanceof BaseVariableWidthViewVector view) {
      assertThat(view.getDataBuffers().size()).isLessThan(20);
      assertThat(payload(to)).isLessThan(4 * 20_000 * 30);
    }
  }

  @Test
  void pr27112FlagsOtherThanZeroAndOneAreRefused() {
    FieldVector to = vector(Kind.VARBINARY, letters(3, 1));
    FieldVector source = vector(Kind.VARBINARY, letters(3, 2), letters(4, 2));
    for (byte flag : new byte[] {2, -1, 127, -128}) {
      byte[] flags = {1, flag};
      assertThatThrownBy(() -> VectorUnion.into(to).appendFlagged(source, null, 0, flags))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(to.getValueCount()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void pr27446WindowOffsetShiftsNullAndGroupingBitsToo(Kind kind) {
    byte[][] values = new byte[100][];
    GroupingBits from = new GroupingBits();
    for (int i = 0; i < 100; i++) {
      values[i] = i % 7 == 3 ? null : letters(i % 40, i);
      from.set(i, i % 5 == 2);
    }
    FieldVector source = vector(kind, values);
    FieldVector to = vector(kind);
    GroupingBits grouping = new GroupingBits();
    byte[] flags = new byte[60];
    Arrays.fill(flags, (byte) 1);
    VectorUnion.into(to, grouping).appendFlagged(source, from, 37, flags);
    assertThat(RowByRow.rows(to, grouping)).isEqualTo(RowByRow.rows(source, from).subList(37, 97));
  }

  @Test
  void pr27444GroupingLongerThanTheDestinationIsNoError() {
    GroupingBits from = new GroupingBits();
    from.set(100_000, true);
    GroupingBits to = new GroupingBits();
    FieldVector vector = vector(Kind.VARCHAR);
    VectorUnion.into(vector, to).append(vector(Kind.VARCHAR, letters(3, 1)), from, 0, 1);
    assertThat(to.length()).isEqualTo(1);
    assertThat(to.isGrouped(0)).isFalse();
    assertThat(to.isGrouped(100_000)).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void pr27541BitsGoIntoStorageThatWasGrownForThem(Kind kind) {
    FieldVector to = vector(kind); // no memory yet
    GroupingBits grouping = new GroupingBits();
    GroupingBits from = new GroupingBits();
    from.set(0, true);
    VectorUnion.into(to, grouping).repeat(vector(kind, new byte[][] {null}), from, 0, 100_001);
    assertThat(to.getNullCount()).isEqualTo(100_001);
    assertThat(grouping.isGrouped(100_000)).isTrue();
    assertThat(to.getValidityBuffer().capacity()).isGreaterThanOrEqualTo(100_001 / 8 + 1);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void staleBitsOfTheDestinationDoNotShine(Kind kind) {
    // not reported upstream: shrink, then append over old bits
    FieldVector to = vector(kind, mixed(new Random(1), 30, 50));
    GroupingBits grouping = new GroupingBits();
    for (int i = 0; i < 30; i++) {
      grouping.set(i, true);
    }
    to.setValueCount(3);
    grouping.setLength(3);
    FieldVector source = vector(kind, mixed(new Random(2), 20, 50));
    VectorUnion.into(to, grouping).append(source, null, 0, 20);
    assertThat(RowByRow.rows(to, grouping).subList(3, 23)).isEqualTo(RowByRow.rows(source, null));
  }

  @Test
  void wideConstantsAreSharedWhenAppendedOn() {
    // not reported upstream: unsharing makes n payloads of one
    ViewVarBinaryVector wide = (ViewVarBinaryVector) vector(Kind.VIEW_VARBINARY);
    VectorUnion.into(wide).repeat(vector(Kind.VIEW_VARBINARY, letters(100_000, 1)), 0, 5000);
    assertThat(payload(wide)).isLessThan(1 << 20);
    ViewVarBinaryVector to = (ViewVarBinaryVector) vector(Kind.VIEW_VARBINARY);
    VectorUnion.into(to).append(wide);
    assertThat(payload(to)).isLessThan(1 << 20);
    assertThat(RowByRow.row(to, null, 4999)).isEqualTo(RowByRow.row(wide, null, 0));
  }
}
