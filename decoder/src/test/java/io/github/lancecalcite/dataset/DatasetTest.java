package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.UnixOperatingSystemMXBean;
import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.NotFoundException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.Manifest;
import io.github.lancecalcite.format.ManifestFiles;
import io.github.lancecalcite.format.Refs;
import io.github.lancecalcite.format.SequenceMetadata;
import io.github.lancecalcite.format.U64Segment;
import io.github.lancecalcite.format.proto.TableProto;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetTest {
  @TempDir Path folder;
  private final RootAllocator allocator = new RootAllocator();

  @AfterEach
  void noMemoryIsLeft() {
    allocator.close();
  }

  @Test
  void missingFolderIsNotFound() {
    assertNotFound(folder.resolve("x"), "(there is no such folder)");
  }

  @Test
  void folderThatIsNoDatasetIsNotFoundAndNamesDatasetsInside() throws IOException {
    assertNotFound(folder, "(it has no folder _versions)");
    Files.createDirectories(folder.resolve("b.lance"));
    Files.createDirectories(folder.resolve("a.lance"));
    assertNotFound(folder, "(it has no folder _versions, but holds a.lance, b.lance)");
    Files.createDirectory(folder.resolve("_versions"));
    assertNotFound(folder, "(its folder _versions has no manifest)");
    Files.writeString(folder.resolve("file"), "");
    assertNotFound(folder.resolve("file"), "(it has no folder _versions)");
  }

  private void assertNotFound(Path path, String why) {
    assertThatThrownBy(() -> Dataset.open(path, allocator))
        .isInstanceOf(NotFoundException.class)
        .hasMessage("dataset not found in " + path + " " + why);
  }

  @Test
  void missingVersionNamesTheVersionsThereAre() throws IOException {
    try (Dataset dataset = Dataset.open(Fixtures.dataset("versions_stable_21"), allocator)) {
      long latest = dataset.versionNumber();
      assertThatThrownBy(() -> dataset.version(99))
          .isInstanceOf(NotFoundException.class)
          .hasMessage(
              "version 99 not found in " + dataset.path() + " (versions 1 to " + latest + ")");
      assertThatThrownBy(() -> dataset.version(0)).isInstanceOf(NotFoundException.class);
      assertThatThrownBy(() -> dataset.version(-1)).isInstanceOf(NotFoundException.class);
    }
  }

  /** Every commit time of the fixture, as another reader of the manifests prints them. */
  @Test
  void instantLeadsToTheLastVersionCommittedByThen() throws IOException {
    List<Instant> commits =
        Stream.of(
                "334190730",
                "339983153",
                "346212287",
                "360928235",
                "371686398",
                "383718410",
                "389845989")
            .map(nanos -> Instant.parse("2026-11-30T23:18:21." + nanos + "Z"))
            .toList();
    // from any version of the line the answer is the same
    try (Dataset latest = Dataset.open(Fixtures.dataset("versions_stable_21"), allocator);
        Dataset dataset = latest.version(2)) {
      for (int i = 0; i < commits.size(); i++) {
        Instant commit = commits.get(i);
        assertThat(dataset.versionAt(commit).versionNumber()).isEqualTo(i + 1);
        if (i > 0) {
          assertThat(dataset.versionAt(commit.minusNanos(1)).versionNumber()).isEqualTo(i);
        }
      }
      assertThat(dataset.versionAt(Instant.MAX).versionNumber()).isEqualTo(7);
      assertThatThrownBy(() -> dataset.versionAt(commits.get(0).minusNanos(1)))
          .isInstanceOf(NotFoundException.class)
          .hasMessage(
              "version as of 2026-11-30T23:18:21.334190729Z not found in "
                  + dataset.path()
                  + " (the first version is 1, of 2026-11-30T23:18:21.334190730Z)");
    }
  }

  @Test
  void afterACleanUpTheFirstVersionIsTheFirstThatIsLeft() throws IOException {
    Path copy = Fixtures.copy("versions_stable_21", folder);
    Files.delete(copy.resolve("_versions/18446744073709551614.manifest"));
    Files.delete(copy.resolve("_versions/18446744073709551613.manifest"));
    try (Dataset dataset = Dataset.open(copy, allocator)) {
      assertThatThrownBy(() -> dataset.versionAt(Instant.parse("2026-11-30T23:18:21.34Z")))
          .isInstanceOf(NotFoundException.class)
          .hasMessageEndingWith("(the first version is 3, of 2026-11-30T23:18:21.346212287Z)");
    }
  }

  @Test
  void tagsLeadToTheirVersion() throws IOException {
    try (Dataset dataset = Dataset.open(Fixtures.dataset("tags_21"), allocator);
        Dataset first = dataset.tag("first")) {
      assertThat(first.versionNumber()).isEqualTo(1);
      assertThat(first.countRows()).isEqualTo(20);
      assertThat(dataset.versionNumber()).isEqualTo(3);
      assertThat(dataset.tags()).extracting(Refs.Tag::name).containsExactly("first");
      assertThat(dataset.branches()).extracting(Refs.Branch::name).containsExactly("dev");
      assertThat(dataset.versions())
          .extracting(Version::tags)
          .containsExactly(List.of("first"), List.of(), List.of());
      assertThat(dataset.manifest().config()).containsEntry("my.key", "my value");
      assertThatThrownBy(() -> dataset.tag("x"))
          .isInstanceOf(NotFoundException.class)
          .hasMessage("tag 'x' not found in " + dataset.path() + " (tags 'first')");
      assertThatThrownBy(() -> dataset.branch("x"))
          .isInstanceOf(NotFoundException.class)
          .hasMessage("branch 'x' not found in " + dataset.path() + " (branches 'dev')");
    }
    try (Dataset dataset = Dataset.open(Fixtures.dataset("empty_21"), allocator)) {
      assertThatThrownBy(() -> dataset.tag("x"))
          .isInstanceOf(NotFoundException.class)
          .hasMessageEndingWith("(there is no tag)");
    }
  }

  @Test
  void branchesAreDatasetsWhoseFilesLieInTheirParents() throws IOException {
    Path copy = Fixtures.copy("delfew_unstable_21", folder);
    Manifest main = manifest(copy);
    Path versions = Files.createDirectories(copy.resolve("tree/a/b/_versions"));
    TableProto.Manifest.Builder branch =
        ManifestFiles.small()
            .setVersion(5)
            .setBranch("a/b")
            .setReaderFeatureFlags(17)
            .addBasePaths(
                TableProto.BasePath.newBuilder()
                    .setId(0)
                    .setIsDatasetRoot(true)
                    .setPath(copy.toUri().toString()));
    var deletions = main.fragments().get(0).deletionFile();
    assertThat(deletions).isNotNull();
    // no count, so that the file must be found and read
    branch
        .getFragmentsBuilder(0)
        .setPhysicalRows(main.fragments().get(0).physicalRows())
        .setDeletionFile(
            TableProto.DeletionFile.newBuilder()
                .setReadVersion(deletions.readVersion())
                .setId(deletions.id())
                .setBaseId(0));
    Files.write(
        versions.resolve("18446744073709551610.manifest"), ManifestFiles.bytes(branch.build()));
    ref(copy, "branches/a%2Fb.json", "{\"parentVersion\":3}");
    ref(copy, "tags/t.json", "{\"version\":5,\"branch\":\"a/b\"}");
    long expected = main.fragments().get(0).physicalRows() - deletions.numDeletedRows();
    try (Dataset dataset = Dataset.open(copy, allocator);
        Dataset byName = dataset.branch("a/b");
        Dataset byTag = dataset.tag("t");
        Dataset again = byTag.version(5)) {
      for (Dataset line : List.of(byName, byTag, again)) {
        assertThat(line.versionNumber()).isEqualTo(5);
        assertThat(line.manifest().branch()).isEqualTo("a/b");
        assertThat(line.countRows()).isEqualTo(expected);
        assertThat(line.tags()).extracting(Refs.Tag::name).containsExactly("t");
        assertThat(line.versions()).extracting(Version::tags).containsExactly(List.of("t"));
      }
      assertThat(dataset.versions()).extracting(Version::tags).containsOnly(List.of());
    }
  }

  @Test
  void missingBasePathIsNotFoundByName() throws IOException {
    TableProto.Manifest.Builder stored =
        ManifestFiles.small()
            .addBasePaths(
                TableProto.BasePath.newBuilder()
                    .setIsDatasetRoot(true)
                    .setPath("/nowhere/at/all.lance"));
    stored
        .getFragmentsBuilder(0)
        .setDeletionFile(TableProto.DeletionFile.newBuilder().setBaseId(0));
    Files.createDirectory(folder.resolve("_versions"));
    Files.write(folder.resolve("_versions/1.manifest"), ManifestFiles.bytes(stored.build()));
    try (Dataset dataset = Dataset.open(folder, allocator)) {
      assertThatThrownBy(dataset::countRows)
          .isInstanceOf(NotFoundException.class)
          .hasMessage(
              "base path /nowhere/at/all.lance not found in "
                  + folder
                  + " (files of this dataset lie there)");
    }
  }

  @Test
  void externalSequencesAreRangesOfAFileBelowTheRoot() throws IOException {
    TableProto.Manifest.Builder stored = ManifestFiles.small().setReaderFeatureFlags(2);
    stored
        .getFragmentsBuilder(0)
        .setExternalRowIds(external("data/ids", 2, 6))
        .setExternalCreatedAt(external("data/ids", 8, 1L << 40))
        .setExternalLastUpdatedAt(external("../ids", 0, 1));
    Files.createDirectories(folder.resolve("_versions"));
    Files.createDirectories(folder.resolve("data"));
    Files.write(folder.resolve("_versions/1.manifest"), ManifestFiles.bytes(stored.build()));
    // segments { range { end: 10 } }
    Files.write(folder.resolve("data/ids"), new byte[] {9, 9, 10, 4, 10, 2, 16, 10});
    try (Dataset dataset = Dataset.open(folder, allocator)) {
      DataFragment fragment = dataset.manifest().fragments().get(0);
      assertThat(dataset.files().rowIds(fragment)).containsExactly(new U64Segment.Range(0, 10));
      assertThat(dataset.fragments()).containsExactly(new Fragment(0, 10, 0, 1, 1));
      SequenceMetadata tooLong = Objects.requireNonNull(fragment.createdAt());
      assertThatThrownBy(() -> dataset.files().versionRuns(tooLong))
          .isInstanceOf(CorruptFileException.class)
          .hasMessage(
              "corrupt file "
                  + folder.resolve("data/ids")
                  + " at offset 8: range of an external sequence: expected a range inside the"
                  + " file's 8 bytes, found 1099511627776 bytes");
      SequenceMetadata outside = Objects.requireNonNull(fragment.lastUpdatedAt());
      assertThatThrownBy(() -> dataset.files().versionRuns(outside))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("file name");
    }
  }

  private static TableProto.ExternalFile external(String path, long offset, long size) {
    return TableProto.ExternalFile.newBuilder()
        .setPath(path)
        .setOffset(offset)
        .setSize(size)
        .build();
  }

  @Test
  void latestVersionIsListedNotTakenFromTheHint() throws IOException {
    Path copy = Fixtures.copy("versions_stable_21", folder);
    Path hint = copy.resolve("_versions/latest_version_hint.json");
    for (String text : new String[] {"{\"version\":1}", "{\"version\":999}", "garbage", ""}) {
      Files.writeString(hint, text);
      try (Dataset dataset = Dataset.open(copy, allocator)) {
        assertThat(dataset.versionNumber())
            .isEqualTo(Fixtures.meta("versions_stable_21").path("latestVersion").longValue());
      }
    }
    Files.delete(hint);
    Dataset.open(copy, allocator).close();
  }

  @Test
  void strangersAndDetachedManifestsAreTolerated() throws IOException {
    Path copy = Fixtures.copy("versions_stable_21", folder);
    long latest;
    int count;
    try (Dataset dataset = Dataset.open(copy, allocator)) {
      latest = dataset.versionNumber();
      count = dataset.versions().size();
    }
    Path versions = copy.resolve("_versions");
    Files.writeString(versions.resolve(".tmp_9.manifest_ab"), "half");
    Files.writeString(versions.resolve("d9223372036854775999.manifest"), "detached");
    Files.writeString(versions.resolve("notes.manifest"), "stranger");
    Files.writeString(versions.resolve(".DS_Store"), "x");
    Files.createDirectory(versions.resolve("folder"));
    try (Dataset dataset = Dataset.open(copy, allocator)) {
      assertThat(dataset.versionNumber()).isEqualTo(latest);
      assertThat(dataset.versions()).hasSize(count);
    }
  }

  @Test
  void manifestOfAnotherVersionThanItsNameSaysIsCorrupt() throws IOException {
    Files.createDirectory(folder.resolve("_versions"));
    Files.write(
        folder.resolve("_versions/4.manifest"), ManifestFiles.bytes(ManifestFiles.small().build()));
    assertThatThrownBy(() -> Dataset.open(folder, allocator))
        .isInstanceOf(CorruptFileException.class)
        .hasMessage(
            "corrupt file "
                + folder.resolve("_versions/4.manifest")
                + ": version of the manifest: expected 4, found 1");
  }

  @Test
  void bothNamingSchemesMayStandSideBySide() throws IOException {
    Files.createDirectory(folder.resolve("_versions"));
    Files.write(
        folder.resolve("_versions/1.manifest"), ManifestFiles.bytes(ManifestFiles.small().build()));
    Files.write(
        folder.resolve("_versions/18446744073709551613.manifest"),
        ManifestFiles.bytes(ManifestFiles.small().setVersion(2).build()));
    try (Dataset dataset = Dataset.open(folder, allocator);
        Dataset first = dataset.version(1)) {
      assertThat(dataset.versionNumber()).isEqualTo(2);
      assertThat(first.versionNumber()).isEqualTo(1);
    }
  }

  @Test
  void columnsAreFoundByTheirExactName() throws IOException {
    try (Dataset dataset = Dataset.open(Fixtures.dataset("delfew_stable_21"), allocator)) {
      assertThat(dataset.column("s")).isEqualTo(new FieldColumn(1));
      assertThatThrownBy(() -> dataset.column("S"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("no column 'S' in " + dataset.path() + "; columns: id, s");
    }
  }

  @Test
  void rowCountsOfWritersThatDidNotCountAreNotBelieved() throws IOException {
    Files.createDirectory(folder.resolve("_versions"));
    TableProto.Manifest.Builder stored = ManifestFiles.small().clearWriterVersion();
    Path file = folder.resolve("_versions/1.manifest");
    Files.write(file, ManifestFiles.bytes(stored.build()));
    try (Dataset dataset = Dataset.open(folder, allocator)) {
      assertThatThrownBy(dataset::countRows)
          .isInstanceOf(UnsupportedFormatException.class)
          .hasMessage(
              "unsupported row count of fragment 0 in "
                  + file
                  + ": found none, supported writers from 0.8.1 on");
    }
    Files.write(file, ManifestFiles.bytes(stored.clearFragments().build()));
    try (Dataset dataset = Dataset.open(folder, allocator)) {
      assertThat(dataset.countRows()).isZero();
    }
  }

  @Test
  void failedAndFinishedOpensLeaveNoFileOpen() throws IOException {
    Path good = Fixtures.dataset("delmany_unstable_21");
    Path copy = Fixtures.copy("delmany_unstable_21", folder);
    Path manifest = copy.resolve("_versions/18446744073709551613.manifest");
    byte[] bytes = Files.readAllBytes(manifest);
    bytes[bytes.length - 20] ^= 0x55;
    bytes[bytes.length - 1] ^= 1;
    Files.write(manifest, bytes);
    long before = openFiles();
    for (int i = 0; i < 50; i++) {
      assertThatThrownBy(() -> Dataset.open(copy, allocator))
          .isInstanceOf(CorruptFileException.class);
      try (Dataset dataset = Dataset.open(good, allocator)) {
        DataFragment fragment = dataset.manifest().fragments().get(0);
        assertThat(dataset.files().deletions(fragment, 12000).cardinality()).isEqualTo(5984);
        // a bound that the file's offsets break
        assertThatThrownBy(() -> dataset.files().deletions(fragment, 100))
            .isInstanceOf(CorruptFileException.class);
      }
    }
    assertThat(openFiles()).isLessThan(before + 50);
  }

  /** Open file descriptors of this process, or 0 where the system does not tell. */
  private static long openFiles() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getOpenFileDescriptorCount()
        : 0;
  }

  @Test
  void everyDatasetClosesForItself() throws IOException {
    Dataset latest = Dataset.open(Fixtures.dataset("tags_21").toString());
    Dataset first = latest.tag("first");
    latest.close();
    latest.close();
    assertThat(first.countRows()).isEqualTo(20);
    first.close();
  }

  private static void ref(Path dataset, String name, String json) throws IOException {
    Path file = dataset.resolve("_refs").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, json);
  }

  private Manifest manifest(Path dataset) throws IOException {
    try (Dataset open = Dataset.open(dataset, allocator)) {
      return open.manifest();
    }
  }
}
