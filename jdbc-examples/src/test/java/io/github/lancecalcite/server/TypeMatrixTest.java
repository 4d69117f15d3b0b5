package io.github.lancecalcite.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tables of {@code docs/types.md} are what a test sees; {@code -Dsql.update=true} writes them.
 */
class TypeMatrixTest {
  private static final Path PAGE =
      Path.of(System.getProperty("repo.root")).resolve("docs/types.md");
  private static final String START = "| Arrow | SQL type |";

  @Test
  void everyTypeIsAsThePageSays() throws Exception {
    List<String> page = Files.readAllLines(PAGE);
    List<String> actual = page(page);
    if (Boolean.getBoolean("sql.update")) {
      Files.write(PAGE, actual);
    }
    assertThat(page).isEqualTo(actual);
  }

  /** In a JVM of its own, because Avatica looks at the zone once. */
  @ParameterizedTest
  @ValueSource(strings = {"America/Los_Angeles", "Asia/Kathmandu"})
  void everyTypeIsAsThePageSaysInZone(String zone) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Duser.timezone=" + zone,
                "-Drepo.root=" + System.getProperty("repo.root"),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                TypeMatrixTest.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("as the page says");
  }

  /** What the other JVM runs. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws Exception {
    List<String> page = Files.readAllLines(PAGE);
    assertThat(page).isEqualTo(page(page));
    System.out.println("as the page says");
  }

  /** The page with tables of what is seen now. */
  private static List<String> page(List<String> page) throws Exception {
    TypeMatrix matrix = new TypeMatrix();
    List<TypeMatrix.Row> rows = matrix.rows();
    assertThat(matrix.cells()).isGreaterThan(10_000);
    int start = 0;
    while (!page.get(start).startsWith(START)) {
      start++;
    }
    List<String> actual = new ArrayList<>(page.subList(0, start));
    actual.addAll(TypeMatrix.page(rows));
    return actual;
  }
}
