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

  private static Path folder(String url) throws SQLException {
    return parse(url).schemas().get(LanceDriver.SCHEMA);
  }

  @Test
  void everyNamedFolderIsASchema() throws SQLException {
    LanceUrl both = parse("jdbc:lance:schema.b=/data/b;schema.A x=\"/data/a;1\"");
    assertThat(both.schemas())
        .containsExactly(
            java.util.Map.entry("A x", Path.of("/data/a;1")),
            java.util.Map.entry("b", Path.of("/data/b")));
    assertThat(both.defaultSchema()).isNull();
    assertThat(parse("jdbc:lance:schema.b=/data/b").defaultSchema()).isEqualTo("b");

    LanceUrl beside = parse("jdbc:lance:/data;schema.b=/data/b");
    assertThat(beside.schemas())
        .containsExactly(
            java.util.Map.entry("b", Path.of("/data/b")),
            java.util.Map.entry("lance", Path.of("/data")));
    assertThat(beside.defaultSchema()).isEqualTo("lance");
    assertThat(folder("jdbc:lance:schema.x/y=z")).isEqualTo(Path.of("schema.x/y=z"));
  }

  @Test
  void badSchemasAreNamed() {
    assertThatThrownBy(() -> parse("jdbc:lance:/data;schema.lance=/more"))
        .hasMessageEndingWith(": two folders for schema lance, the name of that without one");
    assertThatThrownBy(() -> parse("jdbc:lance:/data;schema.metadata=/more"))
        .hasMessageEndingWith(": schema 'metadata' is Calcite's own; choose another name");
    assertThatThrownBy(() -> parse("jdbc:lance:/data;schema.=/more"))
        .hasMessageEndingWith(
            ": a name or folder is missing in 'schema.'; write schema.a=<folder>");
  }

  @Test
  void folderMayStandAloneOrBeAProperty() throws SQLException {
    assertThat(folder("jdbc:lance:/data/x")).isEqualTo(Path.of("/data/x"));
    assertThat(folder("jdbc:lance:some/where")).isEqualTo(Path.of("some/where"));
    assertThat(folder("jdbc:lance:dir=/data/x")).isEqualTo(Path.of("/data/x"));
    assertThat(folder("jdbc:lance:/data/a=b")).isEqualTo(Path.of("/data/a=b"));
    assertThat(folder("jdbc:lance:/it's \"x\"")).isEqualTo(Path.of("/it's \"x\""));
    assertThat(folder("jdbc:lance:dir=\"/data/a;b\"")).isEqualTo(Path.of("/data/a;b"));
    assertThat(folder("jdbc:lance:file:///data/x")).isEqualTo(Path.of("/data/x"));
  }

  @Test
  void driveLetterIsPartOfTheFolder() throws SQLException {
    assertThat(folder("jdbc:lance:C:\\data\\x")).isEqualTo(Path.of("C:\\data\\x"));
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
