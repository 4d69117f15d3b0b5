package io.github.lancecalcite.interop;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/**
 * A column and an endless source of its values, in the form of {@link VectorFiller}.
 *
 * <p>A shape decides how values follow each other, because the writer chooses encodings by it.
 * Nulls come not at all, once, singly, in runs or always.
 */
final class RandomColumn {
  private enum Shape {
    /** All over the type's range, its ends among them. */
    RANDOM,
    CONSTANT,
    RUNS,
    /** A handful of distinct values. */
    FEW,
    SMALL,
    ASCENDING,
    /** Nothing but the ends of the range. */
    EXTREMES
  }

  private static final double[] NULL_SHARES = {0, 0, 0.02, 0.1, 0.5, 0.95, 1};
  private static final double[] CHILD_NULL_SHARES = {0, 0, 0.15, 0.15, 0.5, 1};
  private static final int[] TEXT_LENGTHS = {0, 1, 3, 12, 12, 60, 60, 300};

  private final Field field;
  private final Random random;
  private final Shape shape;
  private final double nullShare;
  private final boolean nullRuns;
  private final double childNullShare;
  private final int textLength;
  private final int listLength;
  private final boolean nullableStructs;

  /** Values of a dictionary column. */
  private final List<Object> dictionary = new ArrayList<>();

  private final List<@Nullable Object> few = new ArrayList<>();
  private @Nullable Object last;
  private int runLeft;
  private int untilOnlyNull;
  private long ascending;

  /**
   * @param nullableStructs whether structs may be null (files of version 2.0 lose that)
   */
  RandomColumn(Field field, Random random, boolean nullableStructs) {
    this.field = field;
    this.random = random;
    this.nullableStructs = nullableStructs;
    shape = Shape.values()[random.nextInt(Shape.values().length)];
    boolean onlyOne = random.nextInt(8) == 0 && mayBeNull(field);
    untilOnlyNull = onlyOne ? random.nextInt(40) : -1;
    nullShare =
        field.isNullable() && !onlyOne ? NULL_SHARES[random.nextInt(NULL_SHARES.length)] : 0;
    nullRuns = random.nextBoolean();
    childNullShare = CHILD_NULL_SHARES[random.nextInt(CHILD_NULL_SHARES.length)];
    textLength =
        random.nextInt(40) == 0
            ? random.nextInt(4) == 0 ? 40_000 : 3000
            : TEXT_LENGTHS[random.nextInt(TEXT_LENGTHS.length)];
    listLength = new int[] {0, 1, 3, 3, 3, 20}[random.nextInt(6)];
    ascending = random.nextInt(1000);
    if (field.getDictionary() != null) {
      int size = 1 + random.nextInt(random.nextBoolean() ? 10 : 100);
      for (int i = 0; i < size; i++) {
        dictionary.add(text(textLength) + i);
      }
    }
  }

  Field field() {
    return field;
  }

  /** Distinct values that {@link #next} gives the places of; empty unless it is a dictionary. */
  List<Object> dictionary() {
    return dictionary;
  }

  /** About how much memory a value takes, in values of a scalar. */
  long weight() {
    return weight(field, true);
  }

  private long weight(Field of, boolean top) {
    long below = 0;
    for (Field child : of.getChildren()) {
      below += weight(child, false);
    }
    return switch (of.getType().getTypeID()) {
      case FixedSizeList -> 1 + below * ((ArrowType.FixedSizeList) of.getType()).getListSize();
      case List, LargeList -> 1 + below * (2 + listLength / 2);
      case Map -> 1 + below * 2;
      case Struct -> 1 + below + (RandomSchema.isBlob(of) ? textLength / 20 : 0);
      case Utf8, LargeUtf8, Binary, LargeBinary -> 1 + (top ? textLength / 20 : 1);
      default -> 1;
    };
  }

  /** What the values look like, for the text of a failure. */
  @Override
  public String toString() {
    return field
        + " "
        + field.getMetadata()
        + " "
        + shape
        + " nulls "
        + (untilOnlyNull >= 0 ? "1" : nullShare + (nullRuns ? " in runs" : ""))
        + ", "
        + childNullShare
        + " lengths "
        + textLength
        + ", "
        + listLength;
  }

  /** The next value. */
  @Nullable Object next() {
    if (untilOnlyNull >= 0 && untilOnlyNull-- == 0) {
      return null;
    }
    if (runLeft > 0) {
      runLeft--;
      return last;
    }
    if (random.nextDouble() < nullShare && mayBeNull(field)) {
      last = null;
      runLeft = nullRuns ? random.nextInt(100) : 0;
      return null;
    }
    last = shaped();
    runLeft = shape == Shape.RUNS ? random.nextInt(600) : 0;
    return last;
  }

  private @Nullable Object shaped() {
    switch (shape) {
      case CONSTANT:
        return pick(1);
      case FEW:
        return pick(1 + random.nextInt(20));
      default:
        return top();
    }
  }

  private @Nullable Object pick(int distinct) {
    while (few.size() < distinct) {
      few.add(top());
    }
    return few.get(random.nextInt(distinct));
  }

  private @Nullable Object top() {
    return dictionary.isEmpty()
        ? value(field, true)
        : (Object) (long) random.nextInt(dictionary.size());
  }

  private boolean mayBeNull(Field of) {
    return of.isNullable()
        && (nullableStructs || of.getType().getTypeID() != ArrowType.ArrowTypeID.Struct);
  }

  private @Nullable Object child(Field child) {
    return mayBeNull(child) && random.nextDouble() < childNullShare ? null : value(child, false);
  }

  private @Nullable Object value(Field of, boolean top) {
    ArrowType type = of.getType();
    switch (type.getTypeID()) {
      case Null:
        return null;
      case Bool:
        return shape == Shape.SMALL || random.nextBoolean();
      case Int:
        return integer(((ArrowType.Int) type).getBitWidth());
      case FloatingPoint:
        return floating((ArrowType.FloatingPoint) type);
      case Decimal:
        return decimal((ArrowType.Decimal) type);
      case Date:
        return type.equals(new ArrowType.Date(DateUnit.DAY))
            ? (Object) integer(32)
            : (Object) ((random.nextInt(100_000) - 30_000) * 86_400_000L);
      case Time:
        return timeOfDay((ArrowType.Time) type);
      case Timestamp:
      case Duration:
        return integer(64);
      case Utf8:
      case LargeUtf8:
        if (RandomSchema.isJson(of)) {
          return json(3);
        }
        return text(top ? textLength : Math.min(textLength, 20));
      case Binary:
      case LargeBinary:
        return bytes(random.nextInt(1 + (top ? textLength : Math.min(textLength, 20))));
      case FixedSizeBinary:
        return bytes(((ArrowType.FixedSizeBinary) type).getByteWidth());
      case FixedSizeList:
        return items(of, ((ArrowType.FixedSizeList) type).getListSize());
      case List:
      case LargeList:
        return items(of, length());
      case Map:
        return entries(of, random.nextInt(4));
      case Struct:
        return RandomSchema.isBlob(of)
            ? new Object[] {bytes(random.nextInt(1 + textLength)), null}
            : struct(of);
      default:
        throw new IllegalArgumentException("no values for " + of);
    }
  }

  private int length() {
    return random.nextInt(20) == 0 ? random.nextInt(60) : random.nextInt(1 + listLength);
  }

  private @Nullable Object[] struct(Field of) {
    @Nullable Object[] values = new Object[of.getChildren().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = child(of.getChildren().get(i));
    }
    return values;
  }

  private List<@Nullable Object> items(Field list, int count) {
    List<@Nullable Object> items = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      items.add(child(list.getChildren().get(0)));
    }
    return items;
  }

  private List<@Nullable Object> entries(Field map, int count) {
    List<Field> entry = map.getChildren().get(0).getChildren();
    boolean text = entry.get(0).getType().getTypeID() == ArrowType.ArrowTypeID.Utf8;
    List<@Nullable Object> entries = new ArrayList<>(count);
    for (long i = 0; i < count; i++) {
      entries.add(new Object[] {text ? (Object) ("key" + i) : (Object) i, child(entry.get(1))});
    }
    return entries;
  }

  private long integer(int bits) {
    long least = -1L << (bits - 1);
    switch (shape) {
      case SMALL:
        return random.nextInt(100) - (random.nextBoolean() ? 50 : 0);
      case ASCENDING:
        return ascending++;
      case EXTREMES:
        return new long[] {least, least + 1, -1, 0, 1, ~least}[random.nextInt(6)];
      default:
        int kind = random.nextInt(20);
        if (kind == 0) {
          return ~least;
        }
        return kind == 1 ? least : random.nextLong() >> (64 - bits);
    }
  }

  private Number floating(ArrowType.FloatingPoint type) {
    int kind = random.nextInt(shape == Shape.EXTREMES ? 6 : 60);
    double value =
        switch (kind) {
          case 0 -> Double.NaN;
          case 1 -> Double.NEGATIVE_INFINITY;
          case 2 -> -0.0;
          case 3 -> Double.MIN_VALUE;
          case 4 -> Double.MAX_VALUE;
          case 5 -> Double.POSITIVE_INFINITY;
          default ->
              switch (shape) {
                case SMALL -> random.nextInt(10);
                case ASCENDING -> ascending++ * 0.5;
                default -> random.nextGaussian() * 1e6;
              };
        };
    return switch (type.getPrecision()) {
      case DOUBLE -> value;
      case SINGLE -> (float) value;
      case HALF -> (short) integer(16); // bits
    };
  }

  private BigDecimal decimal(ArrowType.Decimal type) {
    int digits = shape == Shape.SMALL ? Math.min(3, type.getPrecision()) : type.getPrecision();
    BigInteger limit = BigInteger.TEN.pow(digits);
    BigInteger unscaled =
        shape == Shape.EXTREMES
            ? limit.subtract(BigInteger.ONE)
            : new BigInteger(limit.bitLength() + 8, random).mod(limit);
    return new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), type.getScale());
  }

  private long timeOfDay(ArrowType.Time type) {
    long perSecond =
        switch (type.getUnit()) {
          case SECOND -> 1L;
          case MILLISECOND -> 1000L;
          case MICROSECOND -> 1_000_000L;
          case NANOSECOND -> 1_000_000_000L;
        };
    return shape == Shape.SMALL
        ? random.nextInt(100)
        : (long) (random.nextDouble() * 86_400 * perSecond);
  }

  private String text(int length) {
    if (shape == Shape.ASCENDING) {
      return "row " + ascending++;
    }
    // either all of one length or of any
    int count = shape == Shape.EXTREMES || length == 0 ? length : random.nextInt(length + 1);
    StringBuilder text = new StringBuilder(count + 16);
    while (text.length() < count) {
      text.append(
          switch (random.nextInt(10)) {
            case 0 -> "日本";
            case 1 -> "é";
            case 2 -> "\uD83D\uDE00";
            case 3 -> "\0";
            case 4, 5 -> Character.toString('a' + random.nextInt(26));
            default -> length < 12 ? "ab" : "common words ";
          });
    }
    return text.toString();
  }

  /** In the form that lance-core gives it back: keys in order, no blanks. */
  private String json(int depth) {
    int kind = random.nextInt(depth == 0 ? 6 : 9);
    return switch (kind) {
      case 0 -> "null";
      case 1 -> "" + random.nextBoolean();
      case 2, 3 -> "" + integer(64);
      case 4 -> random.nextInt(1000) + ".5";
      case 5 -> "\"" + text(Math.min(textLength, 20)).replace("\0", "\\n") + "\"";
      case 6, 7 -> {
        List<String> fields = new ArrayList<>();
        for (char key = 'a'; key < 'f'; key++) {
          if (random.nextBoolean()) {
            fields.add("\"" + key + "\":" + json(depth - 1));
          }
        }
        yield "{" + String.join(",", fields) + "}";
      }
      default -> {
        List<String> items = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          items.add(json(depth - 1));
        }
        yield "[" + String.join(",", items) + "]";
      }
    };
  }

  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    if (shape == Shape.SMALL) {
      Arrays.fill(bytes, (byte) random.nextInt(3));
    } else {
      random.nextBytes(bytes);
    }
    return bytes;
  }
}
