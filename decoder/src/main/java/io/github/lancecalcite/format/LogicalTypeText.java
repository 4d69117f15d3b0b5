package io.github.lancecalcite.format;

import io.github.lancecalcite.format.LogicalType.Unit;
import org.jspecify.annotations.Nullable;

/** The grammar of Lance's logical type strings. */
public final class LogicalTypeText {
  /** Deepest {@code fixed_size_list} nesting that is parsed; real data stops at two. */
  private static final int MAX_DEPTH = 16;

  private LogicalTypeText() {}

  /**
   * The type a string denotes; {@link LogicalType.Unknown} with the whole string for anything that
   * is not exactly one of the known forms, so that a dataset with such a column stays readable.
   */
  public static LogicalType parse(String text) {
    LogicalType type = parse(text, 0);
    return type == null ? new LogicalType.Unknown(text) : type;
  }

  private static @Nullable LogicalType parse(String text, int depth) {
    if (depth > MAX_DEPTH) {
      return null;
    }
    return switch (text) {
      case "null" -> new LogicalType.Null();
      case "bool" -> new LogicalType.Bool();
      case "int8" -> new LogicalType.Int(8, true);
      case "int16" -> new LogicalType.Int(16, true);
      case "int32" -> new LogicalType.Int(32, true);
      case "int64" -> new LogicalType.Int(64, true);
      case "uint8" -> new LogicalType.Int(8, false);
      case "uint16" -> new LogicalType.Int(16, false);
      case "uint32" -> new LogicalType.Int(32, false);
      case "uint64" -> new LogicalType.Int(64, false);
      case "halffloat" -> new LogicalType.FloatingPoint(16);
      case "float" -> new LogicalType.FloatingPoint(32);
      case "double" -> new LogicalType.FloatingPoint(64);
      case "string" -> new LogicalType.Utf8(false);
      case "large_string" -> new LogicalType.Utf8(true);
      case "binary" -> new LogicalType.Binary(false);
      case "large_binary" -> new LogicalType.Binary(true);
      case LogicalType.BFloat16.EXTENSION_NAME -> depth == 0 ? null : new LogicalType.BFloat16();
      case "json" -> new LogicalType.Json();
      case "date32:day" -> new LogicalType.Date(32);
      case "date64:ms" -> new LogicalType.Date(64);
      case "time32:s" -> new LogicalType.Time(32, Unit.SECOND);
      case "time32:ms" -> new LogicalType.Time(32, Unit.MILLISECOND);
      case "time64:us" -> new LogicalType.Time(64, Unit.MICROSECOND);
      case "time64:ns" -> new LogicalType.Time(64, Unit.NANOSECOND);
      case "struct" -> new LogicalType.Struct();
      case "list", "list.struct" -> new LogicalType.List(false);
      case "large_list", "large_list.struct" -> new LogicalType.List(true);
      case "map" -> new LogicalType.Map();
      default -> parseWithArguments(text, depth);
    };
  }

  private static @Nullable LogicalType parseWithArguments(String text, int depth) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      return null;
    }
    String rest = text.substring(colon + 1);
    return switch (text.substring(0, colon)) {
      case "timestamp" -> timestamp(rest);
      case "duration" -> {
        Unit unit = unit(rest);
        yield unit == null ? null : new LogicalType.Duration(unit);
      }
      case "decimal" -> decimal(rest);
      case "fixed_size_binary" -> {
        Integer width = integer(rest);
        yield width == null || width < 0 ? null : new LogicalType.FixedSizeBinary(width);
      }
      case "fixed_size_list" -> fixedSizeList(rest, depth);
      case "dict" -> dictionary(rest, depth);
      default -> null;
    };
  }

  /** A zone may hold colons itself ({@code +05:30}): it is everything behind the unit. */
  private static @Nullable LogicalType timestamp(String rest) {
    int colon = rest.indexOf(':');
    if (colon < 0) {
      return null;
    }
    Unit unit = unit(rest.substring(0, colon));
    String zone = rest.substring(colon + 1);
    return unit == null || zone.isEmpty()
        ? null
        : new LogicalType.Timestamp(unit, zone.equals("-") ? null : zone);
  }

  private static @Nullable LogicalType decimal(String rest) {
    String[] parts = rest.split(":", -1);
    if (parts.length != 3) {
      return null;
    }
    Integer bits = integer(parts[0]);
    Integer precision = integer(parts[1]);
    Integer scale = integer(parts[2]);
    if (bits == null || precision == null || scale == null || (bits != 128 && bits != 256)) {
      return null;
    }
    int maxPrecision = bits == 128 ? 38 : 76;
    return precision < 1 || precision > maxPrecision || Math.abs((long) scale) > maxPrecision
        ? null
        : new LogicalType.Decimal(bits, precision, scale);
  }

  /** The size is the last number: what stands before it is the inner type, colons and all. */
  private static @Nullable LogicalType fixedSizeList(String rest, int depth) {
    int colon = rest.lastIndexOf(':');
    if (colon < 0) {
      return null;
    }
    Integer size = integer(rest.substring(colon + 1));
    LogicalType inner = parse(rest.substring(0, colon), depth + 1);
    return size == null || size < 1 || inner == null
        ? null
        : new LogicalType.FixedSizeList(inner, size);
  }

  private static @Nullable LogicalType dictionary(String rest, int depth) {
    int orderedColon = rest.lastIndexOf(':');
    int indexColon = orderedColon < 0 ? -1 : rest.lastIndexOf(':', orderedColon - 1);
    if (indexColon < 0) {
      return null;
    }
    String ordered = rest.substring(orderedColon + 1);
    LogicalType value = parse(rest.substring(0, indexColon), depth + 1);
    LogicalType index = parse(rest.substring(indexColon + 1, orderedColon), depth + 1);
    if (value == null || !(index instanceof LogicalType.Int integer)) {
      return null;
    }
    return switch (ordered) {
      case "true" -> new LogicalType.Dictionary(value, integer, true);
      case "false" -> new LogicalType.Dictionary(value, integer, false);
      default -> null;
    };
  }

  private static @Nullable Unit unit(String text) {
    return switch (text) {
      case "s" -> Unit.SECOND;
      case "ms" -> Unit.MILLISECOND;
      case "us" -> Unit.MICROSECOND;
      case "ns" -> Unit.NANOSECOND;
      default -> null;
    };
  }

  private static @Nullable Integer integer(String text) {
    try {
      return Integer.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
