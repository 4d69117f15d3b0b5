package io.github.lancecalcite.calcite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.lancecalcite.ValueRanges;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.calcite.DataContexts;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.junit.jupiter.api.Test;

class SystemConditionsTest {
  private static final RexBuilder REX = new RexBuilder(new LanceTypeFactory());
  private static final RelDataType BIGINT = REX.getTypeFactory().createSqlType(SqlTypeName.BIGINT);
  private static final RexInputRef X = REX.makeInputRef(BIGINT, 0);
  private static final RexInputRef Y = REX.makeInputRef(BIGINT, 1);
  private static final List<SqlOperator> COMPARISONS =
      List.of(
          SqlStdOperatorTable.EQUALS,
          SqlStdOperatorTable.NOT_EQUALS,
          SqlStdOperatorTable.LESS_THAN,
          SqlStdOperatorTable.LESS_THAN_OR_EQUAL,
          SqlStdOperatorTable.GREATER_THAN,
          SqlStdOperatorTable.GREATER_THAN_OR_EQUAL);

  private static RexNode number(String value) {
    return REX.makeExactLiteral(new BigDecimal(value));
  }

  private static String allowed(RexNode condition) {
    SystemConditions.OnColumn result = SystemConditions.translate(condition);
    return result == null ? "no" : result.allowed().text(Integer.toString(result.column()));
  }

  @Test
  void everyComparisonEqualsItsMeaning() {
    for (String bound :
        List.of("-3", "-0.5", "0", "0.5", "1", "4", "4.5", "6", "7", "1000000000000000000000")) {
      for (SqlOperator operator : COMPARISONS) {
        for (boolean swapped : new boolean[] {false, true}) {
          RexNode literal = number(bound);
          RexNode condition =
              swapped ? REX.makeCall(operator, literal, X) : REX.makeCall(operator, X, literal);
          SystemConditions.OnColumn result = SystemConditions.translate(condition);
          assertThat(result).as(condition.toString()).isNotNull();
          for (int value = 0; value < 8; value++) {
            int sign = BigDecimal.valueOf(value).compareTo(new BigDecimal(bound));
            assertThat(result.allowed().bind(DataContexts.EMPTY).contains(value))
                .as("%s with %d", condition, value)
                .isEqualTo(holds(operator, swapped ? -sign : sign));
          }
        }
      }
    }
  }

  private static boolean holds(SqlOperator operator, int sign) {
    return switch (operator.getKind()) {
      case EQUALS -> sign == 0;
      case NOT_EQUALS -> sign != 0;
      case LESS_THAN -> sign < 0;
      case LESS_THAN_OR_EQUAL -> sign <= 0;
      case GREATER_THAN -> sign > 0;
      default -> sign >= 0;
    };
  }

  @Test
  void listsAndRangesAreSets() {
    List<RexNode> values = List.of(number("7"), number("3"), number("4"));
    assertThat(allowed(REX.makeIn(X, values))).isEqualTo("0 in {3..4, 7}");
    assertThat(allowed(REX.makeBetween(X, number("5"), number("9")))).isEqualTo("0 in {5..9}");
  }

  @Test
  void randomListsEqualTheirMeaning() {
    Random random = new Random(20);
    for (int round = 0; round < 200; round++) {
      List<RexNode> literals = new ArrayList<>();
      List<Integer> values = new ArrayList<>();
      for (int i = random.nextInt(6); i >= 0; i--) {
        int value = random.nextInt(12) - 2;
        values.add(value);
        literals.add(number(Integer.toString(value)));
      }
      ValueRanges allowed =
          SystemConditions.translate(REX.makeIn(X, literals)).allowed().bind(DataContexts.EMPTY);
      for (int value = 0; value < 12; value++) {
        assertThat(allowed.contains(value))
            .as("%d in %s", value, values)
            .isEqualTo(values.contains(value));
      }
    }
  }

  @Test
  void conjunctionsAndDisjunctionsOnOneColumnCombine() {
    RexNode above = REX.makeCall(SqlStdOperatorTable.GREATER_THAN, X, number("5"));
    RexNode below = REX.makeCall(SqlStdOperatorTable.LESS_THAN, X, number("2"));
    assertThat(allowed(REX.makeCall(SqlStdOperatorTable.OR, above, below)))
        .isEqualTo("0 in {0..1, 6..}");
    assertThat(allowed(REX.makeCall(SqlStdOperatorTable.AND, above, below))).isEqualTo("0 in {}");
  }

  @Test
  void anythingElseIsLeftAlone() {
    RexNode other = REX.makeCall(SqlStdOperatorTable.GREATER_THAN, Y, number("5"));
    RexNode above = REX.makeCall(SqlStdOperatorTable.GREATER_THAN, X, number("5"));
    assertThat(allowed(REX.makeCall(SqlStdOperatorTable.OR, above, other))).isEqualTo("no");
    assertThat(allowed(REX.makeCall(SqlStdOperatorTable.EQUALS, X, Y))).isEqualTo("no");
    assertThat(allowed(REX.makeCall(SqlStdOperatorTable.IS_NULL, X))).isEqualTo("no");
    assertThat(
            allowed(
                REX.makeCall(
                    SqlStdOperatorTable.EQUALS,
                    REX.makeCall(SqlStdOperatorTable.PLUS, X, number("1")),
                    number("5"))))
        .isEqualTo("no");
    assertThat(allowed(REX.makeCall(SqlStdOperatorTable.EQUALS, X, REX.makeNullLiteral(BIGINT))))
        .isEqualTo("no");
  }
}
