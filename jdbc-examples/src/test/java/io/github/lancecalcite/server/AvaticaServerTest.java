package io.github.lancecalcite.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.lancecalcite.examples.ExamplePrograms;
import io.github.lancecalcite.examples.RemoteClientExample;
import java.io.BufferedReader;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The command lines of the server and of its client, each in a JVM of its own. */
class AvaticaServerTest {
  @Test
  @Timeout(120)
  void servesARemoteClientUntilItIsStopped() throws Exception {
    Process server =
        ExamplePrograms.builder(
                AvaticaServer.class,
                "--dir",
                ExamplePrograms.FIXTURE.toString(),
                "--schema",
                "fix=" + Clients.FIXTURES.resolve("delfew_stable_21"),
                "--schema=samples=" + Clients.SAMPLES,
                "--port",
                "0")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = server.inputReader()) {
      String ready = out.readLine();
      assertThat(ready)
          .matches(
              "ready:"
                  + " jdbc:avatica:remote:url=http://127\\.0\\.0\\.1:[0-9]+;serialization=protobuf");

      ExamplePrograms.Ended client =
          ExamplePrograms.run(
              RemoteClientExample.class,
              ready.substring("ready: ".length()),
              "SELECT id, s, _rowid FROM data WHERE _rowid < 3");
      assertThat(client.err()).isEmpty();
      assertThat(client.out().lines()).containsExactly("id\ts\t_rowid", "1\ta1\t1", "2\ta2\t2");

      client =
          ExamplePrograms.run(
              RemoteClientExample.class,
              ready.substring("ready: ".length()),
              "SELECT COUNT(*) AS n FROM lance.data JOIN fix.data AS f ON data._rowid = f._rowid"
                  + " WHERE EXISTS (SELECT 1 FROM samples.airports)");
      assertThat(client.err()).isEmpty();
      assertThat(client.out().lines().findFirst()).contains("n");

      server.destroy(); // as Ctrl-C does
      assertThat(server.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      server.destroyForcibly();
    }
  }

  @Test
  void helpNamesEveryOption() throws Exception {
    ExamplePrograms.Ended ended = ExamplePrograms.run(AvaticaServer.class, "--help");

    assertThat(ended.exitCode()).isZero();
    assertThat(ended.out())
        .contains(
            "--dir=FOLDER",
            "--schema=NAME=FOLDER",
            "--model=FILE",
            "--host=",
            "--port=",
            "--serialization=",
            "--statement-timeout=SECONDS",
            "--shutdown-grace=SECONDS",
            "--log=FORMAT",
            "--log-sql")
        .contains("PROTOBUF", "JSON", "8765");
  }

  @Test
  void nothingToServeIsOneLine() throws Exception {
    ExamplePrograms.Ended ended = ExamplePrograms.run(AvaticaServer.class, "--port", "0");

    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.err().strip())
        .isEqualTo("avatica-server: nothing to serve: give --dir, --schema or --model");
  }

  @Test
  void aMissingFolderIsOneLine() throws Exception {
    ExamplePrograms.Ended ended =
        ExamplePrograms.run(AvaticaServer.class, "--dir", "/no/such/folder", "--port", "0");

    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err().strip()).isEqualTo("avatica-server: not a folder: /no/such/folder");
  }
}
