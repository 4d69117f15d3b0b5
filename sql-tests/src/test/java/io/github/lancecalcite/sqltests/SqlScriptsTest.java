package io.github.lancecalcite.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import net.hydromatic.quidem.Quidem;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Runs every script of {@code src/test/resources/sql}: SQL with the output it must give.
 *
 * <p>{@code !use} takes the name of a connection: {@code samples}, {@code model} (the samples
 * through Calcite's own driver and a model file) or the name of a fixture, whose table is {@code
 * data}. The output of a run is left in {@code target/sql}; {@code -Dsql.update=true} also writes
 * it over the script, which is how new queries get their expected output: read the difference
 * before committing it.
 */
class SqlScriptsTest {
  private static final Path MODULE = Checkout.root().resolve("sql-tests");
  private static final Path SCRIPTS = MODULE.resolve("src/test/resources/sql");

  @TestFactory
  Stream<DynamicTest> script() throws IOException {
    List<Path> scripts;
    try (Stream<Path> files = Files.list(SCRIPTS)) {
      scripts = files.filter(file -> file.toString().endsWith(".iq")).sorted().toList();
    }
    assertThat(scripts).isNotEmpty();
    return scripts.stream()
        .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> run(file)));
  }

  private static void run(Path script) throws IOException {
    String expected = Files.readString(script);
    StringWriter output = new StringWriter();
    try (Reader input = new StringReader(expected)) {
      new Quidem(
              Quidem.configBuilder()
                  .withReader(input)
                  .withWriter(output)
                  .withConnectionFactory((name, reference) -> connect(name))
                  .build())
          .execute();
    }
    String actual = output.toString();
    Path kept = MODULE.resolve("target/sql").resolve(script.getFileName());
    Files.createDirectories(kept.getParent());
    Files.writeString(kept, actual);
    if (Boolean.getBoolean("sql.update")) {
      Files.writeString(script, actual);
    }
    if (!actual.equals(expected)) {
      throw new AssertionError(
          script.getFileName() + " gives something else:\n" + difference(expected, actual));
    }
  }

  private static Connection connect(String name) throws SQLException {
    if (name.equals("samples")) {
      return DriverManager.getConnection("jdbc:lance:" + Checkout.root().resolve("samples"));
    }
    if (name.equals("model")) {
      return DriverManager.getConnection(
          "jdbc:calcite:model=" + MODULE.resolve("src/test/resources/model.json"));
    }
    Path fixture = MODULE.resolve("src/test/resources/fixtures").resolve(name);
    if (!Files.isDirectory(fixture)) {
      throw new SQLException("no connection is called " + name);
    }
    return DriverManager.getConnection("jdbc:lance:" + fixture);
  }

  /** The lines between the common start and the common end of two texts. */
  private static String difference(String expected, String actual) {
    List<String> before = expected.lines().toList();
    List<String> after = actual.lines().toList();
    int start = 0;
    int shorter = Math.min(before.size(), after.size());
    while (start < shorter && before.get(start).equals(after.get(start))) {
      start++;
    }
    int end = 0;
    while (end < shorter - start
        && before.get(before.size() - 1 - end).equals(after.get(after.size() - 1 - end))) {
      end++;
    }
    StringBuilder text = new StringBuilder();
    int context = Math.max(0, start - 8);
    before.subList(context, start).forEach(line -> text.append("  ").append(line).append('\n'));
    before.subList(start, before.size() - end).forEach(l -> text.append("- " + l + "\n"));
    after.subList(start, after.size() - end).forEach(l -> text.append("+ " + l + "\n"));
    return text.append(String.format(Locale.ROOT, "(from line %d on)", start + 1)).toString();
  }
}
