package io.github.lancecalcite.varlena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.ViewVarBinaryVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.util.OversizedAllocationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory shapes that vectors of our own writing do not have, but legal ones do. */
class UnionShapesTest extends UnionTest {
  /** A vector loaded from raw buffers: offsets as given, 2 KiB of letters, all rows valid. */
  private FieldVector loaded(boolean large, long... offsets) {
    ArrowBuf ends = allocator.buffer(offsets.length * 8L);
    ArrowBuf data = allocator.buffer(2048);
    try {
      data.setBytes(0, letters(2048, 99));
      for (int i = 0; i < offsets.length; i++) {
        if (large) {
          ends.setLong(i * 8L, offsets[i]);
        } else {
          ends.setInt(i * 4L, (int) offsets[i]);
        }
      }
      FieldVector vector = vector(large ? Kind.LARGE_VARBINARY : Kind.VARBINARY);
      vector.loadFieldBuffers(
          new ArrowFieldNode(offsets.length - 1, 0),
          Arrays.asList(allocator.getEmpty(), ends, data));
      return vector;
    } finally {
      ends.close();
      data.close();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFirstOffsetThatIsNotZero(boolean large) {
    long[] offsets = new long[11];
    for (int i = 0; i <= 10; i++) {
      offsets[i] = 900 + 10 * i;
    }
    FieldVector source = loaded(large, offsets);
    FieldVector to = vector(large ? Kind.LARGE_VARBINARY : Kind.VARBINARY, letters(4, 1));
    List<String> expected = new ArrayList<>(RowByRow.rows(to, null));
    expected.addAll(RowByRow.rows(source, null));
    VectorUnion union = VectorUnion.into(to);
    union.append(source);
    assertThat(to.getDataBuffer().writerIndex()).isEqualTo(104);
    union.append(source, 3, 4);
    union.appendSelected(source, new int[] {9, 0}, 0, 2);
    union.repeat(source, 9, 2);
    expected.addAll(RowByRow.rows(source, null).subList(3, 7));
    for (int row : new int[] {9, 0, 9, 9}) {
      expected.add(RowByRow.row(source, null, row));
    }
    assertThat(RowByRow.rows(to, null)).isEqualTo(expected);
  }

  @Test
  void thirtyTwoBitOffsetsDoNotOverflow() {
    FieldVector to = loaded(false, 0, Integer.MAX_VALUE - 100);
    FieldVector source = loaded(false, 0, 60, 101);
    byte[] before = new byte[16];
    to.getOffsetBuffer().getBytes(0, before);
    VectorUnion union = VectorUnion.into(to);
    assertThatThrownBy(() -> union.append(source))
        .isInstanceOf(OversizedAllocationException.class)
        .hasMessage("an append of 101 bytes to 2147483547 exceeds 2147483647 bytes");
    assertThatThrownBy(() -> union.appendSelected(source, new int[] {0, 1}, 0, 2))
        .isInstanceOf(OversizedAllocationException.class);
    assertThatThrownBy(() -> union.repeat(source, 0, 2))
        .isInstanceOf(OversizedAllocationException.class);
    assertThatThrownBy(() -> union.repeat(source, 0, Integer.MAX_VALUE))
        .isInstanceOf(OversizedAllocationException.class);
    assertThat(to.getValueCount()).isEqualTo(1);
    byte[] after = new byte[16];
    to.getOffsetBuffer().getBytes(0, after);
    assertThat(after).isEqualTo(before);
  }

  @Test
  void sixtyFourBitOffsetsDoNotOverflow() {
    FieldVector to = loaded(true, 0, Long.MAX_VALUE - 100);
    FieldVector source = loaded(true, 0, 101);
    assertThatThrownBy(() -> VectorUnion.into(to).append(source))
        .isInstanceOf(OversizedAllocationException.class);
    assertThat(to.getValueCount()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aFailedAllocationLeavesTheRows(Kind kind) {
    FieldVector source = vector(kind, mixed(new Random(1), 3000, 10));
    byte[][] seed = mixed(new Random(2), 10, 20);
    for (long limit = 1024; limit < 4 << 20; limit = limit * 5 / 4) {
      try (BufferAllocator small = allocator.newChildAllocator("small", 0, limit)) {
        FieldVector to = (FieldVector) source.getField().createVector(small);
        GroupingBits grouping = new GroupingBits();
        try {
          VectorUnion union = VectorUnion.into(to, grouping);
          try {
            union.append(vector(kind, seed), null, 0, 10);
          } catch (OutOfMemoryException e) {
            assertThat(to.getValueCount()).isZero();
            continue;
          }
          List<String> before = RowByRow.rows(to, grouping);
          int n = 0;
          for (Runnable call :
              List.<Runnable>of(
                  () -> union.append(source),
                  () -> union.appendSelected(source, new int[3000], 0, 3000),
                  () -> union.repeat(source, 1, 3_000_000))) {
            n++;
            try {
              call.run();
              to.setValueCount(10);
              grouping.setLength(10);
            } catch (OutOfMemoryException e) {
              // the usual case; what else is thrown fails the test
            }
            assertThat(RowByRow.rows(to, grouping)).as(limit + ", call " + n).isEqualTo(before);
          }
        } finally {
          to.close();
        }
      }
    }
  }

  @Test
  void viewsOfAnyOrderGapsOverlapsAndRepeats() {
    ViewVarBinaryVector source = (ViewVarBinaryVector) vector(Kind.VIEW_VARBINARY);
    byte[] area = letters(1000, 1);
    ArrowBuf views = allocator.buffer(6 * 16);
    ArrowBuf one = allocator.buffer(1000);
    ArrowBuf two = allocator.buffer(1000);
    one.setBytes(0, area);
    two.setBytes(0, letters(1000, 2));
    int[][] rows = {
      {0, 500, 100}, {0, 100, 100}, {1, 0, 50}, {1, 50, 50}, {1, 50, 50}, {0, 90, 20}
    };
    for (int i = 0; i < rows.length; i++) {
      views.setInt(i * 16L, rows[i][2]);
      views.setBytes(i * 16L + 4, area, rows[i][1], 4);
      views.setInt(i * 16L + 8, rows[i][0]);
      views.setInt(i * 16L + 12, rows[i][1]);
    }
    source.loadFieldBuffers(
        new ArrowFieldNode(6, 0), Arrays.asList(allocator.getEmpty(), views, one, two));
    views.close();
    one.close();
    two.close();
    ViewVarBinaryVector to = (ViewVarBinaryVector) vector(Kind.VIEW_VARBINARY, letters(33, 3));
    VectorUnion.into(to).append(source);
    assertThat(RowByRow.rows(to, null).subList(1, 7)).isEqualTo(RowByRow.rows(source, null));
    assertThat(to.getDataBuffers().stream().mapToLong(ArrowBuf::writerIndex).sum())
        .as("referenced bytes, the repeat once")
        .isEqualTo(33 + 100 + 100 + 50 + 50 + 20);
  }

  @ParameterizedTest
  @ValueSource(ints = {13, 100, 900})
  void viewsThatFollowOneAnotherThroughManyBuffers(int most) {
    // written row by row: the data buffers begin small and grow
    Random random = new Random(most);
    ViewVarBinaryVector source = (ViewVarBinaryVector) vector(Kind.VIEW_VARBINARY);
    long bytes = 0;
    for (int i = 0; i < 3000; i++) {
      int length = random.nextInt(most + 1);
      if (random.nextInt(5) == 0) {
        source.setNull(i);
      } else {
        source.setSafe(i, letters(length, i));
        bytes += length > 12 ? length : 0;
      }
    }
    source.setValueCount(3000);
    assertThat(source.getDataBuffers()).hasSizeGreaterThan(1);
    for (int offset : new int[] {0, 1, 7, 64, 2900}) {
      ViewVarBinaryVector to = (ViewVarBinaryVector) vector(Kind.VIEW_VARBINARY, letters(20, 3));
      VectorUnion.into(to).append(source, offset, 3000 - offset);
      assertThat(RowByRow.rows(to, null).subList(1, 3001 - offset))
          .isEqualTo(RowByRow.rows(source, null).subList(offset, 3000));
      assertThat(to.getDataBuffers()).hasSizeLessThan(3);
      if (offset == 0) {
        assertThat(to.getDataBuffers().stream().mapToLong(ArrowBuf::writerIndex).sum())
            .isEqualTo(20 + bytes);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 13, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void viewsThatLieInNoBufferAreRefused(int length) {
    for (int row : new int[] {0, 70, 199}) {
      ViewVarBinaryVector source = (ViewVarBinaryVector) vector(Kind.VIEW_VARBINARY);
      for (int i = 0; i < 200; i++) {
        source.setSafe(i, letters(13, i));
      }
      source.setValueCount(200);
      source.getDataBuffer().setInt(row * 16L, length);
      source.getDataBuffer().setInt(row * 16L + 12, length == 13 ? -13 : 0);
      FieldVector to = vector(Kind.VIEW_VARBINARY, letters(20, 3));
      int[] all = IntStream.range(0, 200).toArray();
      assertThatThrownBy(() -> VectorUnion.into(to).append(source))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> VectorUnion.into(to).appendSelected(source, all, 0, 200))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(to.getValueCount()).isEqualTo(1);
    }
  }

  @Test
  void aFullViewBufferOpensTheNext() {
    byte[][] values = mixed(new Random(4), 500, 10);
    FieldVector source = vector(Kind.VIEW_VARBINARY, values);
    for (int most : new int[] {800, 801, 1000, 5000, 70_000}) {
      ViewVarBinaryVector to = (ViewVarBinaryVector) vector(Kind.VIEW_VARBINARY);
      VectorUnion union = VectorUnion.into(to, null, most);
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        union.append(source, i * 7, 400);
        expected.addAll(RowByRow.rows(source, null).subList(i * 7, i * 7 + 400));
      }
      assertThat(RowByRow.rows(to, null)).isEqualTo(expected);
      for (ArrowBuf buffer : to.getDataBuffers()) {
        assertThat(buffer.writerIndex()).isBetween(1L, (long) most);
      }
      to.close();
    }
    ViewVarBinaryVector to = (ViewVarBinaryVector) vector(Kind.VIEW_VARBINARY);
    assertThatThrownBy(() -> VectorUnion.into(to, null, 799).append(source))
        .isInstanceOf(OversizedAllocationException.class);
  }

  @Test
  void aSharedViewBufferIsNotWrittenInto() {
    ViewVarBinaryVector source =
        (ViewVarBinaryVector) vector(Kind.VIEW_VARBINARY, letters(50, 1), letters(60, 2));
    ViewVarBinaryVector to = (ViewVarBinaryVector) vector(Kind.VIEW_VARBINARY);
    to.loadFieldBuffers(new ArrowFieldNode(2, 0), source.getFieldBuffers());
    VectorUnion.into(to).append(vector(Kind.VIEW_VARBINARY, letters(70, 3)));
    source.setSafe(2, letters(80, 4));
    source.setValueCount(3);
    to.setSafe(3, letters(90, 5));
    to.setValueCount(4);
    assertThat(List.of(source.get(2), to.get(2), to.get(3)))
        .containsExactly(letters(80, 4), letters(70, 3), letters(90, 5));
  }

  @Test
  void garbageBehindAnInlineValueIsCutOff() {
    byte[][] full = new byte[13][];
    Arrays.fill(full, letters(12, 7));
    FieldVector source = vector(Kind.VIEW_VARBINARY, full);
    for (int length = 0; length <= 12; length++) {
      source.getDataBuffer().setInt(length * 16L, length);
    }
    ViewVarBinaryVector to = (ViewVarBinaryVector) vector(Kind.VIEW_VARBINARY);
    VectorUnion.into(to).append(source);
    for (int length = 0; length <= 12; length++) {
      byte[] view = new byte[16];
      to.getDataBuffer().getBytes(length * 16L, view);
      assertThat(Arrays.copyOf(view, 4 + length)).endsWith(Arrays.copyOf(letters(12, 7), length));
      assertThat(Arrays.copyOfRange(view, 4 + length, 16)).isEqualTo(new byte[12 - length]);
    }
  }

  @Test
  void aSourceThatNeverGotACountAppendsNothing() {
    VarBinaryVector source = (VarBinaryVector) vector(Kind.VARBINARY);
    source.setSafe(0, letters(9, 1));
    FieldVector to = vector(Kind.VARBINARY, letters(3, 1));
    VectorUnion.into(to).append(source);
    assertThat(to.getValueCount()).isEqualTo(1);
  }

  @Test
  void memoryOfTheDestinationIsItsOwn() {
    try (BufferAllocator other = new RootAllocator()) {
      FieldVector to = vector(Kind.LARGE_VARBINARY);
      LargeVarBinaryVector source = new LargeVarBinaryVector("s", other);
      source.setSafe(0, letters(100, 1));
      source.setValueCount(1);
      VectorUnion.into(to).append(source);
      source.close();
      assertThat(RowByRow.row(to, null, 0)).contains("100#");
    }
  }
}
