package io.github.lancecalcite.dataset;

import static io.github.lancecalcite.dataset.SyntheticFile20.field;
import static io.github.lancecalcite.dataset.SyntheticFile20.ints;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.format.CompressiveEncoding;
import io.github.lancecalcite.format.LogicalType;
import io.github.lancecalcite.format.PageLayout;
import io.github.lancecalcite.format.PageLayout.Layer;
import io.github.lancecalcite.format.SchemaField;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pages of one value, as 2.2 writes them, and of none. */
class ConstantPageTest extends SyntheticColumn21 {
  private static PageLayout constant(byte[] value, List<Layer> layers) {
    return new PageLayout.Constant(layers, value, null, null, 0, 0);
  }

  private static PageLayout noValue(List<Layer> layers) {
    return new PageLayout.Constant(layers, null, null, null, 0, 0);
  }

  private static byte[] levels(int... levels) {
    PageBuilder bytes = new PageBuilder();
    for (int level : levels) {
      bytes.u16(level);
    }
    return bytes.array();
  }

  @Test
  void aValueThatStandsInTheLayoutIsEveryRowsButTheNulls() throws Exception {
    SchemaField x = field(0, "x", INT32);
    file.column()
        .page(2, constant(ints(-7), List.of(Layer.ALL_VALID_ITEM)))
        .page(
            4,
            constant(ints(5), List.of(Layer.NULLABLE_ITEM)),
            new byte[0], // no repetition levels
            levels(0, 1, 1, 0))
        .of(x);

    assertRows(x, "[-7, -7, 5, null, null, 5]");
  }

  @Test
  void aBitIsAWholeByteOfTheLayout() throws Exception {
    SchemaField x = field(0, "x", new LogicalType.Bool());
    file.column()
        .page(9, constant(new byte[] {1}, List.of(Layer.ALL_VALID_ITEM)))
        .page(1, constant(new byte[] {0}, List.of(Layer.ALL_VALID_ITEM)))
        .of(x);

    assertRows(x, "[true, true, true, true, true, true, true, true, true, false]");
  }

  @Test
  void aStringHasABufferOfItsOwn() throws Exception {
    SchemaField x = field(0, "x", new LogicalType.Utf8(false));
    PageBuilder value = new PageBuilder().i32(2).i32(8).i32(12); // two buffers and their sizes
    value.i32(0).i32(12).text("constant-val");
    file.column()
        .page(3, noValue(List.of(Layer.ALL_VALID_ITEM)), value.array())
        .page(
            2,
            noValue(List.of(Layer.NULLABLE_ITEM)),
            new PageBuilder().i32(2).i32(16).i32(0).i64(0).i64(0).array(), // 64-bit offsets
            new byte[0],
            levels(1, 0))
        .of(x);

    assertRows(x, "['constant-val', 'constant-val', 'constant-val', null, '']");
  }

  @Test
  void aPageWithoutAnyValueIsNull() throws Exception {
    SchemaField x = field(0, "x", INT32);
    file.column().page(3, noValue(List.of(Layer.NULLABLE_ITEM))).of(x);

    assertRows(x, "[null, null, null]");
  }

  @Test
  void listsOfOneValueKeepTheirLengths() throws Exception {
    file.column()
        .page(
            3,
            constant(ints(4), List.of(Layer.NULLABLE_ITEM, Layer.EMPTYABLE_LIST)),
            levels(1, 0, 1, 1, 0, 0),
            levels(0, 1, 2, 0, 0, 0))
        .of(field(1, "item", INT32));

    assertRows(field(0, "x", LIST, field(1, "item", INT32)), "[[4, null], [], [4, 4, 4]]");
  }

  @Test
  void levelsMayStandInRuns() throws Exception {
    CompressiveEncoding runs = new CompressiveEncoding.Rle(FLAT16, FLAT8);
    byte[] ones =
        new PageBuilder().i64(2).u16(1).u8(5).array(); // size of the values, 1, five times
    PageLayout.Constant nulls =
        new PageLayout.Constant(
            List.of(Layer.ALL_VALID_ITEM, Layer.NULLABLE_LIST), null, runs, runs, 5, 5);
    file.column().page(5, nulls, ones, ones).of(field(1, "item", INT32));

    assertRows(field(0, "x", LIST, field(1, "item", INT32)), "[null, null, null, null, null]");
  }

  @Test
  void fewerLevelsThanRowsAreCorrupt() {
    SchemaField x = field(0, "x", INT32);
    file.column()
        .page(4, constant(ints(5), List.of(Layer.NULLABLE_ITEM)), new byte[0], levels(0, 1, 0))
        .of(x);

    assertThat(failure(x, 4))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("entries of column 0 page 0: expected at least 4, found 3");
  }

  @Test
  void aValueOfAnotherWidthThanTheTypeIsCorrupt() {
    SchemaField x = field(0, "x", INT32);
    file.column().page(4, constant(new byte[3], List.of(Layer.ALL_VALID_ITEM))).of(x);

    assertThat(failure(x, 4)).isInstanceOf(CorruptFileException.class);
  }
}
