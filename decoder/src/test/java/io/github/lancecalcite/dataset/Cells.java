package io.github.lancecalcite.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** Cells of Arrow vectors in the notation of the fixtures' expected rows. */
final class Cells {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private Cells() {}

  /** The cell as JSON. */
  static JsonNode of(FieldVector vector, int i) {
    if (vector.isNull(i)) {
      return JSON.nullNode();
    }
    if (vector instanceof StructVector v) {
      ObjectNode node = JSON.objectNode();
      for (FieldVector child : v.getChildrenFromFields()) {
        node.set(child.getName(), of(child, i));
      }
      return node;
    } else if (vector instanceof FixedSizeListVector v) {
      return items(v.getDataVector(), (long) i * v.getListSize(), (i + 1L) * v.getListSize());
    } else if (vector instanceof LargeListVector v) {
      return items(v.getDataVector(), v.getElementStartIndex(i), v.getElementEndIndex(i));
    } else if (vector instanceof ListVector v) {
      return items(v.getDataVector(), v.getElementStartIndex(i), v.getElementEndIndex(i));
    } else if (vector instanceof VarCharVector v) {
      return JSON.textNode(new String(v.get(i), java.nio.charset.StandardCharsets.UTF_8));
    } else if (vector instanceof LargeVarCharVector v) {
      return JSON.textNode(new String(v.get(i), java.nio.charset.StandardCharsets.UTF_8));
    } else if (vector instanceof VarBinaryVector v) {
      return hex(v.get(i));
    } else if (vector instanceof LargeVarBinaryVector v) {
      return hex(v.get(i));
    } else if (vector instanceof FixedSizeBinaryVector v) {
      return hex(v.get(i));
    } else if (vector instanceof BitVector v) {
      return JSON.booleanNode(v.get(i) != 0);
    } else if (vector instanceof Float2Vector v) {
      return number(v.getValueAsFloat(i));
    } else if (vector instanceof Float4Vector v) {
      return number(v.get(i));
    } else if (vector instanceof Float8Vector v) {
      return number(v.get(i));
    } else if (vector instanceof DecimalVector || vector instanceof Decimal256Vector) {
      return JSON.textNode(((java.math.BigDecimal) vector.getObject(i)).toPlainString());
    }
    return integer(vector, i);
  }

  private static JsonNode integer(FieldVector vector, int i) {
    ArrowBuf data = vector.getDataBuffer();
    int width = (int) (data.readableBytes() / Math.max(1, vector.getValueCount()));
    if (vector instanceof org.apache.arrow.vector.BaseFixedWidthVector fixed) {
      width = fixed.getTypeWidth();
    }
    boolean signed = !(vector.getField().getType() instanceof ArrowType.Int t) || t.getIsSigned();
    long value =
        switch (width) {
          case 1 -> data.getByte(i);
          case 2 -> data.getShort(i * 2L);
          case 4 -> data.getInt(i * 4L);
          default -> data.getLong(i * 8L);
        };
    if (!signed && width < 8) {
      value &= (1L << width * 8) - 1;
    }
    return JSON.numberNode(
        signed ? BigInteger.valueOf(value) : new BigInteger(Long.toUnsignedString(value)));
  }

  private static JsonNode items(FieldVector items, long from, long to) {
    ArrayNode node = JSON.arrayNode();
    for (long i = from; i < to; i++) {
      node.add(of(items, (int) i));
    }
    return node;
  }

  private static JsonNode hex(byte[] bytes) {
    return JSON.textNode("0x" + HexFormat.of().formatHex(bytes));
  }

  private static JsonNode number(double value) {
    return Double.isFinite(value) ? JSON.numberNode(value) : JSON.textNode(Double.toString(value));
  }

  /** Whether two cells are the same; numbers by value, maps as lists of entries. */
  static boolean same(JsonNode expected, JsonNode actual) {
    if (expected.isNumber() && actual.isNumber()) {
      return expected.isIntegralNumber() && actual.isIntegralNumber()
          ? expected.bigIntegerValue().equals(actual.bigIntegerValue())
          : expected.doubleValue() == actual.doubleValue()
              || (float) expected.doubleValue() == actual.doubleValue();
    }
    if (expected.isArray() && actual.isArray()) {
      boolean same = expected.size() == actual.size();
      for (int i = 0; same && i < expected.size(); i++) {
        same = same(expected.get(i), actual.get(i));
      }
      return same;
    }
    if (expected.isObject() && actual.isObject()) {
      List<String> names = new java.util.ArrayList<>();
      expected.fieldNames().forEachRemaining(names::add);
      boolean same = expected.size() == actual.size();
      for (String name : names) {
        same = same && actual.has(name) && same(expected.get(name), actual.get(name));
      }
      return same;
    }
    return expected.equals(actual);
  }
}
