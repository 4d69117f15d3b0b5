package io.github.lancecalcite.sqltests;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/** Values of a fixture's dump, in the form of {@link ArrowCells}. */
final class ExpectedCells {
  private ExpectedCells() {}

  /**
   * @throws AssertionError if the dump holds a value that a column of this type cannot have
   */
  static @Nullable Object of(JsonNode json, Field field) {
    if (json.isNull()) {
      return null;
    }
    ArrowType type = field.getType();
    switch (type.getTypeID()) {
      case Bool:
        return expect(json.isBoolean(), json, field) && json.booleanValue();
      case Int:
        ArrowType.Int integer = (ArrowType.Int) type;
        expect(json.isIntegralNumber(), json, field);
        return integer.getBitWidth() == 64 && !integer.getIsSigned()
            ? json.bigIntegerValue()
            : exactLong(json, field);
      case FloatingPoint:
        return floating(json, field, ((ArrowType.FloatingPoint) type).getPrecision());
      case Date:
      case Time:
      case Timestamp:
      case Duration:
        return exactLong(json, field);
      case Struct:
        expect(json.isObject(), json, field);
        return struct(json, field);
      case List:
      case LargeList:
      case FixedSizeList:
      case Map:
        expect(json.isArray(), json, field);
        List<@Nullable Object> items = new ArrayList<>();
        json.forEach(item -> items.add(of(item, field.getChildren().get(0))));
        return items;
      default:
        expect(json.isTextual(), json, field);
        return json.textValue();
    }
  }

  private static Object floating(JsonNode json, Field field, FloatingPointPrecision precision) {
    double value;
    if (json.isTextual()) {
      value = Double.parseDouble(json.textValue());
      expect(!Double.isFinite(value), json, field);
    } else {
      expect(json.isNumber(), json, field);
      value = json.doubleValue();
    }
    if (precision == FloatingPointPrecision.DOUBLE) {
      return value;
    }
    return (float) value;
  }

  private static Map<String, @Nullable Object> struct(JsonNode json, Field field) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (Field child : field.getChildren()) {
      JsonNode value = json.get(child.getName());
      expect(value != null, json, field);
      values.put(child.getName(), of(value, child));
    }
    expect(json.size() == values.size(), json, field);
    return values;
  }

  private static long exactLong(JsonNode json, Field field) {
    expect(json.canConvertToLong() && json.isIntegralNumber(), json, field);
    return json.longValue();
  }

  private static boolean expect(boolean condition, JsonNode json, Field field) {
    if (!condition) {
      throw new AssertionError("the dump has " + json + " where the column is " + field);
    }
    return true;
  }
}
