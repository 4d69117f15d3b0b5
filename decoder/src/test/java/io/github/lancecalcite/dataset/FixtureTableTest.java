package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.format.DataFile;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.DeletionFile;
import io.github.lancecalcite.format.FileVersion;
import io.github.lancecalcite.format.U64Segment;
import io.github.lancecalcite.format.VersionRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every fixture's metadata against what its writer said about it. */
class FixtureTableTest {
  private final RootAllocator allocator = new RootAllocator();

  static List<String> names() {
    return Fixtures.names();
  }

  @AfterEach
  void noMemoryIsLeft() {
    allocator.close();
  }

  @ParameterizedTest
  @MethodSource("names")
  void versionsAreThoseOfTheWriter(String name) throws IOException {
    JsonNode meta = Fixtures.meta(name);
    try (Dataset dataset = Dataset.open(Fixtures.dataset(name), allocator)) {
      assertThat(dataset.versionNumber()).isEqualTo(meta.path("latestVersion").longValue());
      assertThat(dataset.countRows()).isEqualTo(meta.path("rows").longValue());
      assertThat(dataset.manifest().hasStableRowIds())
          .isEqualTo(meta.path("stableRowIds").booleanValue());
      List<Version> versions = dataset.versions();
      assertThat(versions).last().extracting(Version::version).isEqualTo(dataset.versionNumber());
      JsonNode expected = meta.path("versions");
      for (int i = 0; i < expected.size(); i++) {
        JsonNode version = expected.get(i);
        assertThat(versions.get(i).version()).isEqualTo(version.path("id").longValue());
        assertThat(versions.get(i).timestamp())
            .isEqualTo(Instant.parse(version.path("time").textValue()));
        assertThat(versions.get(i).rows()).isEqualTo(version.path("rows").longValue());
        assertThat(versions.get(i).fragments()).isEqualTo(version.path("fragments").intValue());
        try (Dataset old = dataset.version(version.path("id").longValue())) {
          assertThat(old.countRows()).isEqualTo(version.path("rows").longValue());
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void fragmentsAndFilesAreThoseOfTheWriter(String name) throws IOException {
    JsonNode expected = Fixtures.meta(name).path("fragments");
    try (Dataset dataset = Dataset.open(Fixtures.dataset(name), allocator)) {
      List<Fragment> listed = dataset.fragments();
      List<DataFragment> fragments = dataset.manifest().fragments();
      assertThat(fragments).hasSize(expected.size());
      for (int i = 0; i < expected.size(); i++) {
        assertFragment(expected.get(i), listed.get(i), fragments.get(i));
        assertSequences(expected.get(i), dataset.files(), fragments.get(i));
      }
    }
  }

  private static void assertFragment(JsonNode expected, Fragment listed, DataFragment fragment) {
    assertThat(listed.id()).isEqualTo(fragment.id()).isEqualTo(expected.path("id").longValue());
    assertThat(listed.physicalRows()).isEqualTo(expected.path("physicalRows").longValue());
    JsonNode deletions = expected.path("deletions");
    DeletionFile file = fragment.deletionFile();
    assertThat(file == null).isEqualTo(!deletions.isObject());
    if (file != null) {
      assertThat(listed.deletedRows()).isEqualTo(deletions.path("count").longValue());
      assertThat(file.kind().toString()).contains(deletions.path("type").textValue());
      assertThat(file.readVersion()).isEqualTo(deletions.path("readVersion").longValue());
      assertThat(Long.toUnsignedString(file.id())).isEqualTo(deletions.path("id").asText());
    }
    assertThat(listed.dataFiles()).isEqualTo(expected.path("files").size());
    for (int i = 0; i < fragment.files().size(); i++) {
      assertFile(expected.path("files").get(i), fragment.files().get(i));
    }
    JsonNode segments = expected.path("rowIdSegments");
    assertThat(listed.rowIdSegments()).isEqualTo(count(segments));
    assertThat(fragment.rowIds() == null).isEqualTo(segments.isMissingNode());
    assertThat(fragment.createdAt() == null).isEqualTo(expected.path("createdAt").isMissingNode());
    assertThat(fragment.lastUpdatedAt() == null)
        .isEqualTo(expected.path("lastUpdatedAt").isMissingNode());
  }

  private static void assertSequences(JsonNode expected, DatasetFiles files, DataFragment fragment)
      throws IOException {
    List<U64Segment> rowIds = files.rowIds(fragment);
    if (rowIds != null) {
      assertTexts(expected.path("rowIdSegments"), rowIds.stream().map(SegmentText::of).toList());
    }
    if (fragment.createdAt() != null) {
      assertRuns(expected.path("createdAt"), files.versionRuns(fragment.createdAt()));
    }
    if (fragment.lastUpdatedAt() != null) {
      assertRuns(expected.path("lastUpdatedAt"), files.versionRuns(fragment.lastUpdatedAt()));
    }
  }

  private static void assertRuns(JsonNode expected, List<VersionRun> runs) {
    assertTexts(
        expected,
        runs.stream().map(run -> "v" + run.version() + ":" + SegmentText.of(run.span())).toList());
  }

  /** A long list ends in "... 41 in all". */
  private static void assertTexts(JsonNode expected, List<String> actual) {
    assertThat(actual).hasSize(count(expected));
    int shown = actual.size() == expected.size() ? actual.size() : expected.size() - 1;
    for (int i = 0; i < shown; i++) {
      assertThat(actual.get(i)).isEqualTo(expected.get(i).textValue());
    }
  }

  private static void assertFile(JsonNode expected, DataFile file) {
    assertThat(file.path()).isEqualTo(expected.path("path").textValue());
    assertThat(file.fields()).isEqualTo(integers(expected.path("fields")));
    assertThat(file.columnIndices()).isEqualTo(integers(expected.path("columnIndices")));
    assertThat(new FileVersion(file.majorVersion(), file.minorVersion()))
        .hasToString(expected.path("version").textValue());
    assertThat(file.fileSizeBytes()).isEqualTo(expected.path("size").longValue());
    assertThat(file.baseId()).isNull();
  }

  /** A long list ends in "... 41 in all". */
  private static int count(JsonNode segments) {
    String last = segments.isEmpty() ? "" : segments.get(segments.size() - 1).textValue();
    return last.startsWith("... ") ? Integer.parseInt(last.split(" ")[1]) : segments.size();
  }

  private static List<Integer> integers(JsonNode array) {
    List<Integer> result = new ArrayList<>();
    array.forEach(element -> result.add(element.intValue()));
    return result;
  }

  @ParameterizedTest
  @MethodSource("names")
  void schemaIsTheOneLanceReports(String name) throws IOException {
    try (Dataset dataset = Dataset.open(Fixtures.dataset(name), allocator)) {
      JsonNode expected = Fixtures.schema(name).path("fields");
      List<Field> fields = dataset.schema().getFields();
      assertThat(fields).hasSize(expected.size());
      for (int i = 0; i < fields.size(); i++) {
        assertField(name, expected.get(i), fields.get(i));
      }
    }
  }

  private static void assertField(String fixture, JsonNode expected, Field field) {
    assertThat(field.getName()).isEqualTo(expected.path("name").textValue());
    assertThat(field.isNullable()).isEqualTo(expected.path("nullable").booleanValue());
    if (field.getMetadata().containsKey("lance-encoding:blob")
        || "lance.blob.v2".equals(field.getMetadata().get("ARROW:extension:name"))) {
      // the schema tells what was written, a scan returns where it is
      assertThat(field.getChildren()).extracting(Field::getName).contains("position", "size");
      return;
    }
    if (fixture.startsWith("dict") && field.getName().equals("d")) {
      // Arrow's Java schema of a dictionary column is that of its index
      assertThat(field.getType().toString()).isEqualTo("Utf8");
      return;
    }
    assertThat(describe(field)).as(field.getName()).isEqualTo(expected.path("type"));
    assertThat(field.getChildren()).hasSize(expected.path("children").size());
    for (int i = 0; i < field.getChildren().size(); i++) {
      assertField(fixture, expected.path("children").get(i), field.getChildren().get(i));
    }
  }

  /** Arrow's own JSON form of a type, which is what lance-core's reader printed. */
  private static JsonNode describe(Field field) {
    String json = new Schema(List.of(field)).toJson();
    try {
      return new ObjectMapper().readTree(json).path("fields").path(0).path("type");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
