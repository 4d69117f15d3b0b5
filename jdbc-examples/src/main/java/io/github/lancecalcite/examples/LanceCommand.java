package io.github.lancecalcite.examples;

import io.github.lancecalcite.dataset.SealVerifier;
import io.github.lancecalcite.io.ChecksummedLayout;
import io.github.lancecalcite.io.Sealing;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command line of {@code ./lance}: looks after datasets. */
@Command(
    name = "lance",
    mixinStandardHelpOptions = true,
    version = "lance-calcite 0.1.0-SNAPSHOT",
    description = "Looks after Lance datasets.",
    subcommands = HelpCommand.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Exit codes: 0 done; 1 verify found damage; 2 anything else went wrong.",
      "A sealed dataset is read like any other: ./sqlline -u jdbc:lance:FOLDER"
    })
public final class LanceCommand implements Runnable {
  private static final int DAMAGE = 1;
  private static final int FAILURE = 2;

  @Spec CommandSpec spec;

  /** Made by picocli, which fills in the rest. */
  @SuppressWarnings("NullAway.Init")
  public LanceCommand() {}

  @Option(
      names = "--progress",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "show a progress bar where there is a terminal (default: yes)")
  boolean progress = true;

  /** Runs one command; an interrupt waits until its traces are removed. */
  public static void main(String[] args) {
    Thread worker = Thread.currentThread();
    Thread cleanUp =
        new Thread(
            () -> {
              worker.interrupt();
              try {
                worker.join(10_000);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    Runtime.getRuntime().addShutdownHook(cleanUp);
    int status = run(args);
    try {
      Runtime.getRuntime().removeShutdownHook(cleanUp);
    } catch (IllegalStateException e) {
      return; // shutting down already: the hook waits for this thread
    }
    System.exit(status);
  }

  static int run(String... args) {
    return new CommandLine(new LanceCommand())
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              command.getErr().println("lance: " + message(e));
              return FAILURE;
            })
        .execute(args);
  }

  private static String message(Exception e) {
    if (e instanceof FileAlreadyExistsException exists) {
      return exists.getFile() + " exists already; nothing was done";
    }
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "which command?");
  }

  @Command(
      name = "seal",
      mixinStandardHelpOptions = true,
      description = {
        "Copies a dataset into a form in which every 2,044 bytes carry a checksum.",
        "The copy appears when it is complete and on disk; an interrupt leaves nothing."
      })
  int seal(
      @Parameters(paramLabel = "SRC", description = "a plain dataset") Path source,
      @Parameters(paramLabel = "DST", description = "the sealed copy; must not exist") Path target)
      throws IOException {
    long start = System.nanoTime();
    Bar bar = new Bar();
    Sealing.Summary done;
    try {
      done = Sealing.seal(source, target, ChecksummedLayout.DEFAULT, bar);
    } finally {
      bar.clear();
    }
    out()
        .printf(
            Locale.ROOT,
            "sealed %d files, %,d bytes, as %,d bytes in %s (%.1f s)%n",
            done.files(),
            done.contentBytes(),
            done.blockBytes(),
            target,
            seconds(start));
    return 0;
  }

  @Command(
      name = "unseal",
      mixinStandardHelpOptions = true,
      description = "Restores a sealed dataset byte for byte, verifying it on the way.")
  int unseal(
      @Parameters(paramLabel = "SRC", description = "a sealed dataset") Path source,
      @Parameters(paramLabel = "DST", description = "the plain copy; must not exist") Path target)
      throws IOException {
    long start = System.nanoTime();
    Bar bar = new Bar();
    Sealing.Summary done;
    try {
      done = Sealing.unseal(source, target, bar);
    } finally {
      bar.clear();
    }
    out()
        .printf(
            Locale.ROOT,
            "restored %d files, %,d bytes, in %s (%.1f s)%n",
            done.files(),
            done.contentBytes(),
            target,
            seconds(start));
    return 0;
  }

  @Command(
      name = "verify",
      mixinStandardHelpOptions = true,
      description = {
        "Reads every block of a sealed dataset and reports each bad one, with the fragment and",
        "the column it hits. Exits with 1 if there is any."
      })
  int verify(@Parameters(paramLabel = "DIR", description = "a sealed dataset") Path dataset)
      throws IOException {
    long start = System.nanoTime();
    Bar bar = new Bar();
    SealVerifier.Result result;
    try {
      result = SealVerifier.verify(dataset, bar);
    } finally {
      bar.clear();
    }
    result.findings().forEach(finding -> out().println("BAD " + finding));
    out()
        .printf(
            Locale.ROOT,
            "%s: %d files, %,d blocks, %,d bytes read in %.1f s, %s%n",
            dataset,
            result.files(),
            result.blocks(),
            result.bytes(),
            seconds(start),
            result.findings().isEmpty() ? "all good" : result.findings().size() + " bad");
    out().flush();
    return result.findings().isEmpty() ? 0 : DAMAGE;
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  /** One line on the terminal, redrawn at most ten times a second; none without a terminal. */
  private final class Bar implements Sealing.Progress {
    private static final int WIDTH = 30;
    private final boolean shown = progress && System.console() != null;
    private long drawn = System.nanoTime();

    @Override
    public void at(long bytes, long ofBytes, String file) {
      long now = System.nanoTime();
      if (!shown || now - drawn < 100_000_000) {
        return;
      }
      drawn = now;
      int full = ofBytes == 0 ? WIDTH : (int) (bytes * WIDTH / ofBytes);
      String name = file.length() <= 36 ? file : "…" + file.substring(file.length() - 35);
      System.err.printf(
          Locale.ROOT,
          "\r\033[K[%s%s] %3d %% %s",
          "#".repeat(full),
          ".".repeat(WIDTH - full),
          ofBytes == 0 ? 100 : bytes * 100 / ofBytes,
          name);
    }

    void clear() {
      if (shown) {
        System.err.print("\r\033[K");
      }
    }
  }
}
