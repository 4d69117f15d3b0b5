package io.github.lancecalcite.calcite;

import io.github.lancecalcite.ValueRanges;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.calcite.DataContext;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/**
 * The values that a condition allows a BIGINT NOT NULL column: known at once, or depending on
 * parameters of the statement and known for each execution. Immutable.
 */
sealed interface AllowedValues {
  /** The set for one execution. A comparison with a null parameter allows nothing. */
  ValueRanges bind(DataContext context);

  /** The condition as EXPLAIN shows it, for instance {@code _rowid = ?0}. */
  String text(String column);

  /** Values that do not depend on parameters. */
  record Fixed(ValueRanges values) implements AllowedValues {
    @Override
    public ValueRanges bind(DataContext context) {
      return values;
    }

    @Override
    public String text(String column) {
      return column + " in " + values;
    }
  }

  /**
   * A comparison of the column with a parameter.
   *
   * @param kind one of the six comparisons, the column to its left
   * @param parameter place of the parameter in the statement, from 0
   */
  record Compared(SqlKind kind, int parameter) implements AllowedValues {
    private static final BigDecimal ABOVE_ALL = BigDecimal.ONE.scaleByPowerOfTen(19);
    private static final BigDecimal BELOW_ALL = BigDecimal.ONE.negate();
    private static final BigDecimal HALF = new BigDecimal("0.5");

    @Override
    public ValueRanges bind(DataContext context) {
      BigDecimal value = number(context.get("?" + parameter));
      return value == null ? ValueRanges.NONE : SystemConditions.compare(kind, value);
    }

    /**
     * The parameter, or a number that compares with every BIGINT above −1 as it does and has no
     * more digits than that takes. A fraction counts exactly, whatever setter it came through.
     */
    private static @Nullable BigDecimal number(@Nullable Object value) {
      if (value == null) {
        return null;
      }
      if (!(value instanceof Number) && !(value instanceof String)) {
        throw LanceFailure.doesNotFit(value, "BIGINT");
      }
      BigDecimal number;
      try {
        number = new BigDecimal(value.toString().trim());
      } catch (NumberFormatException e) {
        throw LanceFailure.doesNotFit(value, "BIGINT");
      }
      if (number.compareTo(ABOVE_ALL) > 0) {
        return ABOVE_ALL;
      }
      if (number.compareTo(BELOW_ALL) < 0) {
        return BELOW_ALL;
      }
      if (number.signum() != 0 && number.abs().compareTo(BigDecimal.ONE) < 0) {
        return number.signum() > 0 ? HALF : HALF.negate();
      }
      return number;
    }

    @Override
    public String text(String column) {
      return column + " " + kind.sql + " ?" + parameter;
    }
  }

  /** Values that every part allows, or that any part allows. */
  record Combined(boolean every, List<AllowedValues> parts) implements AllowedValues {
    public Combined {
      parts = List.copyOf(parts);
    }

    @Override
    public ValueRanges bind(DataContext context) {
      ValueRanges result = every ? ValueRanges.ALL : ValueRanges.NONE;
      for (AllowedValues part : parts) {
        ValueRanges values = part.bind(context);
        result = every ? result.intersect(values) : result.union(values);
      }
      return result;
    }

    @Override
    public String text(String column) {
      return parts.stream()
          .map(part -> part.text(column))
          .collect(Collectors.joining(every ? " and " : " or ", "(", ")"));
    }
  }
}
