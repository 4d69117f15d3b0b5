package io.github.lancecalcite.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.lancecalcite.fuzz.Trial.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damaged files of every kind, made from the fixtures: a reader gives the rows that are there,
 * other values only where nothing can tell, or one of the three errors that name the file; never
 * anything else (but Arrow's, when a lying type asks for memory that the allocator does not give),
 * never forever, never with more memory than a bound, never keeping any.
 *
 * <p>{@code -Dfuzz.inputs=N} tries N inputs instead of the few of every build, {@code
 * -Dfuzz.seed=S} others, {@code -Dfuzz.from=I} begins at input I. An input that fails is left in
 * {@code target/fuzz}, with the command that repeats it.
 */
class FuzzTest {
  private static final int INPUTS = Integer.getInteger("fuzz.inputs", 1600);
  private static final int FROM = Integer.getInteger("fuzz.from", 0);
  private static final long SEED = Long.getLong("fuzz.seed", 1);

  /** Allocated in all while one input is read, garbage included. */
  private static final long HEAP_BYTES = 256L << 20;

  /** The same for each fragment: some damage makes thousands of one, each with its columns. */
  private static final long FRAGMENT_HEAP_BYTES = 4L << 20;

  private static final int MOST_FAILURES = 30;
  private static final Path FAILURES = Path.of("target", "fuzz");

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final FuzzSummary summary = new FuzzSummary();
  private final Map<String, String> failures = new LinkedHashMap<>();
  private int failed;

  @TempDir Path folder;

  @Test
  void damagedFilesAreReadOrRefusedByName() throws Exception {
    FuzzInputs inputs = new FuzzInputs(SEED, folder);
    Thread[] reader = new Thread[1];
    ExecutorService executor =
        Executors.newSingleThreadExecutor(task -> reader[0] = new Thread(task, "fuzz"));
    try {
      for (int i = FROM; i < FROM + INPUTS && failures.size() < MOST_FAILURES; i++) {
        FuzzInputs.Input input = inputs.get(i);
        Files.write(input.file().path(), input.damage().bytes());
        Future<?> done = executor.submit(() -> tryOne(input));
        try {
          done.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
          fail(i, input, e.getCause());
        } catch (TimeoutException e) {
          AssertionError hangs = new AssertionError("still reading after a minute");
          hangs.setStackTrace(reader[0].getStackTrace());
          fail(i, input, hangs);
          break; // the reader never comes back
        }
        Files.write(input.file().path(), input.file().whole());
      }
    } finally {
      executor.shutdownNow();
    }
    System.out.println("seed " + SEED + " from " + FROM + ": " + summary);
    assertThat(failures.values()).as("%d inputs failed; see %s", failed, FAILURES).isEmpty();
    if (INPUTS >= 1000) {
      for (Outcome outcome : Outcome.values()) {
        if (outcome != Outcome.OUT_OF_MEMORY) {
          assertThat(summary.count(outcome)).as("inputs %s", outcome).isPositive();
        }
      }
    }
  }

  private Void tryOne(FuzzInputs.Input input) throws IOException {
    long before = threads.getCurrentThreadAllocatedBytes();
    Trial trial = new Trial(input.dataset(), input.damage(), input.random());
    Outcome outcome = trial.run();
    long heapBytes = threads.getCurrentThreadAllocatedBytes() - before;
    summary.add(input.file().kind() + ", " + input.damage().kind(), outcome, heapBytes);
    if (heapBytes > HEAP_BYTES + trial.fragments() * FRAGMENT_HEAP_BYTES) {
      throw new AssertionError(heapBytes + " bytes of heap");
    }
    return null;
  }

  /** Keeps the damaged file and what it did; of failures of one kind, the first. */
  private void fail(int number, FuzzInputs.Input input, Throwable cause) throws IOException {
    failed++;
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String where =
        Arrays.stream(root.getStackTrace())
            .filter(frame -> frame.getClassName().startsWith("io.github.lancecalcite"))
            .limit(2)
            .toList()
            .toString();
    String kind = cause.getClass() + where + input.damage().demand();
    Path relative = input.dataset().root.relativize(input.file().path());
    String text =
        String.format(
            "input %d: %s, %s: %s: %s: %s",
            number,
            input.dataset().name,
            relative,
            input.damage().kind(),
            input.damage().what(),
            cause);
    if (failures.putIfAbsent(kind, text) == null) {
      Path kept = FAILURES.resolve(SEED + "-" + number);
      Files.createDirectories(kept);
      Files.write(kept.resolve(relative.getFileName().toString()), input.damage().bytes());
      StringWriter trace = new StringWriter();
      cause.printStackTrace(new PrintWriter(trace, true));
      List<String> lines = new ArrayList<>(List.of(text, ""));
      lines.add(
          "repeat with -Dtest=FuzzTest -Dfuzz.inputs=1 -Dfuzz.seed="
              + SEED
              + " -Dfuzz.from="
              + number);
      lines.add(trace.toString());
      Files.write(kept.resolve("failure.txt"), lines);
    }
  }
}
