package io.github.lancecalcite.server;

import io.github.lancecalcite.examples.ExamplePrograms;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.calcite.avatica.remote.Driver.Serialization;

/** The server in a JVM of its own, over {@link ExamplePrograms#FIXTURE}; killed when closed. */
final class ServerProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private final String url;

  private ServerProcess(Process process, BufferedReader out, String url) {
    this.process = process;
    this.out = out;
    this.url = url;
  }

  static ServerProcess start(Serialization serialization, int port, String... more)
      throws IOException {
    List<String> args = new ArrayList<>();
    args.addAll(List.of("--dir", ExamplePrograms.FIXTURE.toString()));
    args.addAll(List.of("--port", Integer.toString(port)));
    args.addAll(List.of("--serialization", serialization.name()));
    args.addAll(List.of("--log", "none"));
    args.addAll(List.of(more));
    Process process =
        ExamplePrograms.builder(AvaticaServer.class, args.toArray(String[]::new))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader out = process.inputReader();
    String ready = out.readLine();
    if (ready == null || !ready.startsWith("ready: ")) {
      process.destroyForcibly();
      throw new AssertionError("the server did not start: " + ready);
    }
    return new ServerProcess(process, out, ready.substring("ready: ".length()));
  }

  /** What a client connects to. */
  String url() {
    return url;
  }

  int port() {
    String host = url.substring(url.lastIndexOf(':', url.indexOf(";")) + 1, url.indexOf(';'));
    return Integer.parseInt(host);
  }

  /** The next line that it prints. */
  String line() throws IOException {
    return out.readLine();
  }

  /** SIGTERM. */
  void terminate() {
    process.toHandle().destroy(); // destroy() of the process itself would also close its output
  }

  /** SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  int exitCode() throws InterruptedException {
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      throw new AssertionError("the server does not end");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
