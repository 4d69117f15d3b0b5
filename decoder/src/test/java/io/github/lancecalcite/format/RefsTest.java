package io.github.lancecalcite.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.io.LocalStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RefsTest {
  @TempDir Path folder;

  @Test
  void realTagsAndBranchesAreRead() throws IOException {
    LocalStorage storage = LocalStorage.of(Fixtures.dataset("tags_21"));
    assertThat(Refs.tags(storage).values())
        .containsExactly(
            new Refs.Tag("first", null, 1, Instant.parse("2026-11-30T23:18:24.595236795Z")));
    assertThat(Refs.branches(storage).values())
        .containsExactly(new Refs.Branch("dev", null, 1, Instant.ofEpochSecond(1796080704)));
  }

  @Test
  void oldFilesWithFewKeysAndNewOnesWithMoreAreRead() throws IOException {
    tag("old.json", "{\"version\": 3, \"manifestSize\": 10}");
    tag("new.json", "{\"version\":4,\"branch\":\"a/b\",\"createdAt\":null,\"x\":{\"y\":[1]}}");
    tag("notes.txt", "not a tag");
    branch("a%2Fb.json", "{\"parentVersion\":2,\"parentBranch\":\"c\"}");
    LocalStorage storage = LocalStorage.of(folder);
    assertThat(Refs.tags(storage).values())
        .containsExactly(new Refs.Tag("new", "a/b", 4, null), new Refs.Tag("old", null, 3, null));
    assertThat(Refs.branches(storage).values())
        .containsExactly(new Refs.Branch("a/b", "c", 2, null));
  }

  @Test
  void noFolderMeansNoRefs() throws IOException {
    LocalStorage storage = LocalStorage.of(folder);
    assertThat(Refs.tags(storage)).isEmpty();
    assertThat(Refs.branches(storage)).isEmpty();
  }

  @Test
  void damagedRefsAreCorruptByName() throws IOException {
    assertCorrupt("", "reference: expected a JSON object, found nothing");
    assertCorrupt("[1]", "reference: expected a JSON object, found [1]");
    assertCorrupt("{\"version\":", "reference: expected a JSON object, found ");
    assertCorrupt("{}", "key 'version': expected a version number, found nothing");
    assertCorrupt("{\"version\":\"1\"}", "key 'version': expected a version number, found \"1\"");
    assertCorrupt("{\"version\":1e400}", "key 'version'");
    assertCorrupt("{\"version\":99999999999999999999}", "key 'version'");
    assertCorrupt("{\"version\":1,\"branch\":2}", "key 'branch': expected text, found 2");
    assertCorrupt(
        "{\"version\":1,\"createdAt\":\"soon\"}",
        "key 'createdAt': expected a point in time, found \"soon\"");
    assertCorrupt("{\"a\":".repeat(5000), "reference: expected a JSON object, found ");
  }

  @Test
  void branchNamesCannotLeaveTheDataset() throws IOException {
    LocalStorage storage = LocalStorage.of(folder);
    assertThat(Refs.branchRoot(storage, "a/b").path())
        .isEqualTo(folder.resolve("tree/a/b").toString());
    for (String name : new String[] {"..", "a/../../b", "/etc", "", "a\\..\\b"}) {
      assertThatThrownBy(() -> Refs.branchRoot(storage, name))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("branch name");
    }
  }

  private void assertCorrupt(String json, String message) throws IOException {
    tag("t.json", json);
    assertThatThrownBy(() -> Refs.tags(LocalStorage.of(folder)))
        .as(json)
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining(folder.resolve("_refs/tags/t.json").toString())
        .hasMessageContaining(message);
  }

  private void tag(String file, String json) throws IOException {
    Files.writeString(Files.createDirectories(folder.resolve("_refs/tags")).resolve(file), json);
  }

  private void branch(String file, String json) throws IOException {
    Files.writeString(
        Files.createDirectories(folder.resolve("_refs/branches")).resolve(file), json);
  }
}
