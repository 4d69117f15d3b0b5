package io.github.lancecalcite.calcite;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import org.apache.calcite.avatica.util.DateTimeUtils;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalLiteral.IntervalValue;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.apache.calcite.sql.parser.SqlParserUtil;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.TimestampString;
import org.apache.calcite.util.TimestampWithTimeZoneString;

/**
 * The point in time that a piece of SQL spells: a {@code TIMESTAMP} literal of any kind, {@code
 * CURRENT_TIMESTAMP}, or one of them plus or minus an interval of days to seconds. Literals without
 * a zone of their own are UTC, as commit times are shown, whatever zone the JVM is in. All digits
 * of the second count.
 */
final class FixedInstant {
  private FixedInstant() {}

  /**
   * @throws LanceException for anything else, columns and parameters included
   */
  static Instant of(SqlNode period) {
    if (period instanceof SqlDynamicParam) {
      throw refused("a parameter, whose value is not known when the statement is prepared");
    }
    if (period instanceof SqlLiteral literal) {
      return literal(literal);
    }
    if (isNow(period)) {
      return Instant.now();
    }
    if (period instanceof SqlCall call
        && (call.getKind() == SqlKind.PLUS || call.getKind() == SqlKind.MINUS)
        && call.operandCount() == 2
        && call.operand(1) instanceof SqlIntervalLiteral interval
        && interval.getTypeName().getFamily().getTypeNames().contains(SqlTypeName.INTERVAL_DAY)) {
      long millis = SqlParserUtil.intervalToMillis(interval.getValueAs(IntervalValue.class));
      Instant start = of(call.operand(0));
      return call.getKind() == SqlKind.PLUS ? start.plusMillis(millis) : start.minusMillis(millis);
    }
    throw refused(period.toString().replace('\n', ' '));
  }

  private static boolean isNow(SqlNode period) {
    String name = "";
    if (period instanceof SqlIdentifier identifier && identifier.isSimple()) {
      name = identifier.getSimple();
    } else if (period instanceof SqlCall call) {
      name = call.getOperator().getName();
    }
    return name.toUpperCase(Locale.ROOT).equals("CURRENT_TIMESTAMP");
  }

  private static Instant literal(SqlLiteral given) {
    SqlLiteral literal = given;
    if (given instanceof SqlUnknownLiteral unknown) {
      SqlTypeName type =
          switch (unknown.tag) {
            case "TIMESTAMP" -> SqlTypeName.TIMESTAMP;
            case "TIMESTAMP WITH LOCAL TIME ZONE" -> SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
            case "TIMESTAMP WITH TIME ZONE" -> SqlTypeName.TIMESTAMP_TZ;
            default -> throw refused(given.toString());
          };
      literal = unknown.resolve(type);
    }
    return switch (literal.getTypeName()) {
      case TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          utc(literal.getValueAs(TimestampString.class));
      case TIMESTAMP_TZ ->
          utc(
              literal
                  .getValueAs(TimestampWithTimeZoneString.class)
                  .withTimeZone(DateTimeUtils.UTC_ZONE)
                  .getLocalTimestampString());
      default -> throw refused(given.toString());
    };
  }

  private static Instant utc(TimestampString text) {
    return LocalDateTime.parse(text.toString().replace(' ', 'T')).toInstant(ZoneOffset.UTC);
  }

  private static RuntimeException refused(String what) {
    return LanceFailure.unsupportedSql(
        "FOR SYSTEM_TIME AS OF takes a TIMESTAMP literal or CURRENT_TIMESTAMP, not " + what);
  }
}
