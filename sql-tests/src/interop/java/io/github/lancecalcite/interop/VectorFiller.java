package io.github.lancecalcite.interop;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeMilliVector;
import org.apache.arrow.vector.TimeNanoVector;
import org.apache.arrow.vector.TimeSecVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.jspecify.annotations.Nullable;

/**
 * Writes one Java value into one slot of an Arrow vector, slots in ascending order.
 *
 * <p>Values: {@code Boolean}; any {@code Number} for integers, floats (float16 as its bits) and
 * temporal types (raw units); {@code BigDecimal}; {@code String}; {@code byte[]}; {@code List} for
 * lists, fixed-size lists and maps (of entries); {@code Object[]} for structs and map entries;
 * null.
 */
final class VectorFiller {
  private VectorFiller() {}

  static void set(FieldVector vector, int i, @Nullable Object value) {
    if (vector instanceof NullVector) {
      return;
    }
    if (value == null) {
      vector.setNull(i);
    } else if (value instanceof Number && !(value instanceof BigDecimal)) {
      setNumber(vector, i, (Number) value);
    } else if (value instanceof BigDecimal) {
      setDecimal(vector, i, (BigDecimal) value);
    } else if (value instanceof Boolean) {
      ((BitVector) vector).setSafe(i, ((Boolean) value) ? 1 : 0);
    } else if (value instanceof String) {
      setBytes(vector, i, ((String) value).getBytes(StandardCharsets.UTF_8));
    } else if (value instanceof byte[]) {
      setBytes(vector, i, (byte[]) value);
    } else if (value instanceof List) {
      setList(vector, i, (List<?>) value);
    } else {
      setStruct((StructVector) vector, i, (Object[]) value);
    }
  }

  private static void setNumber(FieldVector vector, int i, Number value) {
    long bits = value.longValue();
    switch (vector.getMinorType()) {
      case TINYINT -> ((TinyIntVector) vector).setSafe(i, (int) bits);
      case SMALLINT -> ((SmallIntVector) vector).setSafe(i, (int) bits);
      case INT -> ((IntVector) vector).setSafe(i, (int) bits);
      case BIGINT -> ((BigIntVector) vector).setSafe(i, bits);
      case UINT1 -> ((UInt1Vector) vector).setSafe(i, (int) bits);
      case UINT2 -> ((UInt2Vector) vector).setSafe(i, (int) bits);
      case UINT4 -> ((UInt4Vector) vector).setSafe(i, (int) bits);
      case UINT8 -> ((UInt8Vector) vector).setSafe(i, bits);
      case FLOAT2 -> ((Float2Vector) vector).setSafe(i, (short) bits);
      case FLOAT4 -> ((Float4Vector) vector).setSafe(i, value.floatValue());
      case FLOAT8 -> ((Float8Vector) vector).setSafe(i, value.doubleValue());
      case DATEDAY -> ((DateDayVector) vector).setSafe(i, (int) bits);
      case DATEMILLI -> ((DateMilliVector) vector).setSafe(i, bits);
      case TIMESEC -> ((TimeSecVector) vector).setSafe(i, (int) bits);
      case TIMEMILLI -> ((TimeMilliVector) vector).setSafe(i, (int) bits);
      case TIMEMICRO -> ((TimeMicroVector) vector).setSafe(i, bits);
      case TIMENANO -> ((TimeNanoVector) vector).setSafe(i, bits);
      case DURATION -> ((DurationVector) vector).setSafe(i, bits);
      default -> ((TimeStampVector) vector).setSafe(i, bits);
    }
  }

  private static void setDecimal(FieldVector vector, int i, BigDecimal value) {
    if (vector instanceof DecimalVector) {
      ((DecimalVector) vector).setSafe(i, value);
    } else {
      ((Decimal256Vector) vector).setSafe(i, value);
    }
  }

  private static void setBytes(FieldVector vector, int i, byte[] value) {
    switch (vector.getMinorType()) {
      case VARCHAR -> ((VarCharVector) vector).setSafe(i, value);
      case LARGEVARCHAR -> ((LargeVarCharVector) vector).setSafe(i, value);
      case VARBINARY -> ((VarBinaryVector) vector).setSafe(i, value);
      case LARGEVARBINARY -> ((LargeVarBinaryVector) vector).setSafe(i, value);
      default -> ((FixedSizeBinaryVector) vector).setSafe(i, value);
    }
  }

  private static void setList(FieldVector vector, int i, List<?> values) {
    if (vector instanceof FixedSizeListVector) {
      FixedSizeListVector list = (FixedSizeListVector) vector;
      setAll(list.getDataVector(), list.startNewValue(i), values);
    } else if (vector instanceof LargeListVector) {
      LargeListVector list = (LargeListVector) vector;
      setAll(list.getDataVector(), Math.toIntExact(list.startNewValue((long) i)), values);
      list.endValue(i, values.size());
    } else {
      ListVector list = (ListVector) vector;
      setAll(list.getDataVector(), list.startNewValue(i), values);
      list.endValue(i, values.size());
    }
  }

  private static void setAll(FieldVector items, int start, List<?> values) {
    for (int k = 0; k < values.size(); k++) {
      set(items, start + k, values.get(k));
    }
  }

  private static void setStruct(StructVector struct, int i, Object[] values) {
    struct.setIndexDefined(i);
    List<FieldVector> children = struct.getChildrenFromFields();
    for (int k = 0; k < values.length; k++) {
      set(Objects.requireNonNull(children.get(k)), i, values[k]);
    }
  }
}
