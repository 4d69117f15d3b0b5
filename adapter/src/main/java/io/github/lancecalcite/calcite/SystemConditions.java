package io.github.lancecalcite.calcite;

import com.google.common.collect.BoundType;
import com.google.common.collect.Range;
import io.github.lancecalcite.ValueRanges;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.Sarg;
import org.jspecify.annotations.Nullable;

/**
 * Reads conditions on one BIGINT NOT NULL column as the set of values they allow: comparisons with
 * integer literals and parameters, IN lists, and their combinations by AND, OR and NOT.
 */
final class SystemConditions {
  private static final BigDecimal GREATEST = BigDecimal.valueOf(Long.MAX_VALUE);

  private SystemConditions() {}

  /**
   * A condition that restricts one column and nothing else.
   *
   * @param column position in the input
   */
  record OnColumn(int column, AllowedValues allowed) {
    OnColumn(int column, ValueRanges values) {
      this(column, new AllowedValues.Fixed(values));
    }
  }

  /** The condition as a set of values of one column, or null if it is anything else. */
  static @Nullable OnColumn translate(RexNode condition) {
    if (!(condition instanceof RexCall call)) {
      return null;
    }
    List<RexNode> operands = call.getOperands();
    switch (call.getKind()) {
      case AND:
      case OR:
        return combine(operands, call.getKind() == SqlKind.AND);
      case SEARCH:
        return operands.get(0) instanceof RexInputRef ref
                && ((RexLiteral) operands.get(1)).getValue() instanceof Sarg<?> sarg
            ? search(ref.getIndex(), sarg)
            : null;
      case EQUALS:
      case NOT_EQUALS:
      case LESS_THAN:
      case LESS_THAN_OR_EQUAL:
      case GREATER_THAN:
      case GREATER_THAN_OR_EQUAL:
        if (operands.get(0) instanceof RexInputRef ref) {
          return compare(ref.getIndex(), call.getKind(), operands.get(1));
        }
        if (operands.get(1) instanceof RexInputRef ref) {
          return compare(ref.getIndex(), call.getKind().reverse(), operands.get(0));
        }
        return null;
      default:
        return null;
    }
  }

  private static @Nullable OnColumn combine(List<RexNode> operands, boolean and) {
    int column = -1;
    ValueRanges fixed = and ? ValueRanges.ALL : ValueRanges.NONE;
    List<AllowedValues> open = new ArrayList<>();
    for (RexNode operand : operands) {
      OnColumn next = translate(operand);
      if (next == null || (column >= 0 && next.column() != column)) {
        return null;
      }
      column = next.column();
      if (next.allowed() instanceof AllowedValues.Fixed known) {
        fixed = and ? fixed.intersect(known.values()) : fixed.union(known.values());
      } else {
        open.add(next.allowed());
      }
    }
    if (open.isEmpty()) {
      return new OnColumn(column, fixed);
    }
    if (and ? !fixed.isAll() : !fixed.isEmpty()) {
      open.add(0, new AllowedValues.Fixed(fixed));
    }
    return new OnColumn(
        column, open.size() == 1 ? open.get(0) : new AllowedValues.Combined(and, open));
  }

  private static @Nullable OnColumn compare(int column, SqlKind kind, RexNode with) {
    if (with instanceof RexLiteral literal) {
      return literal.getValue() instanceof BigDecimal value
          ? new OnColumn(column, compare(kind, value))
          : null;
    }
    RexNode operand = with;
    while (operand.isA(SqlKind.CAST) && RexUtil.isLosslessCast(operand)) {
      operand = ((RexCall) operand).getOperands().get(0);
    }
    return operand instanceof RexDynamicParam parameter
            && SqlTypeUtil.isIntType(parameter.getType())
        ? new OnColumn(column, new AllowedValues.Compared(kind, parameter.getIndex()))
        : null;
  }

  /** The values of a column that stand in this relation to a number. */
  static ValueRanges compare(SqlKind kind, BigDecimal value) {
    switch (kind) {
      case EQUALS:
        return values(Range.singleton(value));
      case NOT_EQUALS:
        return values(Range.lessThan(value)).union(values(Range.greaterThan(value)));
      case LESS_THAN:
        return values(Range.lessThan(value));
      case LESS_THAN_OR_EQUAL:
        return values(Range.atMost(value));
      case GREATER_THAN:
        return values(Range.greaterThan(value));
      default:
        return values(Range.atLeast(value));
    }
  }

  private static @Nullable OnColumn search(int column, Sarg<?> sarg) {
    ValueRanges allowed = ValueRanges.NONE;
    for (Range<?> range : sarg.rangeSet.asRanges()) {
      if (!bounds(range)) {
        return null;
      }
      @SuppressWarnings("unchecked") // just checked
      Range<BigDecimal> numbers = (Range<BigDecimal>) range;
      allowed = allowed.union(values(numbers));
    }
    return new OnColumn(column, allowed);
  }

  private static boolean bounds(Range<?> range) {
    return (!range.hasLowerBound() || range.lowerEndpoint() instanceof BigDecimal)
        && (!range.hasUpperBound() || range.upperEndpoint() instanceof BigDecimal);
  }

  /** The values of a range of numbers; a column's values are never negative. */
  private static ValueRanges values(Range<BigDecimal> range) {
    long low = 0;
    if (range.hasLowerBound()) {
      BigDecimal bound = range.lowerEndpoint();
      BigDecimal least = bound.setScale(0, RoundingMode.CEILING);
      if (least.compareTo(bound) == 0 && range.lowerBoundType() == BoundType.OPEN) {
        least = least.add(BigDecimal.ONE);
      }
      if (least.compareTo(GREATEST) > 0) {
        return ValueRanges.NONE;
      }
      low = Math.max(least.signum() < 0 ? 0 : least.longValueExact(), 0);
    }
    if (!range.hasUpperBound()) {
      return ValueRanges.closed(low, -1L);
    }
    BigDecimal bound = range.upperEndpoint();
    BigDecimal greatest = bound.setScale(0, RoundingMode.FLOOR);
    if (greatest.compareTo(bound) == 0 && range.upperBoundType() == BoundType.OPEN) {
      greatest = greatest.subtract(BigDecimal.ONE);
    }
    if (greatest.signum() < 0) {
      return ValueRanges.NONE;
    }
    boolean open = greatest.compareTo(GREATEST) > 0;
    return ValueRanges.closed(low, open ? -1L : greatest.longValueExact());
  }
}
