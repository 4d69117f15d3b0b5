package io.github.lancecalcite.encoding;

import io.github.lancecalcite.DecodeException;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;

/**
 * The text of JSON values in the binary form that Lance stores them in, without blanks, as Lance
 * writes it.
 *
 * <pre>
 * value      u32 header: 0x80000000 array | 0x40000000 object | 0x20000000 scalar; low 29 bits: items
 *            u32 entry per item (scalar: one; object: of all keys, then of all values): bits 28–30
 *            the kind, low 28 bits the bytes it takes; then those bytes, in the order of the entries
 * kind       0 null, 1 string (UTF-8), 2 number, 3 false, 4 true, 5 array or object (a value)
 * number     first byte: 0x00 zero, 0x10 NaN, 0x20 and 0x30 infinite, 0x40 signed of 1, 2, 4, 8 bytes,
 *            0x50 unsigned of as many, 0x60 float64
 * </pre>
 *
 * Everything is big-endian. The layout is that of files by Lance 7.0.0. Not safe for threads.
 */
public final class JsonbText {
  private static final int SCALAR = 1;
  private static final int OBJECT = 2;
  private static final int ARRAY = 4;
  private static final int STRING = 1;
  private static final int ITEMS = 0x1fff_ffff;
  private static final int BYTES = 0x0fff_ffff;

  /** Bounds the recursion. */
  private static final int MAX_DEPTH = 1000;

  /** From this power of ten on, and below the other one, floats have an exponent. */
  private static final int GREAT = 16;

  private static final int SMALL = -5;
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /**
   * The text of one value, in UTF-8.
   *
   * @throws DecodeException if the bytes are no value
   */
  public byte[] decode(byte[] bytes, int from, int length) {
    out.reset();
    value(new Bytes(bytes, from, length), 0, length, 0);
    return out.toByteArray();
  }

  /**
   * Whether bytes are a value by their first word. JSON text never is: what it may begin with are
   * other kinds, or counts beyond any length.
   */
  public static boolean isBinary(byte[] bytes) {
    if (bytes.length < 4) {
      return false;
    }
    int header = Integer.reverseBytes(Bytes.of(bytes).i32(0));
    int kind = header >>> 29;
    int items = header & ITEMS;
    return kind == SCALAR
        ? items == 0
        : (kind == ARRAY || kind == OBJECT) && items <= (bytes.length - 4) / 4;
  }

  private void value(Bytes in, int at, int end, int depth) {
    if (depth > MAX_DEPTH) {
      throw new DecodeException(at, "nesting of a JSON value", "at most " + MAX_DEPTH, "more");
    }
    int header = u32(in, at, end);
    int items = header & ITEMS;
    int kind = header >>> 29;
    if (kind != SCALAR && kind != OBJECT && kind != ARRAY) {
      throw new DecodeException(at, "kind of a JSON value", "array, object or scalar", kind);
    }
    long entries = kind == SCALAR ? 1 : kind == OBJECT ? 2L * items : items;
    if (entries * 4 > end - at - 4) {
      throw new DecodeException(at, "items of a JSON value", "at most its bytes", items);
    }
    int first = at + 4;
    int data = first + (int) entries * 4;
    int last;
    if (kind == OBJECT) {
      last = object(in, first, data, items, end, depth);
    } else if (kind == ARRAY) {
      last = array(in, first, data, items, end, depth);
    } else {
      last = entry(in, first, data, end, depth);
    }
    if (last != end) {
      throw new DecodeException(last, "bytes of a JSON value", end - at, last - at);
    }
  }

  private int array(Bytes in, int first, int data, int items, int end, int depth) {
    int at = data;
    out.write('[');
    for (int i = 0; i < items; i++) {
      if (i > 0) {
        out.write(',');
      }
      at = entry(in, first + 4 * i, at, end, depth);
    }
    out.write(']');
    return at;
  }

  private int object(Bytes in, int first, int data, int items, int end, int depth) {
    int key = data;
    int value = data;
    for (int i = 0; i < items; i++) { // the values begin behind all keys
      value = Math.addExact(value, u32(in, first + 4 * i, end) & BYTES);
    }
    out.write('{');
    for (int i = 0; i < items; i++) {
      if (i > 0) {
        out.write(',');
      }
      int kind = u32(in, first + 4 * i, end) >>> 28 & 7;
      if (kind != STRING) {
        throw new DecodeException(first + 4 * i, "kind of a JSON key", STRING, kind);
      }
      key = entry(in, first + 4 * i, key, end, depth);
      out.write(':');
      value = entry(in, first + 4 * (items + i), value, end, depth);
    }
    out.write('}');
    return value;
  }

  /** Returns where the bytes of the next entry begin. */
  private int entry(Bytes in, int entry, int at, int end, int depth) {
    int word = u32(in, entry, end);
    int length = word & BYTES;
    if (length > end - at) {
      throw new DecodeException(entry, "bytes of a JSON item", "at most " + (end - at), length);
    }
    switch (word >>> 28 & 7) {
      case 0 -> ascii("null");
      case STRING -> string(in, at, length);
      case 2 -> number(in, at, length);
      case 3 -> ascii("false");
      case 4 -> ascii("true");
      case 5 -> value(in, at, at + length, depth + 1);
      default -> throw new DecodeException(entry, "kind of a JSON item", "0 to 5", word >>> 28 & 7);
    }
    return at + length;
  }

  private static int u32(Bytes in, int at, int end) {
    if (end - at < 4) {
      throw new DecodeException(at, "word of a JSON value", "4 bytes", Math.max(0, end - at));
    }
    return Integer.reverseBytes(in.i32(at));
  }

  private void ascii(String text) {
    out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  private void string(Bytes in, int at, int length) {
    out.write('"');
    for (int i = 0; i < length; i++) {
      int c = in.u8(at + i);
      int letter =
          switch (c) {
            case '"' -> '"';
            case '\\' -> '\\';
            case '\b' -> 'b';
            case '\f' -> 'f';
            case '\n' -> 'n';
            case '\r' -> 'r';
            case '\t' -> 't';
            default -> 0;
          };
      if (letter != 0) {
        out.write('\\');
        out.write(letter);
      } else if (c < ' ') {
        ascii("\\u00");
        out.write(HEX[c >>> 4]);
        out.write(HEX[c & 15]);
      } else {
        out.write(c);
      }
    }
    out.write('"');
  }

  private void number(Bytes in, int at, int length) {
    int kind = length == 0 ? -1 : in.u8(at);
    int bytes = length - 1;
    boolean whole = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    if (kind == 0 && bytes == 0) {
      out.write('0');
    } else if ((kind == 0x10 || kind == 0x20 || kind == 0x30) && bytes == 0) {
      ascii("null"); // JSON has no such numbers
    } else if (kind == 0x40 && whole) {
      ascii(Long.toString(bits(in, at + 1, bytes) << 64 - 8 * bytes >> 64 - 8 * bytes));
    } else if (kind == 0x50 && whole) {
      ascii(Long.toUnsignedString(bits(in, at + 1, bytes)));
    } else if (kind == 0x60 && bytes == 8) {
      ascii(text(Double.longBitsToDouble(bits(in, at + 1, 8))));
    } else {
      throw new DecodeException(
          at, "JSON number", "an integer or a float64", "kind " + kind + " of " + bytes + " bytes");
    }
  }

  private static long bits(Bytes in, int at, int bytes) {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value = value << 8 | in.u8(at + i);
    }
    return value;
  }

  /** The fewest digits that denote the number, never without a point or an exponent. */
  private static String text(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return "null";
    }
    String sign = Double.doubleToRawLongBits(value) < 0 ? "-" : "";
    if (value == 0) {
      return sign + "0.0";
    }
    BigDecimal exact = new BigDecimal(Math.abs(value));
    BigDecimal shortest = new BigDecimal(Double.toString(Math.abs(value))).stripTrailingZeros();
    for (int digits = shortest.precision() - 1; digits > 0; digits--) { // JDK 17 may give too many
      BigDecimal fewer = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
      if (fewer.doubleValue() != Math.abs(value)) {
        break;
      }
      shortest = fewer.stripTrailingZeros();
    }
    BigInteger digits = shortest.unscaledValue();
    int exponent = shortest.precision() - shortest.scale() - 1;
    if (exponent >= SMALL && exponent < GREAT) {
      String plain = shortest.toPlainString();
      return sign + plain + (plain.indexOf('.') < 0 ? ".0" : "");
    }
    String all = digits.toString();
    String mantissa = all.length() == 1 ? all : all.charAt(0) + "." + all.substring(1);
    return sign + mantissa + "e" + (exponent < 0 ? "" : "+") + exponent;
  }
}
