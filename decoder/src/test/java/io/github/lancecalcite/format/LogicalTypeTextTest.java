package io.github.lancecalcite.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.lancecalcite.format.LogicalType.Unit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogicalTypeTextTest {
  @Test
  void plainTypesAreKnown() {
    assertThat(parse("null")).isEqualTo(new LogicalType.Null());
    assertThat(parse("bool")).isEqualTo(new LogicalType.Bool());
    for (int bits : new int[] {8, 16, 32, 64}) {
      assertThat(parse("int" + bits)).isEqualTo(new LogicalType.Int(bits, true));
      assertThat(parse("uint" + bits)).isEqualTo(new LogicalType.Int(bits, false));
    }
    assertThat(parse("halffloat")).isEqualTo(new LogicalType.FloatingPoint(16));
    assertThat(parse("float")).isEqualTo(new LogicalType.FloatingPoint(32));
    assertThat(parse("double")).isEqualTo(new LogicalType.FloatingPoint(64));
    assertThat(parse("string")).isEqualTo(new LogicalType.Utf8(false));
    assertThat(parse("large_string")).isEqualTo(new LogicalType.Utf8(true));
    assertThat(parse("binary")).isEqualTo(new LogicalType.Binary(false));
    assertThat(parse("large_binary")).isEqualTo(new LogicalType.Binary(true));
    assertThat(parse("json")).isEqualTo(new LogicalType.Json());
    assertThat(parse("date32:day")).isEqualTo(new LogicalType.Date(32));
    assertThat(parse("date64:ms")).isEqualTo(new LogicalType.Date(64));
    assertThat(parse("time32:s")).isEqualTo(new LogicalType.Time(32, Unit.SECOND));
    assertThat(parse("time32:ms")).isEqualTo(new LogicalType.Time(32, Unit.MILLISECOND));
    assertThat(parse("time64:us")).isEqualTo(new LogicalType.Time(64, Unit.MICROSECOND));
    assertThat(parse("time64:ns")).isEqualTo(new LogicalType.Time(64, Unit.NANOSECOND));
    assertThat(parse("duration:s")).isEqualTo(new LogicalType.Duration(Unit.SECOND));
    assertThat(parse("duration:ns")).isEqualTo(new LogicalType.Duration(Unit.NANOSECOND));
    assertThat(parse("struct")).isEqualTo(new LogicalType.Struct());
    assertThat(parse("list")).isEqualTo(new LogicalType.List(false));
    assertThat(parse("list.struct")).isEqualTo(new LogicalType.List(false));
    assertThat(parse("large_list")).isEqualTo(new LogicalType.List(true));
    assertThat(parse("large_list.struct")).isEqualTo(new LogicalType.List(true));
    assertThat(parse("map")).isEqualTo(new LogicalType.Map());
    assertThat(parse("fixed_size_binary:7")).isEqualTo(new LogicalType.FixedSizeBinary(7));
  }

  @Test
  void zoneIsEverythingBehindTheUnit() {
    assertThat(parse("timestamp:us:-"))
        .isEqualTo(new LogicalType.Timestamp(Unit.MICROSECOND, null));
    assertThat(parse("timestamp:ns:UTC"))
        .isEqualTo(new LogicalType.Timestamp(Unit.NANOSECOND, "UTC"));
    assertThat(parse("timestamp:s:America/New_York"))
        .isEqualTo(new LogicalType.Timestamp(Unit.SECOND, "America/New_York"));
    assertThat(parse("timestamp:ms:+05:30"))
        .isEqualTo(new LogicalType.Timestamp(Unit.MILLISECOND, "+05:30"));
    assertThat(parse("timestamp:ms:-05:30"))
        .isEqualTo(new LogicalType.Timestamp(Unit.MILLISECOND, "-05:30"));
  }

  @Test
  void scaleMayBeNegative() {
    assertThat(parse("decimal:128:38:10")).isEqualTo(new LogicalType.Decimal(128, 38, 10));
    assertThat(parse("decimal:128:5:-3")).isEqualTo(new LogicalType.Decimal(128, 5, -3));
    assertThat(parse("decimal:256:76:0")).isEqualTo(new LogicalType.Decimal(256, 76, 0));
  }

  @Test
  void fixedSizeListIsCutAtTheLastColon() {
    assertThat(parse("fixed_size_list:float:768"))
        .isEqualTo(new LogicalType.FixedSizeList(new LogicalType.FloatingPoint(32), 768));
    assertThat(parse("fixed_size_list:fixed_size_list:int16:3:2"))
        .isEqualTo(
            new LogicalType.FixedSizeList(
                new LogicalType.FixedSizeList(new LogicalType.Int(16, true), 3), 2));
    assertThat(parse("fixed_size_list:timestamp:us:+01:00:4"))
        .isEqualTo(
            new LogicalType.FixedSizeList(
                new LogicalType.Timestamp(Unit.MICROSECOND, "+01:00"), 4));
    assertThat(parse("fixed_size_list:struct:2"))
        .isEqualTo(new LogicalType.FixedSizeList(new LogicalType.Struct(), 2));
  }

  @Test
  void dictionaryKeepsValueIndexAndOrder() {
    assertThat(parse("dict:string:int8:false"))
        .isEqualTo(
            new LogicalType.Dictionary(
                new LogicalType.Utf8(false), new LogicalType.Int(8, true), false));
    assertThat(parse("dict:timestamp:us:+01:00:uint32:true"))
        .isEqualTo(
            new LogicalType.Dictionary(
                new LogicalType.Timestamp(Unit.MICROSECOND, "+01:00"),
                new LogicalType.Int(32, false),
                true));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "int24",
        "Int32",
        "blob",
        "fixed_size_list",
        "fixed_size_list:",
        "fixed_size_list:float:",
        "fixed_size_list:float:x",
        "fixed_size_list:float:0",
        "fixed_size_list:float:-1",
        "fixed_size_list:float:4294967298",
        "lance.bfloat16",
        "fixed_size_binary:",
        "fixed_size_binary:-4",
        "decimal:128:39:0",
        "decimal:128:0:0",
        "decimal:64:10:2",
        "decimal:128:10",
        "decimal:128:10:2:1",
        "timestamp:us",
        "timestamp:us:",
        "timestamp:day:UTC",
        "duration:",
        "dict:string:int8",
        "dict:string:float:false",
        "dict:string:int8:maybe",
        "dict::int8:false",
        "date32:ms",
        "time32:us",
      })
  void anythingElseIsUnknownByItsWholeText(String text) {
    assertThat(parse(text)).isEqualTo(new LogicalType.Unknown(text));
  }

  @Test
  void absurdNestingIsUnknownRatherThanAStackOverflow() {
    String text = "fixed_size_list:".repeat(100_000) + "int8" + ":1".repeat(100_000);
    assertThat(parse(text)).isInstanceOf(LogicalType.Unknown.class);
  }

  private static LogicalType parse(String text) {
    return LogicalTypeText.parse(text);
  }
}
