package io.github.lancecalcite.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.lancecalcite.examples.ExamplePrograms;
import io.github.lancecalcite.examples.SqlPrompt;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the sessions of {@code docs/server.md} in one shell and one folder. In a block of {@code
 * console} a line that begins with {@code $} is a command, the others are what it must print;
 * times, and ids of statements, may be others.
 */
@DisabledOnOs(OS.WINDOWS) // a shell, kill
@Timeout(120)
class ServerPageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("repo.root")).resolve("docs/server.md");
  private static final String PROMPT = "$ ";
  private static final String END = "--- end of command ---";

  @TempDir Path folder;

  @Test
  void everyCommandPrintsWhatThePageShows() throws Exception {
    List<String> page = Files.readAllLines(PAGE);
    List<String> shown = new ArrayList<>();
    boolean inside = false;
    for (String line : page) {
      if (inside && !line.equals("```")) {
        shown.add(line);
      }
      inside = line.equals("```console") || inside && !line.equals("```");
    }
    List<String> commands = shown.stream().filter(line -> line.startsWith(PROMPT)).toList();
    assertThat(commands).hasSizeGreaterThan(15);

    List<String> printed = run(commands);

    assertThat(plain(printed)).isEqualTo(plain(shown));
  }

  /** Commands, each with its output after it. */
  private List<String> run(List<String> commands) throws Exception {
    program("avatica-server", ExamplePrograms.builder(AvaticaServer.class));
    program(
        "sqlline",
        ExamplePrograms.builder(
            SqlPrompt.class,
            "--connectInteractionMode=useNPTogetherOrEmpty",
            "--isolation=TRANSACTION_NONE",
            "--maxWidth=1000000"));
    Path samples = Files.createSymbolicLink(folder.resolve("samples"), Clients.SAMPLES);
    Map<String, String> ports = new TreeMap<>();
    ports.put("8765", freePort());
    ports.put("8766", freePort());
    List<String> script = new ArrayList<>();
    script.add("trap 'kill $(jobs -p) 2> /dev/null' EXIT");
    for (String command : commands) {
      String line = command.substring(PROMPT.length());
      if (line.contains("./avatica-server --dir") && !line.contains("--port")) {
        line = line.replace("./avatica-server", "./avatica-server --port " + ports.get("8765"));
      }
      script.add(replaced(line, ports, false));
      if (line.endsWith("&")) { // whoever types is slower than the server
        String output = line.replaceFirst(".*[^2]> (\\S+).*", "$1");
        script.add("until grep -q ready " + output + "; do sleep 0.1; done");
      }
      script.add("echo '" + END + "'");
    }
    Files.write(folder.resolve("script"), script);
    Path output = folder.resolve("output");
    Process shell =
        new ProcessBuilder("bash", "script")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    shell.getOutputStream().close();
    if (!shell.waitFor(100, TimeUnit.SECONDS)) {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly();
      throw new AssertionError("does not end; it printed " + Files.readString(output));
    }
    Files.delete(samples);
    List<String> printed = new ArrayList<>();
    int command = 0;
    printed.add(commands.get(0));
    for (String line : Files.readAllLines(output)) {
      if (!line.equals(END)) {
        printed.add(replaced(line, ports, true));
      } else if (++command < commands.size()) {
        printed.add(commands.get(command));
      }
    }
    return printed;
  }

  private static String replaced(String line, Map<String, String> ports, boolean back) {
    String result = line;
    for (Map.Entry<String, String> port : ports.entrySet()) {
      result =
          back
              ? result.replace(port.getValue(), port.getKey())
              : result.replace(port.getKey(), port.getValue());
    }
    return result;
  }

  /** Lines without what differs from run to run. */
  private static List<String> plain(List<String> lines) {
    return lines.stream()
        .map(line -> line.replaceAll("selected \\([0-9.]+ seconds\\)", "selected (in time)"))
        .map(line -> line.replaceAll("\"time\":\"[-0-9T:.]+Z\"", "\"time\":\"now\""))
        .map(line -> line.replaceAll("\"(statement|duration_ms|worked_ms)\":\\d+", "\"$1\":1"))
        .toList();
  }

  private void program(String name, ProcessBuilder as) throws IOException {
    String command =
        as.command().stream()
            .map(word -> "'" + word.replace("'", "'\\''") + "'")
            .collect(Collectors.joining(" "));
    Path file =
        Files.writeString(
            folder.resolve(name), "#!/usr/bin/env bash\nexec " + command + " \"$@\"\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private static String freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return Integer.toString(socket.getLocalPort());
    }
  }
}
