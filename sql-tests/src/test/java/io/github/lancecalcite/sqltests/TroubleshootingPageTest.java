package io.github.lancecalcite.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Provokes the errors of {@code docs/troubleshooting.md}. A block of {@code sql} or {@code url}
 * must be followed by a block of {@code text} with the message; {@code -Dsql.update=true} writes
 * those.
 */
class TroubleshootingPageTest {
  private static final Path PAGE = Checkout.root().resolve("docs/troubleshooting.md");
  private static final String FENCE = "```";

  @Test
  void everyErrorHasTheMessageThePageShows() throws IOException {
    List<String> page = Files.readAllLines(PAGE);
    List<String> actual = new ArrayList<>();
    int errors = 0;
    for (int line = 0; line < page.size(); ) {
      String start = page.get(line);
      if (!start.equals(FENCE + "sql") && !start.equals(FENCE + "url")) {
        actual.add(page.get(line++));
        continue;
      }
      int end = end(page, line);
      actual.addAll(page.subList(line, end + 1));
      String what = String.join("\n", page.subList(line + 1, end));
      actual.addAll(List.of("", FENCE + "text", message(start.endsWith("url"), what), FENCE));
      errors++;
      line = end + 1;
      if (line + 1 < page.size() && page.get(line + 1).equals(FENCE + "text")) {
        line = end(page, line + 1) + 1;
      }
    }
    if (Boolean.getBoolean("sql.update")) {
      Files.write(PAGE, actual);
    }
    assertThat(errors).isGreaterThan(10);
    assertThat(actual).isEqualTo(page);
  }

  private static int end(List<String> page, int start) {
    int end = start + 1;
    while (!page.get(end).equals(FENCE)) {
      end++;
    }
    return end;
  }

  private static String message(boolean url, String what) {
    Path samples = Checkout.root().resolve("samples");
    Throwable error =
        catchThrowable(
            () -> {
              try (Connection connection =
                      DriverManager.getConnection(url ? what : "jdbc:lance:" + samples);
                  Statement statement = connection.createStatement();
                  ResultSet rows = statement.executeQuery(what)) {
                while (rows.next()) {
                  assertThat(rows.getString(1)).isNotEqualTo("");
                }
              }
            });
    assertThat(error).as(what).isInstanceOf(SQLException.class);
    return error.getMessage().replace(samples.toString(), "samples");
  }
}
