package io.github.lancecalcite.calcite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class LanceUrlTest {
  private static LanceUrl parse(String url) throws SQLException {
    return LanceUrl.parse(url, new Properties());
  }

  @Test
  void folderMayStandAloneOrBeAProperty() throws SQLException {
    assertThat(parse("jdbc:lance:/data/x").directory()).isEqualTo(Path.of("/data/x"));
    assertThat(parse("jdbc:lance:some/where").directory()).isEqualTo(Path.of("some/where"));
    assertThat(parse("jdbc:lance:dir=/data/x").directory()).isEqualTo(Path.of("/data/x"));
    assertThat(parse("jdbc:lance:/data/a=b").directory()).isEqualTo(Path.of("/data/a=b"));
    assertThat(parse("jdbc:lance:/it's \"x\"").directory()).isEqualTo(Path.of("/it's \"x\""));
    assertThat(parse("jdbc:lance:dir=\"/data/a;b\"").directory()).isEqualTo(Path.of("/data/a;b"));
    assertThat(parse("jdbc:lance:file:///data/x").directory()).isEqualTo(Path.of("/data/x"));
  }

  @Test
  void driveLetterIsPartOfTheFolder() throws SQLException {
    assertThat(parse("jdbc:lance:C:\\data\\x").directory()).isEqualTo(Path.of("C:\\data\\x"));
  }

  @Test
  void versionAndCalciteProperties() throws SQLException {
    LanceUrl url = parse("jdbc:lance:/data;version=5;conformance=STRICT_2003;TIMEZONE=UTC");
    assertThat(url.version()).isEqualTo(5);
    assertThat(url.properties())
        .containsOnly(
            java.util.Map.entry("conformance", "STRICT_2003"),
            java.util.Map.entry("timeZone", "UTC"));
    assertThat(parse("jdbc:lance:/data").version()).isEqualTo(-1);
  }

  @Test
  void badUrlsAreNamed() {
    assertThatThrownBy(() -> parse("jdbc:lance:"))
        .isInstanceOf(SQLException.class)
        .hasMessage(
            "bad connect string jdbc:lance:: no folder; write jdbc:lance:<folder> or"
                + " jdbc:lance:dir=<folder>;version=<n>");
    assertThatThrownBy(() -> parse("jdbc:lance:/data;version=last"))
        .isInstanceOf(SQLException.class)
        .hasMessage(
            "bad connect string jdbc:lance:/data;version=last: version is not a version number:"
                + " last");
    assertThatThrownBy(() -> parse("jdbc:lance:/data;verison=5"))
        .isInstanceOf(SQLException.class)
        .hasMessageStartingWith(
            "bad connect string jdbc:lance:/data;verison=5: unknown property 'verison'; known are")
        .hasMessageContaining("version");
  }

  @Test
  void missingFolderIsNamed() {
    assertThatThrownBy(() -> DriverManager.getConnection("jdbc:lance:/no/such/folder"))
        .isInstanceOf(SQLException.class)
        .hasMessage("folder of datasets not found in /no/such/folder (there is no such folder)")
        .hasCauseInstanceOf(io.github.lancecalcite.NotFoundException.class);
  }
}
