package io.github.lancecalcite.interop;

import java.util.SortedMap;
import java.util.TreeMap;

/** What the random datasets of a run came to. */
final class InteropStatistics {
  private static final int REASON_CHARS = 110;
  private static final int EXAMPLE_CHARS = 160;

  private final long start = System.nanoTime();
  private final SortedMap<String, Integer> lanceCoreCouldNot = new TreeMap<>();
  private final SortedMap<String, Integer> lanceCoreWrong = new TreeMap<>();

  /** The first of each kind. */
  private final SortedMap<String, String> examples = new TreeMap<>();

  /** Being compared at present. */
  long seed;

  int datasets;
  int neverWritten;
  int versions;
  int columns;
  int commits;
  long rows;
  long cellsAgainstLanceCore;
  long cellsAgainstWritten;
  long cellsInRanges;
  int ranges;

  /** Counts something that lance-core failed to do, by what it said. */
  void couldNot(LanceCoreFailure failure) {
    lanceCoreCouldNot.merge(reason(String.valueOf(failure.getMessage())), 1, Integer::sum);
  }

  /** Counts a column that lance-core reads or stores otherwise than it was written. */
  void wrong(String what, String example) {
    lanceCoreWrong.merge(what, 1, Integer::sum);
    String line = example.lines().findFirst().orElse("");
    examples.putIfAbsent(
        what, "seed " + seed + ": " + line.substring(0, Math.min(EXAMPLE_CHARS, line.length())));
  }

  private static String reason(String message) {
    String line = message.lines().findFirst().orElse("").replaceAll("[0-9]+", "#");
    return line.substring(0, Math.min(REASON_CHARS, line.length()));
  }

  int failedCommits() {
    return lanceCoreCouldNot.values().stream().mapToInt(Integer::intValue).sum();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            "%d datasets (%d more never written), %d commits, %d versions, %d columns, %,d rows%n",
            datasets, neverWritten, commits, versions, columns, rows));
    text.append(
        String.format(
            "cells equal: %,d with what lance-core reads, %,d with what was written,"
                + " %,d in %d row ranges and takes; %d s%n",
            cellsAgainstLanceCore,
            cellsAgainstWritten,
            cellsInRanges,
            ranges,
            (System.nanoTime() - start) / 1_000_000_000L));
    add(text, "lance-core could not", lanceCoreCouldNot);
    add(text, "lance-core has other values than were written", lanceCoreWrong);
    examples.forEach((what, example) -> text.append(String.format("  %s: %s%n", what, example)));
    return text.toString();
  }

  private static void add(StringBuilder text, String title, SortedMap<String, Integer> counts) {
    int all = counts.values().stream().mapToInt(Integer::intValue).sum();
    text.append(title).append(": ").append(all).append(System.lineSeparator());
    counts.forEach((what, n) -> text.append(String.format("  %4d  %s%n", n, what)));
  }
}
