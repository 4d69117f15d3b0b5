package io.github.lancecalcite.interop;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * lance-core in a process of its own, started when it is first needed and again after it has died.
 *
 * <p>For one thread. What it prints goes to a log file.
 */
final class LanceCoreProcess implements AutoCloseable {
  private static final long SECONDS = 120;

  private final Path log;
  private final Map<String, String> environment;
  private @Nullable Process process;
  private int deaths;

  /**
   * @param environment variables that steer lance-core's writer
   */
  LanceCoreProcess(Path log, Map<String, String> environment) {
    this.log = log;
    this.environment = environment;
  }

  /** How often it died or was ended because it did not answer. */
  int deaths() {
    return deaths;
  }

  /**
   * Waits until a command of {@link LanceCoreServer} is done.
   *
   * @throws LanceCoreFailure with its first line if lance-core failed, died or did not answer
   */
  void call(List<String> request) throws IOException, LanceCoreFailure, InterruptedException {
    Process server = running();
    Answer answer;
    try {
      DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(server.getOutputStream()));
      out.writeInt(request.size());
      for (String text : request) {
        out.writeUTF(text);
      }
      out.flush();
      answer =
          CompletableFuture.supplyAsync(() -> Answer.read(server)).get(SECONDS, TimeUnit.SECONDS);
    } catch (IOException | ExecutionException | TimeoutException e) {
      deaths++;
      close();
      String how = e instanceof TimeoutException ? "gave no answer" : "aborted";
      throw new LanceCoreFailure(request.get(0) + ": the process " + how);
    }
    if (!answer.done) {
      throw new LanceCoreFailure(request.get(0) + ": " + answer.message);
    }
  }

  private record Answer(boolean done, String message) {
    static Answer read(Process server) {
      try {
        // not closed: the stream is the process's
        DataInputStream in = new DataInputStream(server.getInputStream());
        return new Answer(in.readBoolean(), in.readUTF());
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }

  private Process running() throws IOException {
    Process running = process;
    if (running == null || !running.isAlive()) {
      Files.createDirectories(log.toAbsolutePath().getParent());
      ProcessBuilder builder = new ProcessBuilder(command());
      builder.environment().putAll(environment);
      builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
      running = builder.start();
      process = running;
    }
    return running;
  }

  private static List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1g");
    command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    command.add("-classpath");
    command.add(System.getProperty("java.class.path"));
    command.add(LanceCoreServer.class.getName());
    return command;
  }

  /** Ends the process; the next call starts another. */
  @Override
  public void close() {
    Process running = process;
    process = null;
    if (running != null) {
      running.destroyForcibly().onExit().join();
    }
  }
}
