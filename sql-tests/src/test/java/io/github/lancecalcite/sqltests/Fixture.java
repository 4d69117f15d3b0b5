package io.github.lancecalcite.sqltests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * One dataset with the rows that lance-core read from it.
 *
 * <p>Layout of the folder: {@code data.lance/}, {@code meta.json}, {@code schema.json}, {@code
 * expected.jsonl[.gz]} for the latest version and {@code expected.vN.jsonl[.gz]} for others; or
 * {@code expected.rowid-deltas.txt.gz} with one row-id difference per row.
 *
 * @param name of the folder
 * @param folder where all of it lies
 */
public record Fixture(String name, Path folder) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DELTAS = "expected.rowid-deltas.txt.gz";

  /** The fixtures in a folder, by name. */
  static List<Fixture> in(Path root) throws IOException {
    try (Stream<Path> folders = Files.list(root)) {
      return folders
          .filter(folder -> Files.exists(folder.resolve("meta.json")))
          .map(folder -> new Fixture(folder.getFileName().toString(), folder))
          .sorted((a, b) -> a.name.compareTo(b.name))
          .toList();
    }
  }

  /**
   * The folder to compare: the system property {@code fixtures}, relative to the checkout, or the
   * copy in the repository.
   */
  static Path root() {
    String given = System.getProperty("fixtures", "");
    Path checkout = Checkout.root();
    return given.isEmpty()
        ? checkout.resolve("sql-tests/src/test/resources/fixtures")
        : checkout.resolve(given).normalize();
  }

  Path dataset() {
    return folder.resolve("data.lance");
  }

  JsonNode meta() throws IOException {
    return JSON.readTree(folder.resolve("meta.json").toFile());
  }

  /** The Arrow schema of the latest version, as lance-core reports it. */
  JsonNode schema() throws IOException {
    return JSON.readTree(folder.resolve("schema.json").toFile());
  }

  /** Versions with a dump; the latest under its number. */
  List<Long> versions() throws IOException {
    TreeMap<Long, Path> versions = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.startsWith("expected.v")) {
          versions.put(Long.valueOf(name.split("\\.")[1].substring(1)), file);
        }
      }
    }
    versions.put(latestVersion(), folder);
    return List.copyOf(versions.keySet());
  }

  long latestVersion() throws IOException {
    return meta().get("latestVersion").longValue();
  }

  /** The rows of a version in scan order: one JSON object each. */
  List<JsonNode> rows(long version) throws IOException {
    if (version == latestVersion() && Files.exists(folder.resolve(DELTAS))) {
      return rowsFromDeltas();
    }
    String stem = version == latestVersion() ? "expected.jsonl" : "expected.v" + version + ".jsonl";
    Path plain = folder.resolve(stem);
    List<JsonNode> rows = new ArrayList<>();
    for (String line : lines(Files.exists(plain) ? plain : folder.resolve(stem + ".gz"))) {
      rows.add(JSON.readTree(line));
    }
    return rows;
  }

  /** Row id = row address there: one fragment whose ids count from 0; all else is constant. */
  private List<JsonNode> rowsFromDeltas() throws IOException {
    List<JsonNode> rows = new ArrayList<>();
    long id = -1;
    for (String line : lines(folder.resolve(DELTAS))) {
      id += Long.parseLong(line.trim());
      rows.add(
          JSON.createObjectNode()
              .put("k", 0)
              .put("_rowid", id)
              .put("_rowaddr", id)
              .put("_row_created_at_version", 1)
              .put("_row_last_updated_at_version", 1));
    }
    return rows;
  }

  private static List<String> lines(Path file) throws IOException {
    try (InputStream raw = Files.newInputStream(file);
        InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return reader.lines().filter(line -> !line.isBlank()).toList();
    }
  }
}
