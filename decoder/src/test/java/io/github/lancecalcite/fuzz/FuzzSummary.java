package io.github.lancecalcite.fuzz;

import io.github.lancecalcite.fuzz.Trial.Outcome;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** How often which damage had which outcome. */
final class FuzzSummary {
  private final Map<String, EnumMap<Outcome, Integer>> counts = new TreeMap<>();
  private int inputs;
  private long mostHeapBytes;

  void add(String kind, Outcome outcome, long heapBytes) {
    counts.computeIfAbsent(kind, k -> new EnumMap<>(Outcome.class)).merge(outcome, 1, Integer::sum);
    inputs++;
    mostHeapBytes = Math.max(mostHeapBytes, heapBytes);
  }

  int count(Outcome outcome) {
    return counts.values().stream().mapToInt(row -> row.getOrDefault(outcome, 0)).sum();
  }

  int kinds() {
    return counts.size();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(String.format("%-44s", inputs + " damaged files"));
    for (Outcome outcome : Outcome.values()) {
      text.append(String.format("%14s", outcome));
    }
    counts.forEach(
        (kind, row) -> {
          text.append(String.format("%n%-44s", kind));
          for (Outcome outcome : Outcome.values()) {
            text.append(String.format("%14d", row.getOrDefault(outcome, 0)));
          }
        });
    return text.append(String.format("%nmost heap one input allocated: %,d bytes", mostHeapBytes))
        .toString();
  }
}
