package io.github.lancecalcite.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.io.PositionalReader;
import io.github.lancecalcite.io.Storage;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The names a dataset gives to versions: one small JSON file each, in {@code _refs/tags} and {@code
 * _refs/branches}. Keys this reader does not know are passed over.
 */
public final class Refs {
  private static final String BRANCH_FOLDER = "tree";
  private static final String TAGS = "_refs/tags";
  private static final String BRANCHES = "_refs/branches";
  private static final String SUFFIX = ".json";

  /** A reference holds a handful of short values. */
  private static final int MAX_BYTES = 1 << 20;

  private static final ObjectMapper JSON = new ObjectMapper();

  private Refs() {}

  /**
   * A name for a version.
   *
   * @param branch the branch the version is on, or null for the main branch
   * @param createdAt when the tag was made, or null where the file does not say
   */
  public record Tag(
      String name, @Nullable String branch, long version, @Nullable Instant createdAt) {}

  /**
   * A line of history beside the main one.
   *
   * @param parentBranch the branch it left, or null for the main branch
   * @param parentVersion the version it left at
   * @param createdAt when it was made, or null where the file does not say
   */
  public record Branch(
      String name,
      @Nullable String parentBranch,
      long parentVersion,
      @Nullable Instant createdAt) {}

  /** All tags by name. */
  public static TreeMap<String, Tag> tags(Storage storage) throws IOException {
    TreeMap<String, Tag> tags = new TreeMap<>();
    for (Map.Entry<String, Ref> entry : read(storage, TAGS).entrySet()) {
      Ref ref = entry.getValue();
      tags.put(
          entry.getKey(),
          new Tag(
              entry.getKey(), ref.text("branch"), ref.version("version"), ref.time("createdAt")));
    }
    return tags;
  }

  /** All branches by name. */
  public static TreeMap<String, Branch> branches(Storage storage) throws IOException {
    TreeMap<String, Branch> branches = new TreeMap<>();
    for (Map.Entry<String, Ref> entry : read(storage, BRANCHES).entrySet()) {
      Ref ref = entry.getValue();
      branches.put(
          entry.getKey(),
          new Branch(
              entry.getKey(),
              ref.text("parentBranch"),
              ref.version("parentVersion"),
              ref.time("createAt")));
    }
    return branches;
  }

  /** The root of a branch's own manifests and files: {@code tree/<branch>}. */
  public static Storage branchRoot(Storage storage, String branch) throws IOException {
    for (String step : branch.split("[/\\\\]", -1)) {
      if (step.isEmpty() || step.equals("..")) {
        throw new CorruptFileException(
            storage.path(), -1, "branch name", "a name below " + BRANCH_FOLDER, branch);
      }
    }
    return storage.resolve(BRANCH_FOLDER + "/" + branch);
  }

  private static TreeMap<String, Ref> read(Storage storage, String folder) throws IOException {
    TreeMap<String, Ref> refs = new TreeMap<>();
    for (String file : storage.list(folder)) {
      if (file.endsWith(SUFFIX) && !file.startsWith(".")) {
        String stem = file.substring(0, file.length() - SUFFIX.length());
        String name = stem.replace("%2F", "/").replace("%2f", "/");
        refs.put(name, Ref.read(storage, folder + "/" + file));
      }
    }
    return refs;
  }

  /** The JSON object of one reference and the file it stands in. */
  private record Ref(String path, JsonNode json) {
    static Ref read(Storage storage, String name) throws IOException {
      try (PositionalReader file = storage.open(name)) {
        if (file.size() > MAX_BYTES) {
          throw new CorruptFileException(
              file.path(), -1, "reference size", "at most " + MAX_BYTES + " bytes", file.size());
        }
        JsonNode json = JSON.readTree(file.read(0, (int) file.size()));
        if (json == null || !json.isObject()) {
          throw new CorruptFileException(
              file.path(),
              0,
              "reference",
              "a JSON object",
              json == null || json.isMissingNode() ? "nothing" : json);
        }
        return new Ref(file.path(), json);
      } catch (JsonProcessingException e) {
        throw new CorruptFileException(
            storage.path() + "/" + name,
            e.getLocation() == null ? -1 : e.getLocation().getByteOffset(),
            "reference",
            "a JSON object",
            e.getOriginalMessage(),
            e);
      }
    }

    @Nullable String text(String key) throws CorruptFileException {
      JsonNode value = json.get(key);
      if (value == null || value.isNull()) {
        return null;
      }
      if (!value.isTextual()) {
        throw corrupt(key, "text", value);
      }
      return value.textValue();
    }

    long version(String key) throws CorruptFileException {
      JsonNode value = json.get(key);
      if (value == null || !value.isIntegralNumber() || !value.canConvertToLong()) {
        throw corrupt(key, "a version number", value);
      }
      return value.longValue();
    }

    /** ISO text or seconds since the epoch: writers use both. */
    @Nullable Instant time(String key) throws CorruptFileException {
      JsonNode value = json.get(key);
      if (value == null || value.isNull()) {
        return null;
      }
      try {
        if (value.isTextual()) {
          return java.time.OffsetDateTime.parse(value.textValue()).toInstant();
        }
        if (value.isIntegralNumber() && value.canConvertToLong()) {
          return Instant.ofEpochSecond(value.longValue());
        }
      } catch (DateTimeException e) {
        throw corrupt(key, "a point in time", value);
      }
      throw corrupt(key, "a point in time", value);
    }

    private CorruptFileException corrupt(String key, String expected, @Nullable JsonNode value) {
      return new CorruptFileException(
          path, -1, "key '" + key + "'", expected, value == null ? "nothing" : value.toString());
    }
  }
}
