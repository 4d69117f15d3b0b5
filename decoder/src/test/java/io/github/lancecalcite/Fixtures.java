package io.github.lancecalcite;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** The datasets that lance-core wrote for the tests, and what it read back from them. */
public final class Fixtures {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Fixtures() {}

  /** The folder of all fixtures: system property {@code fixtures}, else the copy in the repo. */
  public static Path root() {
    String given = System.getProperty("fixtures", "");
    Path root =
        given.isEmpty()
            ? Path.of(
                System.getProperty("repo.root", ".."), "sql-tests/src/test/resources/fixtures")
            : Path.of(given);
    if (!Files.isDirectory(root)) {
      throw new IllegalStateException("no fixtures in " + root.toAbsolutePath());
    }
    return root;
  }

  /** Folder names of all fixtures, sorted. */
  public static List<String> names() {
    try (Stream<Path> entries = Files.list(root())) {
      List<String> names =
          entries
              .filter(entry -> Files.isRegularFile(entry.resolve("meta.json")))
              .map(entry -> entry.getFileName().toString())
              .sorted()
              .toList();
      if (names.isEmpty()) {
        throw new IllegalStateException("no fixtures in " + root().toAbsolutePath());
      }
      return names;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The dataset of a fixture. */
  public static Path dataset(String name) {
    return root().resolve(name).resolve("data.lance");
  }

  /** What the writer says about a fixture. */
  public static JsonNode meta(String name) throws IOException {
    return JSON.readTree(root().resolve(name).resolve("meta.json").toFile());
  }

  /** The Arrow schema of a fixture as lance-core reports it. */
  public static JsonNode schema(String name) throws IOException {
    return JSON.readTree(root().resolve(name).resolve("schema.json").toFile());
  }

  /** The rows of the latest version in scan order, one JSON object each. */
  public static List<JsonNode> rows(String name) throws IOException {
    return rows(name, "expected.jsonl");
  }

  /** The rows of a version, where the fixture has them. */
  public static List<JsonNode> rows(String name, long version) throws IOException {
    return rows(name, "expected.v" + version + ".jsonl");
  }

  private static List<JsonNode> rows(String name, String file) throws IOException {
    List<JsonNode> rows = new ArrayList<>();
    for (String line : lines(name, file)) {
      rows.add(JSON.readTree(line));
    }
    return rows;
  }

  /** The lines of a file of a fixture, unpacked if only {@code file + ".gz"} is there. */
  public static List<String> lines(String name, String file) throws IOException {
    Path plain = root().resolve(name).resolve(file);
    Path packed = root().resolve(name).resolve(file + ".gz");
    try (InputStream in =
            Files.exists(plain)
                ? Files.newInputStream(plain)
                : new GZIPInputStream(Files.newInputStream(packed));
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return reader.lines().toList();
    }
  }

  /** Copies a dataset into a folder that the test may damage; returns the copy. */
  public static Path copy(String name, Path into) throws IOException {
    Path from = dataset(name);
    Path to = into.resolve(name + ".lance");
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
    return to;
  }
}
