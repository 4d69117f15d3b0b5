package io.github.lancecalcite.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.Dataset;
import org.lance.Version;
import org.lance.schema.SqlExpressions;

/**
 * Writes {@code samples/} with lance-core from the files of the npm package vega-datasets.
 *
 * <p>Arguments: the package's {@code data} folder, the folder to write to. Existing samples are
 * replaced. How to run it, and what each version holds: {@code samples/README.md}.
 */
public final class SampleWriter {
  private SampleWriter() {}

  public static void main(String[] args) throws IOException {
    Path source = Path.of(args[0]);
    Path target = Path.of(args[1]);
    try (BufferAllocator allocator = new RootAllocator()) {
      weather(allocator, new SampleSource.Weather(source), target.resolve("weather.lance"));
      quakes(allocator, new SampleSource.Quakes(source), target.resolve("quakes.lance"));
      airports(allocator, source, target.resolve("airports.lance"));
      flights(allocator, source, target.resolve("flights.lance"));
      for (String table : List.of("weather", "quakes", "airports", "flights")) {
        printHistory(allocator, target.resolve(table + ".lance"));
      }
    }
  }

  private static void weather(BufferAllocator allocator, SampleSource.Weather days, Path to)
      throws IOException {
    LanceWriter writer = fresh(allocator, to, SampleSource.Weather.SCHEMA);
    writer.create(days.between("2012-01-01", "2015-01-01", "2014-11-01"), 366);
    writer.append(days.between("2015-01-01", "2015-07-01", "9999"), 366);
    writer.upsert("date", days.between("2014-11-01", "2015-01-01", "9999"));
    writer.tag("labelled");
    writer.append(days.between("2015-07-01", "2016-01-01", "9999"), 366);
    writer.delete("weather = 'drizzle' and precipitation = 0");
    writer.tag("clean");
  }

  private static void quakes(BufferAllocator allocator, SampleSource.Quakes quakes, Path to)
      throws IOException {
    LanceWriter writer = fresh(allocator, to, SampleSource.Quakes.SCHEMA);
    writer.create(quakes.reported("2018-01-31", "2018-02-04"), 500);
    writer.append(quakes.reported("2018-02-04", "2018-02-05"), 500);
    writer.upsert("id", quakes.reviewed("2018-01-31", "2018-02-04"));
    writer.tag("first-review");
    writer.append(quakes.reported("2018-02-05", "2018-02-06"), 500);
    writer.append(quakes.reported("2018-02-06", "2018-02-08"), 500);
    writer.upsert("id", quakes.reviewed("2018-02-04", "2018-02-08"));
    writer.compact(500);
    writer.delete("kind <> 'earthquake'");
    writer.tag("natural");
  }

  private static void airports(BufferAllocator allocator, Path source, Path to) throws IOException {
    LanceWriter writer = fresh(allocator, to, SampleSource.AIRPORTS);
    writer.create(SampleSource.airports(source), 1000);
    writer.delete("country <> 'USA'");
    writer.on(
        dataset ->
            dataset.addColumns(
                new SqlExpressions.Builder()
                    .withExpression("west_of_100", "longitude < -100")
                    .build(),
                Optional.empty()));
  }

  private static void flights(BufferAllocator allocator, Path source, Path to) throws IOException {
    LanceWriter writer = fresh(allocator, to, SampleSource.FLIGHTS);
    List<Object[]> routes = SampleSource.flights(source);
    int half = routes.size() / 2;
    writer.create(routes.subList(0, half), 10_000);
    writer.append(routes.subList(half, routes.size()), 10_000);
  }

  @SuppressWarnings("SystemOut")
  private static void printHistory(BufferAllocator allocator, Path table) {
    try (Dataset latest = Dataset.open(table.toString(), allocator)) {
      for (Version version : latest.listVersions()) {
        try (Dataset then = latest.checkoutVersion(version.getId())) {
          System.out.printf(
              "%s version %d: %d rows, %d fragments%n",
              table.getFileName(), version.getId(), then.countRows(), then.getFragments().size());
        }
      }
    }
  }

  private static LanceWriter fresh(BufferAllocator allocator, Path to, Schema schema)
      throws IOException {
    if (Files.exists(to)) {
      try (Stream<Path> old = Files.walk(to)) {
        for (Path path : old.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
    Files.createDirectories(to.toAbsolutePath().getParent());
    return new LanceWriter(allocator, to.toString(), schema, "stable", true);
  }
}
