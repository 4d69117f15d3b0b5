package io.github.lancecalcite.examples;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a main of this module in a JVM of its own, as a user would, and keeps what it printed. */
public final class ExamplePrograms {
  /** A folder with one small dataset, {@code data}, of seven versions. */
  public static final Path FIXTURE =
      Path.of(System.getProperty("repo.root"))
          .resolve("sql-tests/src/test/resources/fixtures/versions_stable_21");

  /** What a program left: its exit code and both streams as text. */
  public record Ended(int exitCode, String out, String err) {}

  private ExamplePrograms() {}

  public static Ended run(Class<?> main, String... args) throws IOException, InterruptedException {
    Path out = Files.createTempFile("example", ".out");
    Path err = Files.createTempFile("example", ".err");
    try {
      Process process =
          builder(main, args).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      process.getOutputStream().close();
      if (!process.waitFor(2, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new AssertionError(
            main.getSimpleName() + " did not end; it printed " + text(out) + text(err));
      }
      return new Ended(process.exitValue(), text(out), text(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  public static ProcessBuilder builder(Class<?> main, String... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (Runtime.version().feature() >= 24) {
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Dorg.jline.terminal.dumb=true"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command);
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }
}
