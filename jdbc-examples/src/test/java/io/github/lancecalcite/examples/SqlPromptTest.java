package io.github.lancecalcite.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.lancecalcite.server.RunningServer;
import io.github.lancecalcite.server.ServerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.calcite.avatica.remote.Driver.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** sqlline as {@code ./sqlline} starts it, in-process and through a server. */
class SqlPromptTest {
  private static final String URL = "jdbc:lance:" + ExamplePrograms.FIXTURE;
  private static final String QUERY =
      "select id, s, _rowid, _row_last_updated_at_version from data where _rowid < 3";
  private static final String[] ROWS = {
    "'id','s','_rowid','_row_last_updated_at_version'", "'1','a1','1','1'", "'2','a2','2','1'"
  };

  @Test
  void runsOneStatementInProcess() throws Exception {
    ExamplePrograms.Ended ended = sqlline("-u", URL, "--outputformat=csv", "-e", QUERY);

    assertThat(ended.out().lines()).containsExactly(ROWS);
    assertThat(ended.err().strip()).matches("2 rows selected \\([0-9.]+ seconds\\)");
    assertThat(ended.exitCode()).isZero();
  }

  @Test
  void runsOneStatementOnAServer() throws Exception {
    try (RunningServer server =
        RunningServer.start(URL, ServerSettings.local(Serialization.PROTOBUF))) {
      ExamplePrograms.Ended ended =
          sqlline("-u", server.clientUrl(), "--outputformat=csv", "-e", QUERY);

      assertThat(ended.out().lines()).containsExactly(ROWS);
      assertThat(ended.exitCode()).isZero();
      assertThat(server.openConnections()).isZero();
    }
  }

  @Test
  void aScriptStopsAtItsFirstErrorWithOneLine(@TempDir Path folder) throws Exception {
    Path script = folder.resolve("script.sql");
    Files.writeString(
        script, "select count(*) as n from data;\nselect nope from data;\nvalues 'after';\n");

    ExamplePrograms.Ended ended = sqlline("-u", URL, "--outputformat=csv", "-f", script.toString());

    assertThat(ended.out()).contains("'48'").doesNotContain("after");
    assertThat(ended.err())
        .contains("Error: ")
        .contains("Column 'nope' not found in any table")
        .doesNotContain("\tat ");
    assertThat(ended.exitCode()).isEqualTo(2);
  }

  @Test
  void aMissingFolderIsOneLineAndAFailure() throws Exception {
    ExamplePrograms.Ended ended = sqlline("-u", "jdbc:lance:/no/such/folder", "-e", "values 1");

    assertThat(ended.out()).isEmpty();
    assertThat(ended.err().lines().findFirst().orElseThrow())
        .startsWith("Error: ")
        .contains("/no/such/folder");
    assertThat(ended.err()).doesNotContain("\tat ");
    assertThat(ended.exitCode()).isEqualTo(2);
  }

  @Test
  void aSyntaxErrorIsOneLine() throws Exception {
    ExamplePrograms.Ended ended = sqlline("-u", URL, "-e", "select id from where");

    assertThat(ended.err().strip())
        .isEqualTo(
            "Error: Error while executing SQL \"select id from where\":"
                + " parse failed: Encountered \"where\" at line 1, column 16.");
    assertThat(ended.exitCode()).isEqualTo(2);
  }

  @Test
  void theExamplesOfTheReadmeRun() throws Exception {
    Path root = Path.of(System.getProperty("repo.root"));
    String start = "./sqlline -e \"";
    int examples = 0;
    for (String line : Files.readAllLines(root.resolve("README.md"))) {
      if (line.startsWith(start)) {
        String sql = line.substring(start.length(), line.lastIndexOf('"'));
        ExamplePrograms.Ended ended =
            sqlline("-u", "jdbc:lance:" + root.resolve("samples"), "-e", sql);
        assertThat(ended.err()).as(line).matches("\\d+ rows selected \\([0-9.]+ seconds\\)\\s*");
        assertThat(ended.exitCode()).as(line).isZero();
        examples++;
      }
    }
    assertThat(examples).isPositive();
  }

  private static ExamplePrograms.Ended sqlline(String... args) throws Exception {
    String[] all = new String[args.length + 2];
    all[0] = "--connectInteractionMode=useNPTogetherOrEmpty";
    all[1] = "--isolation=TRANSACTION_NONE";
    System.arraycopy(args, 0, all, 2, args.length);
    return ExamplePrograms.run(SqlPrompt.class, all);
  }
}
