package io.github.lancecalcite.sqltests;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.jspecify.annotations.Nullable;

/**
 * Arrow values as plain values that {@code equals} compares exactly.
 *
 * <p>Integers and temporal values (raw units) → {@code Long}, unsigned 64 bits → {@code
 * BigInteger}, float16 and float32 → {@code Float}, float64 → {@code Double}, decimals → their
 * digits, binary → {@code "0x…"}, lists and maps → {@code List}, structs → {@code Map} in field
 * order.
 */
public final class ArrowCells {
  private ArrowCells() {}

  /** The value of a slot, or null. */
  public static @Nullable Object get(FieldVector vector, int i) {
    if (vector instanceof NullVector || vector.isNull(i)) {
      return null;
    }
    switch (vector.getMinorType()) {
      case BIT:
        return ((BitVector) vector).get(i) != 0;
      case UINT1:
        return raw(vector, i, 1) & 0xFF;
      case UINT2:
        return (long) ((UInt2Vector) vector).get(i);
      case UINT4:
        return raw(vector, i, 4) & 0xFFFF_FFFFL;
      case UINT8:
        return new BigInteger(Long.toUnsignedString(raw(vector, i, 8)));
      case TINYINT:
        return raw(vector, i, 1);
      case SMALLINT:
        return raw(vector, i, 2);
      case INT:
      case DATEDAY:
      case TIMESEC:
      case TIMEMILLI:
        return raw(vector, i, 4);
      case FLOAT2:
        return ((Float2Vector) vector).getValueAsFloat(i);
      case FLOAT4:
        return ((Float4Vector) vector).get(i);
      case FLOAT8:
        return ((Float8Vector) vector).get(i);
      case DECIMAL:
      case DECIMAL256:
        return ((BigDecimal) vector.getObject(i)).toPlainString();
      case DURATION:
        return DurationVector.get(vector.getDataBuffer(), i);
      case VARCHAR:
        return utf8(((VarCharVector) vector).get(i));
      case LARGEVARCHAR:
        return utf8(((LargeVarCharVector) vector).get(i));
      case VARBINARY:
        return hex(((VarBinaryVector) vector).get(i));
      case LARGEVARBINARY:
        return hex(((LargeVarBinaryVector) vector).get(i));
      case FIXEDSIZEBINARY:
        return hex(((FixedSizeBinaryVector) vector).get(i));
      case STRUCT:
        return struct((StructVector) vector, i);
      case LIST:
      case MAP:
        ListVector list = (ListVector) vector;
        return items(
            list.getDataVector(), list.getElementStartIndex(i), list.getElementEndIndex(i));
      case LARGELIST:
        LargeListVector large = (LargeListVector) vector;
        return items(
            large.getDataVector(),
            Math.toIntExact(large.getElementStartIndex(i)),
            Math.toIntExact(large.getElementEndIndex(i)));
      case FIXED_SIZE_LIST:
        FixedSizeListVector fixed = (FixedSizeListVector) vector;
        int size = fixed.getListSize();
        return items(fixed.getDataVector(), i * size, (i + 1) * size);
      default:
        return raw(vector, i, 8);
    }
  }

  /** The bytes of a fixed-width value as a signed number. */
  private static long raw(FieldVector vector, int i, int bytes) {
    if (((BaseFixedWidthVector) vector).getTypeWidth() != bytes) {
      throw new AssertionError(vector.getField() + " is not " + bytes + " bytes wide");
    }
    long at = (long) i * bytes;
    return switch (bytes) {
      case 1 -> vector.getDataBuffer().getByte(at);
      case 2 -> vector.getDataBuffer().getShort(at);
      case 4 -> vector.getDataBuffer().getInt(at);
      default -> vector.getDataBuffer().getLong(at);
    };
  }

  private static List<@Nullable Object> items(FieldVector vector, int start, int end) {
    List<@Nullable Object> items = new ArrayList<>(end - start);
    for (int i = start; i < end; i++) {
      items.add(get(vector, i));
    }
    return items;
  }

  private static Map<String, @Nullable Object> struct(StructVector vector, int i) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (FieldVector child : vector.getChildrenFromFields()) {
      values.put(child.getName(), get(child, i));
    }
    return values;
  }

  private static String utf8(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static String hex(byte[] bytes) {
    return "0x" + HexFormat.of().formatHex(bytes);
  }
}
