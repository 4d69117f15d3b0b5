package io.github.lancecalcite.calcite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.format.LogicalType;
import io.github.lancecalcite.format.SchemaField;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.TimeStampNanoVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.calcite.rel.type.RelDataType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** SQL types and values of what the fixtures do not hold, or hold without showing the edge. */
class ValuesTest {
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  private static SchemaField field(int id, String name, LogicalType type) {
    return new SchemaField(id, name, type, true, null, Map.of(), false, List.of());
  }

  private static String type(LogicalType type) {
    RelDataType sql =
        TableColumn.of(List.of(field(0, "x", type))).get(0).type(new LanceTypeFactory());
    return sql.getFullTypeString();
  }

  @Test
  void aStoredColumnWithASystemNameWins() {
    List<TableColumn> columns =
        TableColumn.of(List.of(field(0, "_rowid", new LogicalType.Utf8(false))));
    assertThat(columns)
        .extracting(c -> c.name() + ":" + c.isSystem())
        .containsExactly(
            "_rowid:false",
            "_rowaddr:true",
            "_row_created_at_version:true",
            "_row_last_updated_at_version:true",
            "_rowoffset:true",
            "_fragid:true");
  }

  @Test
  void numbers() {
    assertThat(type(new LogicalType.Int(8, false))).isEqualTo("SMALLINT");
    assertThat(type(new LogicalType.Int(64, false))).isEqualTo("DECIMAL(20, 0)");
    assertThat(type(new LogicalType.FloatingPoint(16))).isEqualTo("REAL");
    assertThat(type(new LogicalType.Decimal(128, 38, 10))).isEqualTo("DECIMAL(38, 10)");
    assertThat(type(new LogicalType.Decimal(128, 5, -2))).isEqualTo("DECIMAL(7, 0)");
    assertThat(type(new LogicalType.Decimal(128, 3, 5))).isEqualTo("DECIMAL(5, 5)");
    assertThat(type(new LogicalType.Decimal(256, 50, 5))).isEqualTo("DECIMAL(38, 5)");
  }

  @Test
  void unknownTypesAreAny() {
    assertThat(type(new LogicalType.Unknown("future"))).isEqualTo("ANY");
    assertThat(type(new LogicalType.Null())).startsWith("VARCHAR");
  }

  @Test
  void unsignedAboveTheSignedRangeIsExact() {
    try (UInt8Vector vector = new UInt8Vector("u", allocator)) {
      vector.allocateNew(1);
      vector.set(0, -1L);
      vector.setValueCount(1);
      assertThat(ValueReaders.of(vector).get(0)).isEqualTo(new BigDecimal("18446744073709551615"));
      assertThatThrownBy(() -> ValueReaders.system(vector, "_rowid").get(0))
          .hasMessage("value 18446744073709551615 does not fit BIGINT, the type of _rowid");
    }
  }

  @Test
  void wideDecimalsAreExactOrRefused() {
    try (Decimal256Vector vector = new Decimal256Vector("d", allocator, 50, 5)) {
      vector.allocateNew(2);
      vector.set(0, new BigDecimal("123456789012345678901234567890123.00001"));
      vector.set(1, new BigDecimal("1234567890123456789012345678901234.00001"));
      vector.setValueCount(2);
      assertThat(ValueReaders.of(vector).get(0))
          .isEqualTo(new BigDecimal("123456789012345678901234567890123.00001"));
      assertThatThrownBy(() -> ValueReaders.of(vector).get(1))
          .hasMessage("value 1234567890123456789012345678901234.00001 does not fit DECIMAL(38, 5)");
    }
  }

  @Test
  void instantsBeforeTheEpochRoundDown() {
    try (TimeStampNanoVector vector = new TimeStampNanoVector("t", allocator)) {
      vector.allocateNew(1);
      vector.set(0, -1L);
      vector.setValueCount(1);
      assertThat(ValueReaders.of(vector).get(0)).isEqualTo(-1L);
    }
  }
}
