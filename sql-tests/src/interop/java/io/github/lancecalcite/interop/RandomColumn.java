package io.github.lancecalcite.interop;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/**
 * A column and an endless source of its values, in the form of {@link VectorFiller}.
 *
 * <p>A shape decides how values follow each other, because the writer chooses encodings by it:
 * random, constant, runs, few distinct, small, sequence. Nulls come singly or in runs.
 */
final class RandomColumn {
  private enum Shape {
    RANDOM,
    CONSTANT,
    RUNS,
    FEW,
    SMALL,
    SEQUENCE
  }

  private static final double[] NULL_SHARES = {0, 0, 0.1, 0.5, 0.95, 1};

  final Field field;
  private final Random random;
  private final Shape shape;
  private final double nullShare;
  private final boolean nullRuns;
  private final int textLength;
  private final boolean nullableStructs;

  private final List<@Nullable Object> few = new ArrayList<>();
  private @Nullable Object last;
  private int runLeft;
  private long sequence;

  /**
   * @param nullableStructs whether structs may be null (files of version 2.0 lose that)
   */
  RandomColumn(Field field, Random random, boolean nullableStructs) {
    this.field = field;
    this.random = random;
    this.shape = Shape.values()[random.nextInt(Shape.values().length)];
    this.nullShare = field.isNullable() ? NULL_SHARES[random.nextInt(NULL_SHARES.length)] : 0;
    this.nullRuns = random.nextBoolean();
    this.textLength =
        new int[] {0, 3, 12, 60, 300, 40_000}[random.nextInt(50) == 0 ? 5 : random.nextInt(5)];
    this.nullableStructs = nullableStructs;
    this.sequence = random.nextInt(1000);
  }

  /** The next value. */
  @Nullable Object next() {
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
    runLeft = shape == Shape.RUNS ? random.nextInt(200) : 0;
    return last;
  }

  private @Nullable Object shaped() {
    switch (shape) {
      case CONSTANT:
        return pick(1);
      case FEW:
        return pick(1 + random.nextInt(20));
      default:
        return value(field, true);
    }
  }

  private @Nullable Object pick(int distinct) {
    while (few.size() < distinct) {
      few.add(value(field, true));
    }
    return few.get(random.nextInt(distinct));
  }

  private boolean mayBeNull(Field of) {
    return of.isNullable()
        && (nullableStructs || of.getType().getTypeID() != ArrowType.ArrowTypeID.Struct);
  }

  private @Nullable Object child(Field child) {
    return mayBeNull(child) && random.nextInt(6) == 0 ? null : value(child, false);
  }

  private @Nullable Object value(Field of, boolean top) {
    ArrowType type = of.getType();
    switch (type.getTypeID()) {
      case Null:
        return null;
      case Bool:
        return random.nextBoolean();
      case Int:
        return integer(((ArrowType.Int) type).getBitWidth());
      case FloatingPoint:
        return floating((ArrowType.FloatingPoint) type);
      case Decimal:
        return decimal((ArrowType.Decimal) type);
      case Date:
        return type.equals(new ArrowType.Date(DateUnit.DAY))
            ? (Object) (long) (random.nextInt(100_000) - 30_000)
            : (Object) ((random.nextInt(100_000) - 30_000) * 86_400_000L);
      case Time:
        return timeOfDay((ArrowType.Time) type);
      case Timestamp:
      case Duration:
        return integer(48);
      case Utf8:
      case LargeUtf8:
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
        return items(of, random.nextInt(10) == 0 ? random.nextInt(60) : random.nextInt(4));
      case Map:
        return entries(of, random.nextInt(4));
      case Struct:
        Object[] values = new Object[of.getChildren().size()];
        for (int i = 0; i < values.length; i++) {
          values[i] = child(of.getChildren().get(i));
        }
        return values;
      default:
        throw new IllegalArgumentException("no values for " + of);
    }
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
    List<@Nullable Object> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      entries.add(new Object[] {"key" + i, child(entry.get(1))});
    }
    return entries;
  }

  private long integer(int bits) {
    long extreme = 1L << (bits - 1);
    switch (shape) {
      case SMALL:
        return random.nextInt(100) - (random.nextBoolean() ? 50 : 0);
      case SEQUENCE:
        return sequence++;
      default:
        int kind = random.nextInt(20);
        if (kind == 0) {
          return extreme - 1;
        }
        return kind == 1 ? -extreme : random.nextLong() >> (64 - bits);
    }
  }

  private Number floating(ArrowType.FloatingPoint type) {
    double value =
        switch (random.nextInt(30)) {
          case 0 -> Double.NaN;
          case 1 -> Double.NEGATIVE_INFINITY;
          case 2 -> -0.0;
          default ->
              shape == Shape.SMALL
                  ? random.nextInt(10)
                  : shape == Shape.SEQUENCE ? sequence++ * 0.5 : random.nextGaussian() * 1e6;
        };
    return switch (type.getPrecision()) {
      case DOUBLE -> value;
      case SINGLE -> (float) value;
      // bits; the mask keeps the exponent away from NaN, whose payload nobody promises to keep
      case HALF -> (short) (random.nextInt(0x10000) & 0xFBFF & ~0x4000);
    };
  }

  private BigDecimal decimal(ArrowType.Decimal type) {
    int digits = shape == Shape.SMALL ? Math.min(3, type.getPrecision()) : type.getPrecision();
    BigInteger limit = BigInteger.TEN.pow(digits);
    BigInteger unscaled = new BigInteger(limit.bitLength() + 8, random).mod(limit);
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
    return (long) (random.nextDouble() * 86_400 * perSecond);
  }

  private String text(int length) {
    if (shape == Shape.SEQUENCE) {
      return "row " + sequence++;
    }
    int count = length == 0 ? 0 : random.nextInt(length + 1);
    StringBuilder text = new StringBuilder();
    while (text.length() < count) {
      text.append(
          switch (random.nextInt(8)) {
            case 0 -> "日本";
            case 1 -> "é";
            case 2 -> Character.toString('a' + random.nextInt(26));
            default -> "common words ";
          });
    }
    return text.toString();
  }

  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }
}
