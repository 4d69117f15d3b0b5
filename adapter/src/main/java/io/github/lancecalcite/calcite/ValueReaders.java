package io.github.lancecalcite.calcite;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
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
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.calcite.avatica.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * The one place where Arrow values become the Java objects of Calcite's runtime. The type is looked
 * at once per vector, never per row.
 */
final class ValueReaders {
  private ValueReaders() {}

  /** Reads the values of one vector. */
  interface ValueReader {
    /** The value of a row, 0-based, as Calcite's generated code expects it. */
    @Nullable Object get(int row);
  }

  /** Values of a stored column, typed as {@link LanceTypes#of} says. */
  static ValueReader of(FieldVector vector) {
    if (vector instanceof NullVector) {
      return row -> null;
    }
    ValueReader reader = present(vector);
    return vector.getNullCount() == 0 ? reader : row -> vector.isNull(row) ? null : reader.get(row);
  }

  /** Values of a system column: BIGINT. */
  static ValueReader system(FieldVector vector, String name) {
    UInt8Vector values = (UInt8Vector) vector;
    return row -> {
      long value = values.get(row);
      if (value < 0) {
        throw LanceFailure.doesNotFit(Long.toUnsignedString(value), "BIGINT, the type of " + name);
      }
      return value;
    };
  }

  /** Nanoseconds after the millisecond of times and timestamps of microseconds or nanoseconds. */
  static ValueReader fraction(FieldVector vector) {
    ValueReader reader = presentFraction(vector);
    return vector.getNullCount() == 0 ? reader : row -> vector.isNull(row) ? null : reader.get(row);
  }

  private static ValueReader presentFraction(FieldVector vector) {
    switch (vector.getMinorType()) {
      case TIMEMICRO:
        TimeMicroVector timeMicros = (TimeMicroVector) vector;
        return row -> (int) Math.floorMod(timeMicros.get(row), 1000L) * 1000;
      case TIMENANO:
        TimeNanoVector timeNanos = (TimeNanoVector) vector;
        return row -> (int) Math.floorMod(timeNanos.get(row), 1_000_000L);
      case TIMESTAMPMICRO:
      case TIMESTAMPMICROTZ:
        TimeStampVector micros = (TimeStampVector) vector;
        return row -> (int) Math.floorMod(micros.get(row), 1000L) * 1000;
      case TIMESTAMPNANO:
      case TIMESTAMPNANOTZ:
        TimeStampVector nanos = (TimeStampVector) vector;
        return row -> (int) Math.floorMod(nanos.get(row), 1_000_000L);
      default:
        throw new IllegalStateException("no fraction of " + vector.getField());
    }
  }

  private static ValueReader present(FieldVector vector) {
    switch (vector.getMinorType()) {
      case BIT:
        BitVector bits = (BitVector) vector;
        return row -> bits.get(row) != 0;
      case TINYINT:
        TinyIntVector int8 = (TinyIntVector) vector;
        return int8::get;
      case SMALLINT:
        SmallIntVector int16 = (SmallIntVector) vector;
        return int16::get;
      case INT:
        IntVector int32 = (IntVector) vector;
        return int32::get;
      case BIGINT:
        BigIntVector int64 = (BigIntVector) vector;
        return int64::get;
      case UINT1:
        UInt1Vector uint8 = (UInt1Vector) vector;
        return row -> (short) (uint8.get(row) & 0xFF);
      case UINT2:
        UInt2Vector uint16 = (UInt2Vector) vector;
        return row -> (int) uint16.get(row);
      case UINT4:
        UInt4Vector uint32 = (UInt4Vector) vector;
        return row -> uint32.get(row) & 0xFFFF_FFFFL;
      case UINT8:
        UInt8Vector uint64 = (UInt8Vector) vector;
        return row -> unsigned(uint64.get(row));
      case FLOAT2:
        Float2Vector float16 = (Float2Vector) vector;
        return float16::getValueAsFloat;
      case FLOAT4:
        Float4Vector float32 = (Float4Vector) vector;
        return float32::get;
      case FLOAT8:
        Float8Vector float64 = (Float8Vector) vector;
        return float64::get;
      case DECIMAL:
        DecimalVector decimal = (DecimalVector) vector;
        return decimal(vector, row -> decimal.getObjectNotNull(row));
      case DECIMAL256:
        Decimal256Vector wide = (Decimal256Vector) vector;
        return decimal(vector, row -> wide.getObjectNotNull(row));
      case VARCHAR:
        VarCharVector text = (VarCharVector) vector;
        return row -> utf8(text.get(row));
      case LARGEVARCHAR:
        LargeVarCharVector largeText = (LargeVarCharVector) vector;
        return row -> utf8(largeText.get(row));
      case VARBINARY:
        BaseVariableWidthVector binary = (BaseVariableWidthVector) vector;
        return row -> bytes(binary.getObject(row));
      case LARGEVARBINARY:
        BaseLargeVariableWidthVector largeBinary = (BaseLargeVariableWidthVector) vector;
        return row -> bytes(largeBinary.getObject(row));
      case FIXEDSIZEBINARY:
        FixedSizeBinaryVector fixed = (FixedSizeBinaryVector) vector;
        return row -> new ByteString(fixed.get(row));
      default:
        return temporalOrNested(vector);
    }
  }

  private static ValueReader temporalOrNested(FieldVector vector) {
    switch (vector.getMinorType()) {
      case DATEDAY:
        DateDayVector days = (DateDayVector) vector;
        return days::get;
      case DATEMILLI:
        DateMilliVector dateMillis = (DateMilliVector) vector;
        return row -> (int) Math.floorDiv(dateMillis.get(row), TimeUnit.DAYS.toMillis(1));
      case TIMESEC:
        TimeSecVector timeSeconds = (TimeSecVector) vector;
        return row -> timeSeconds.get(row) * 1000;
      case TIMEMILLI:
        TimeMilliVector timeMillis = (TimeMilliVector) vector;
        return timeMillis::get;
      case TIMEMICRO:
        TimeMicroVector timeMicros = (TimeMicroVector) vector;
        return row -> (int) Math.floorDiv(timeMicros.get(row), 1000L);
      case TIMENANO:
        TimeNanoVector timeNanos = (TimeNanoVector) vector;
        return row -> (int) Math.floorDiv(timeNanos.get(row), 1_000_000L);
      case TIMESTAMPSEC:
      case TIMESTAMPSECTZ:
        TimeStampVector seconds = (TimeStampVector) vector;
        return row -> secondsToMillis(seconds.get(row));
      case TIMESTAMPMILLI:
      case TIMESTAMPMILLITZ:
        TimeStampVector millis = (TimeStampVector) vector;
        return millis::get;
      case TIMESTAMPMICRO:
      case TIMESTAMPMICROTZ:
        TimeStampVector micros = (TimeStampVector) vector;
        return row -> Math.floorDiv(micros.get(row), 1000L);
      case TIMESTAMPNANO:
      case TIMESTAMPNANOTZ:
        TimeStampVector nanos = (TimeStampVector) vector;
        return row -> Math.floorDiv(nanos.get(row), 1_000_000L);
      case DURATION:
        DurationVector duration = (DurationVector) vector;
        return row -> DurationVector.get(duration.getDataBuffer(), row);
      case LIST:
        ListVector list = (ListVector) vector;
        ValueReader items = of(list.getDataVector());
        return row -> slice(items, list.getElementStartIndex(row), list.getElementEndIndex(row));
      case LARGELIST:
        LargeListVector largeList = (LargeListVector) vector;
        ValueReader largeItems = of(largeList.getDataVector());
        return row ->
            slice(
                largeItems,
                Math.toIntExact(largeList.getElementStartIndex(row)),
                Math.toIntExact(largeList.getElementEndIndex(row)));
      case FIXED_SIZE_LIST:
        FixedSizeListVector fixedList = (FixedSizeListVector) vector;
        ValueReader fixedItems = of(fixedList.getDataVector());
        int size = fixedList.getListSize();
        return row -> slice(fixedItems, row * size, row * size + size);
      case STRUCT:
        return struct((StructVector) vector);
      case MAP:
        return map((MapVector) vector);
      default:
        throw new IllegalStateException("no SQL value for Arrow type " + vector.getField());
    }
  }

  private static BigDecimal unsigned(long value) {
    return value >= 0 ? BigDecimal.valueOf(value) : new BigDecimal(Long.toUnsignedString(value));
  }

  private static ValueReader decimal(FieldVector vector, IntFunction<BigDecimal> values) {
    ArrowType.Decimal type = (ArrowType.Decimal) vector.getField().getType();
    int scale = LanceTypes.decimalScale(type);
    if (type.getPrecision() <= LanceTypeSystem.MAX_DECIMAL_DIGITS && type.getScale() == scale) {
      return values::apply;
    }
    return row -> {
      BigDecimal value = values.apply(row);
      BigDecimal scaled;
      try {
        scaled = value.setScale(scale, RoundingMode.UNNECESSARY);
      } catch (ArithmeticException e) {
        throw LanceFailure.doesNotFit(value, "DECIMAL(38, " + scale + ")");
      }
      if (scaled.precision() > LanceTypeSystem.MAX_DECIMAL_DIGITS) {
        throw LanceFailure.doesNotFit(value, "DECIMAL(38, " + scale + ")");
      }
      return scaled;
    };
  }

  private static String utf8(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static ByteString bytes(Object value) {
    return new ByteString((byte[]) value);
  }

  private static long secondsToMillis(long seconds) {
    try {
      return Math.multiplyExact(seconds, 1000L);
    } catch (ArithmeticException e) {
      throw LanceFailure.doesNotFit(seconds + " s since 1970", "TIMESTAMP");
    }
  }

  private static List<@Nullable Object> slice(ValueReader items, int start, int end) {
    @Nullable Object[] values = new Object[end - start];
    for (int i = 0; i < values.length; i++) {
      values[i] = items.get(start + i);
    }
    return Collections.unmodifiableList(Arrays.asList(values));
  }

  private static ValueReader struct(StructVector vector) {
    ValueReader[] fields = new ValueReader[vector.size()];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = of((FieldVector) vector.getChildByOrdinal(i));
    }
    return row -> {
      @Nullable Object[] values = new Object[fields.length];
      for (int i = 0; i < fields.length; i++) {
        values[i] = fields[i].get(row);
      }
      return values;
    };
  }

  private static ValueReader map(MapVector vector) {
    StructVector entries = (StructVector) vector.getDataVector();
    ValueReader keys = of((FieldVector) entries.getChildByOrdinal(0));
    ValueReader values = of((FieldVector) entries.getChildByOrdinal(1));
    return row -> {
      Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
      int end = vector.getElementEndIndex(row);
      for (int i = vector.getElementStartIndex(row); i < end; i++) {
        map.put(keys.get(i), values.get(i));
      }
      return map;
    };
  }
}
