package io.github.lancecalcite.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.lancecalcite.DecodeException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that Lance 7.0.0 stored, and the text that it gave back for them. */
class JsonbTextTest {
  private static final String NESTED =
      "8000000420000002200000025000001b100000015001500280000002200000025000000d50034000"
          + "000110000001000000007873";

  private static final String OBJECT =
      "4000000610000000100000011000000110000002100000011000000620000002200000025000001920"
          + "000002200000022000000242616131626c6f6e6765725005500340000001100000015000000c7a"
          + "800000024000000030000000500450015002";

  private static String text(String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    byte[] padded = new byte[bytes.length + 3];
    System.arraycopy(bytes, 0, padded, 2, bytes.length);
    byte[] text = new JsonbText().decode(padded, 2, bytes.length);
    return new String(text, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "2000000000000000 null",
        "2000000040000000 true",
        "2000000030000000 false",
        "200000002000000100 0",
        "20000000200000025001 1",
        "200000002000000240ff -1",
        "2000000020000002507f 127",
        "200000002000000340ff7f -129",
        "2000000020000003500100 256",
        "200000002000000540ffff63c0 -40000",
        "200000002000000550ffffffff 4294967295",
        "2000000020000009408000000000000000 -9223372036854775808",
        "200000002000000950ffffffffffffffff 18446744073709551615",
        "2000000020000009603ff8000000000000 1.5",
        "2000000020000009608000000000000000 -0.0",
        "2000000020000009604202a05f20000000 10000000000.0",
        "200000002000000960430c6bf526340000 1000000000000000.0",
        "20000000200000096042dc12218377de66 123456789012345.6",
        "2000000020000009604341c37937e08000 1e+16",
        "2000000020000009604345ee2a2eb5a5c4 1.2345678901234568e+16",
        "20000000200000096044c52d02c7e14af6 2e+23",
        "2000000020000009603fb999999999999a 0.1",
        "2000000020000009603eef75104d551d69 0.000015",
        "2000000020000009603eb92a737110e454 1.5e-6",
        "200000002000000960be19c511dc3a41df -1.5e-9",
        "2000000020000009600000000000000001 5e-324",
        "2000000020000009607fefffffffffffff 1.7976931348623157e+308",
        "200000002000000120 null",
        "80000000 []",
        "40000000 {}",
        "4000000110000001500000106b80000002200000022000000250015002 {\"k\":[1,2]}",
        NESTED + " [1,2,[3,{\"x\":null}],\"s\"]",
        OBJECT + " {\"\":5,\"B\":3,\"a\":{\"z\":[true,false]},\"a1\":4,\"b\":1,\"longer\":2}"
      })
  void valuesAreTheirText(String hex, String expected) {
    assertThat(text(hex)).isEqualTo(expected);
  }

  @Test
  void stringsAreEscapedWhereJsonAsksForIt() {
    assertThat(text("2000000010000011c3a90a09225c2f0120e280a820f09f9880"))
        .isEqualTo("\"\u00e9\\n\\t\\\"\\\\/\\u0001 \u2028 \ud83d\ude00\"");
    assertThat(text("20000000100000081f0b080c0d7fc280"))
        .isEqualTo("\"\\u001f\\u000b\\b\\f\\r\u007f\u0080\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"a\":1}",
        "[]",
        "[1,2,3]",
        "\"text\"",
        "0",
        "12345",
        "-1.5",
        "true",
        "false",
        "null",
        " {}",
        "\t[]",
        "\n1"
      })
  void textIsNoBinaryValue(String text) {
    assertThat(JsonbText.isBinary(text.getBytes(StandardCharsets.UTF_8))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {NESTED, OBJECT, "80000000", "40000000", "20000000200000025001"})
  void valuesAreBinary(String hex) {
    assertThat(JsonbText.isBinary(HexFormat.of().parseHex(hex))).isTrue();
  }

  @Test
  void truncatedValuesAreRefused() {
    for (String hex : new String[] {NESTED, OBJECT}) {
      byte[] whole = HexFormat.of().parseHex(hex);
      for (int length = 0; length < whole.length; length++) {
        byte[] part = Arrays.copyOf(whole, length);
        assertThatThrownBy(() -> new JsonbText().decode(part, 0, part.length))
            .as("%d bytes", length)
            .isInstanceOf(DecodeException.class);
      }
    }
  }

  @Test
  void damagedValuesAreReadOrRefused() {
    Random random = new Random(5);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = HexFormat.of().parseHex(i % 2 == 0 ? NESTED : OBJECT);
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      Throwable failure = catchThrowable(() -> new JsonbText().decode(bytes, 0, bytes.length));
      if (failure != null) {
        assertThat(failure)
            .as("%s", HexFormat.of().formatHex(bytes))
            .isInstanceOfAny(DecodeException.class, ArithmeticException.class);
      }
    }
  }

  @Test
  void nestingIsBounded() {
    int depth = 2000;
    StringBuilder hex = new StringBuilder();
    for (int i = depth; i > 0; i--) {
      hex.append("80000001").append(String.format("5%07x", i * 8 - 4));
    }
    assertThatThrownBy(() -> text(hex + "80000000"))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("nesting of a JSON value");
  }
}
