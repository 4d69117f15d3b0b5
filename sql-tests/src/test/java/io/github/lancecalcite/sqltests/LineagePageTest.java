package io.github.lancecalcite.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import net.hydromatic.quidem.Quidem;
import org.junit.jupiter.api.Test;

/**
 * Runs the queries of {@code docs/lineage.md} on the samples. A block of {@code sql} must be
 * followed by a block of {@code text} with exactly what the query gives; {@code -Dsql.update=true}
 * writes those blocks.
 */
class LineagePageTest {
  private static final Path PAGE = Checkout.root().resolve("docs/lineage.md");
  private static final String FENCE = "```";

  @Test
  void everyQueryGivesWhatThePageShows() throws IOException {
    List<String> page = Files.readAllLines(PAGE);
    List<String> actual = new ArrayList<>();
    int queries = 0;
    for (int line = 0; line < page.size(); ) {
      if (!page.get(line).equals(FENCE + "sql")) {
        actual.add(page.get(line++));
        continue;
      }
      int end = endOfBlock(page, line);
      actual.addAll(page.subList(line, end + 1));
      actual.add("");
      actual.add(FENCE + "text");
      actual.addAll(output(page.subList(line + 1, end)));
      actual.add(FENCE);
      queries++;
      line = end + 1;
      if (line + 1 < page.size() && page.get(line + 1).equals(FENCE + "text")) {
        line = endOfBlock(page, line + 1) + 1;
      }
    }
    if (Boolean.getBoolean("sql.update")) {
      Files.write(PAGE, actual);
    }
    assertThat(queries).isGreaterThan(6);
    assertThat(actual).isEqualTo(page);
  }

  private static int endOfBlock(List<String> page, int start) {
    int end = start + 1;
    while (!page.get(end).equals(FENCE)) {
      end++;
    }
    return end;
  }

  /** What Quidem prints between a query and its {@code !ok}. */
  private static List<String> output(List<String> query) {
    List<String> script = new ArrayList<>(List.of("!use samples", "!set outputformat mysql"));
    script.addAll(query);
    int before = script.size();
    script.add("!ok");
    StringWriter output = new StringWriter();
    new Quidem(
            Quidem.configBuilder()
                .withReader(new StringReader(String.join("\n", script) + "\n"))
                .withWriter(output)
                .withConnectionFactory(
                    (name, reference) ->
                        DriverManager.getConnection(
                            "jdbc:lance:" + Checkout.root().resolve("samples")))
                .build())
        .execute();
    List<String> lines = output.toString().lines().toList();
    int after = lines.lastIndexOf("!ok");
    assertThat(after).as("output of %s: %s", query, lines).isGreaterThan(before);
    return lines.subList(before, after).stream().filter(line -> !line.isEmpty()).toList();
  }
}
