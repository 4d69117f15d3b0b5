package io.github.lancecalcite.calcite;

import java.math.BigDecimal;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;
import org.jspecify.annotations.Nullable;

/** A comparison of times or timestamps, each in two parts. */
final class FineComparison {
  private static final int MILLI_DIGITS = 3;
  private static final int NANO_DIGITS = 9;

  private FineComparison() {}

  /**
   * One operand.
   *
   * @param millis what Calcite's runtime compares
   * @param nanos nanoseconds after the millisecond, an integer
   */
  record Side(RexNode millis, RexNode nanos) {}

  static boolean isOne(SqlKind kind) {
    switch (kind) {
      case EQUALS:
      case NOT_EQUALS:
      case LESS_THAN:
      case LESS_THAN_OR_EQUAL:
      case GREATER_THAN:
      case GREATER_THAN_OR_EQUAL:
      case IS_DISTINCT_FROM:
      case IS_NOT_DISTINCT_FROM:
        return true;
      default:
        return false;
    }
  }

  static RexNode of(RexBuilder builder, SqlKind kind, Side left, Side right) {
    RexNode sameMillis = builder.makeCall(SqlStdOperatorTable.EQUALS, left.millis, right.millis);
    RexNode otherMillis =
        builder.makeCall(SqlStdOperatorTable.NOT_EQUALS, left.millis, right.millis);
    RexNode sameNanos = builder.makeCall(SqlStdOperatorTable.EQUALS, left.nanos, right.nanos);
    RexNode otherNanos = builder.makeCall(SqlStdOperatorTable.NOT_EQUALS, left.nanos, right.nanos);
    switch (kind) {
      case EQUALS:
        // nanoseconds that are not null with their milliseconds must not decide then
        return left.nanos instanceof RexLiteral || right.nanos instanceof RexLiteral
            ? and(builder, sameMillis, or(builder, sameNanos, otherMillis))
            : and(builder, sameMillis, sameNanos);
      case NOT_EQUALS:
        return or(builder, otherMillis, and(builder, sameMillis, otherNanos));
      case IS_NOT_DISTINCT_FROM:
        return and(
            builder,
            builder.makeCall(SqlStdOperatorTable.IS_NOT_DISTINCT_FROM, left.millis, right.millis),
            or(builder, builder.makeCall(SqlStdOperatorTable.IS_NULL, left.millis), sameNanos));
      case IS_DISTINCT_FROM:
        return or(
            builder,
            builder.makeCall(SqlStdOperatorTable.IS_DISTINCT_FROM, left.millis, right.millis),
            and(
                builder,
                builder.makeCall(SqlStdOperatorTable.IS_NOT_NULL, left.millis),
                otherNanos));
      case LESS_THAN:
        return order(
            builder, SqlStdOperatorTable.LESS_THAN, SqlStdOperatorTable.LESS_THAN, left, right);
      case LESS_THAN_OR_EQUAL:
        return order(
            builder,
            SqlStdOperatorTable.LESS_THAN,
            SqlStdOperatorTable.LESS_THAN_OR_EQUAL,
            left,
            right);
      case GREATER_THAN:
        return order(
            builder,
            SqlStdOperatorTable.GREATER_THAN,
            SqlStdOperatorTable.GREATER_THAN,
            left,
            right);
      case GREATER_THAN_OR_EQUAL:
        return order(
            builder,
            SqlStdOperatorTable.GREATER_THAN,
            SqlStdOperatorTable.GREATER_THAN_OR_EQUAL,
            left,
            right);
      default:
        throw new IllegalArgumentException(kind.toString());
    }
  }

  private static RexNode and(RexBuilder builder, RexNode a, RexNode b) {
    return builder.makeCall(SqlStdOperatorTable.AND, a, b);
  }

  private static RexNode or(RexBuilder builder, RexNode a, RexNode b) {
    return builder.makeCall(SqlStdOperatorTable.OR, a, b);
  }

  private static RexNode order(
      RexBuilder builder,
      SqlBinaryOperator millis,
      SqlBinaryOperator nanos,
      Side left,
      Side right) {
    return or(
        builder,
        builder.makeCall(millis, left.millis, right.millis),
        and(
            builder,
            builder.makeCall(SqlStdOperatorTable.EQUALS, left.millis, right.millis),
            builder.makeCall(nanos, left.nanos, right.nanos)));
  }

  /** Whether it is a literal with digits beneath the millisecond. */
  static boolean isFine(RexNode node) {
    if (!(node instanceof RexLiteral literal) || literal.isNull()) {
      return false;
    }
    switch (literal.getType().getSqlTypeName()) {
      case TIME:
      case TIMESTAMP:
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
        Object text =
            literal.getTypeName() == SqlTypeName.TIME
                ? literal.getValueAs(TimeString.class)
                : literal.getValueAs(TimestampString.class);
        return nanos(String.valueOf(text)) != 0;
      default:
        return false;
    }
  }

  /** A literal in two parts; null for anything else. */
  static @Nullable Side literal(RexBuilder builder, RexNode node) {
    if (!(node instanceof RexLiteral literal) || literal.isNull()) {
      return null;
    }
    switch (literal.getType().getSqlTypeName()) {
      case TIME:
        TimeString time = literal.getValueAs(TimeString.class);
        return time == null
            ? null
            : side(builder, builder.makeTimeLiteral(time.round(MILLI_DIGITS), MILLI_DIGITS), time);
      case TIMESTAMP:
        TimestampString clock = literal.getValueAs(TimestampString.class);
        return clock == null
            ? null
            : side(
                builder,
                builder.makeTimestampLiteral(clock.round(MILLI_DIGITS), MILLI_DIGITS),
                clock);
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
        TimestampString instant = literal.getValueAs(TimestampString.class);
        return instant == null
            ? null
            : side(
                builder,
                builder.makeTimestampWithLocalTimeZoneLiteral(
                    instant.round(MILLI_DIGITS), MILLI_DIGITS),
                instant);
      default:
        return null;
    }
  }

  private static Side side(RexBuilder builder, RexNode millis, Object text) {
    return new Side(millis, builder.makeExactLiteral(new BigDecimal(nanos(text.toString()))));
  }

  /** Nanoseconds after the millisecond of a time as SQL writes it. */
  private static int nanos(String text) {
    int point = text.indexOf('.');
    String digits = point < 0 ? "" : text.substring(point + 1);
    return Integer.parseInt(
        (digits + "0".repeat(NANO_DIGITS)).substring(MILLI_DIGITS, NANO_DIGITS));
  }
}
