package io.github.lancecalcite.sqltests;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** What came of the comparisons, counted per side; printed once at the end. */
final class Tally {
  private final TreeMap<String, Counts> sides = new TreeMap<>();
  private final List<String> refusals = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  private static final class Counts {
    int equal;
    int refused;
    int failed;
    long rows;
    long cells;
  }

  /** Rows and cells that one side has read and found equal. */
  static final class Work {
    long rows;
    long cells;

    void add(long moreRows, long moreCells) {
      rows += moreRows;
      cells += moreCells;
    }
  }

  private Counts side(String side) {
    return sides.computeIfAbsent(side, s -> new Counts());
  }

  synchronized void equal(String side, Work work) {
    Counts counts = side(side);
    counts.equal++;
    counts.rows += work.rows;
    counts.cells += work.cells;
  }

  synchronized void refused(String side, String name, String why) {
    side(side).refused++;
    refusals.add("refused  " + side + "  " + name + ": " + why);
  }

  synchronized void failed(String side, String name, String why) {
    side(side).failed++;
    failures.add("FAILED   " + side + "  " + name + ": " + why);
  }

  /** One line per refusal and failure, then one per side. */
  synchronized String report() {
    StringBuilder text = new StringBuilder();
    refusals.stream().sorted().forEach(line -> text.append(line).append('\n'));
    failures.stream().sorted().forEach(line -> text.append(line).append('\n'));
    sides.forEach(
        (side, c) ->
            text.append(
                String.format(
                    "%s: %d datasets equal, %d refused by name, %d failed; %,d rows, %,d cells"
                        + " compared%n",
                    side, c.equal, c.refused, c.failed, c.rows, c.cells)));
    return text.toString();
  }
}
