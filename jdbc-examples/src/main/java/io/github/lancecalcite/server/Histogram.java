package io.github.lancecalcite.server;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Durations counted in fixed buckets, as Prometheus reads them. Thread-safe. */
final class Histogram {
  private static final double[] UPPER_SECONDS = {
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300
  };

  /** One more than there are bounds: the last has none. */
  private final LongAdder[] counts = new LongAdder[UPPER_SECONDS.length + 1];

  private final LongAdder nanos = new LongAdder();

  Histogram() {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  void add(long durationNanos) {
    double seconds = durationNanos / 1e9;
    int bucket = 0;
    while (bucket < UPPER_SECONDS.length && seconds > UPPER_SECONDS[bucket]) {
      bucket++;
    }
    counts[bucket].increment();
    nanos.add(durationNanos);
  }

  /**
   * Appends its samples in Prometheus' text format.
   *
   * @param labels {@code name="value"}, or empty
   */
  void write(StringBuilder text, String name, String labels) {
    String and = labels.isEmpty() ? "" : ",";
    long total = 0;
    for (int i = 0; i < counts.length; i++) {
      total += counts[i].sum();
      String bound = i == UPPER_SECONDS.length ? "+Inf" : Double.toString(UPPER_SECONDS[i]);
      text.append(
          String.format(
              Locale.ROOT, "%s_bucket{%s%sle=\"%s\"} %d\n", name, labels, and, bound, total));
    }
    String braces = labels.isEmpty() ? "" : "{" + labels + "}";
    double seconds = (double) nanos.sum() / TimeUnit.SECONDS.toNanos(1);
    text.append(String.format(Locale.ROOT, "%s_sum%s %s\n", name, braces, seconds));
    text.append(String.format(Locale.ROOT, "%s_count%s %d\n", name, braces, total));
  }
}
