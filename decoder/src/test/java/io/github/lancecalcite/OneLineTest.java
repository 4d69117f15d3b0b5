package io.github.lancecalcite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OneLineTest {
  @Test
  void whatStandsInAFileCannotBreakAMessage() {
    String text = "a\nb\r\tc\0\u0085\u2028é";
    String line = "a\\nb\\u000d\\u0009c\\u0000\\u0085\\u2028é";
    assertThat(new CorruptFileException("p", 3, text, text, text))
        .hasMessage(
            "corrupt file p at offset 3: " + line + ": expected " + line + ", found " + line)
        .returns(text, CorruptFileException::actual);
    assertThat(new UnsupportedFormatException("p", "type", text, "others"))
        .hasMessage("unsupported type in p: found " + line + ", supported others")
        .returns(text, UnsupportedFormatException::found);
    assertThat(new NotFoundException(text, "version 1", "none"))
        .hasMessage("version 1 not found in " + line + " (none)")
        .returns(text, NotFoundException::path);
  }

  @Test
  void longTextIsCut() {
    assertThat(new CorruptFileException("p", -1, "name", "short", "x".repeat(1 << 20)).getMessage())
        .hasSize(2001)
        .endsWith("xx…");
  }
}
