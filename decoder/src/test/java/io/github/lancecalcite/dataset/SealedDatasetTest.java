package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.NotFoundException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.io.ChecksummedLayout;
import io.github.lancecalcite.io.LocalStorage;
import io.github.lancecalcite.io.SealMarker;
import io.github.lancecalcite.io.SealedStorage;
import io.github.lancecalcite.io.Sealing;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SealedDatasetTest {
  private static final Sealing.Progress SILENT = (bytes, ofBytes, file) -> {};

  @TempDir Path folder;
  private final RootAllocator allocator = new RootAllocator();

  @AfterEach
  void noMemoryIsLeft() {
    allocator.close();
  }

  private Path seal(String fixture, int contentBytes) throws IOException {
    Path target = folder.resolve(fixture + "." + contentBytes + ".lance");
    Sealing.seal(Fixtures.dataset(fixture), target, new ChecksummedLayout(contentBytes), SILENT);
    return target;
  }

  /** All rows of all versions, with the row addresses. */
  private List<String> rows(Path root) throws IOException {
    List<String> rows = new ArrayList<>();
    try (Dataset latest = Dataset.open(root, allocator)) {
      for (Version version : latest.versions()) {
        try (Dataset dataset = latest.version(version.version())) {
          List<ScanColumn> columns = new ArrayList<>(List.of(SystemColumn.ROW_ADDR));
          dataset.fields().forEach(field -> columns.add(new FieldColumn(field.id())));
          try (BatchCursor cursor = dataset.scan(ScanRequest.of(columns))) {
            while (cursor.next()) {
              for (int i = 0; i < cursor.batch().getRowCount(); i++) {
                StringBuilder row = new StringBuilder("v" + version.version());
                for (FieldVector vector : cursor.batch().getFieldVectors()) {
                  Object value = vector.getObject(i);
                  row.append(' ').append(value instanceof byte[] b ? Arrays.toString(b) : value);
                }
                rows.add(row.toString());
              }
            }
          }
        }
      }
    }
    return rows;
  }

  private static Map<String, byte[]> files(Path root) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        String name = root.relativize(path).toString();
        files.put(name, Files.isDirectory(path) ? new byte[0] : Files.readAllBytes(path));
      }
    }
    return files;
  }

  private static void assertSameFiles(Path actual, Path expected) throws IOException {
    Map<String, byte[]> there = files(actual);
    Map<String, byte[]> wanted = files(expected);
    assertThat(there.keySet()).isEqualTo(wanted.keySet());
    wanted.forEach((name, bytes) -> assertThat(there.get(name)).as(name).isEqualTo(bytes));
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 64, 2044, 200_000})
  void sealedDatasetReadsAsThePlainOneAndUnsealsByteForByte(int contentBytes) throws IOException {
    for (String fixture : List.of("delfew_stable_21", "versions_stable_21", "dict_21", "tags_21")) {
      Path sealed = seal(fixture, contentBytes);
      assertThat(rows(sealed)).isNotEmpty().isEqualTo(rows(Fixtures.dataset(fixture)));
      assertThat(SealVerifier.verify(sealed, SILENT).findings()).isEmpty();
      Path restored = folder.resolve(fixture + contentBytes + ".restored");
      Sealing.unseal(sealed, restored, SILENT);
      assertSameFiles(restored, Fixtures.dataset(fixture));
    }
  }

  /** Every byte of a small dataset; of a larger one with deletions and versions, every 13th. */
  @ParameterizedTest
  @CsvSource({"struct_null_21, 1", "delfew_stable_21, 13"})
  void everyFlippedByteIsReportedAndNoRowIsEverWrong(String fixture, int step) throws IOException {
    Path sealed = seal(fixture, 2044);
    List<String> good = rows(sealed);
    int silent = 0;
    int loud = 0;
    for (Map.Entry<String, byte[]> file : files(sealed).entrySet()) {
      Path path = sealed.resolve(file.getKey());
      if (Files.isDirectory(path)) {
        continue;
      }
      for (int i = 0; i < file.getValue().length; i += step) {
        byte old = file.getValue()[i];
        // every byte, each time another bit
        put(path, i, (byte) (old ^ 1 << (i * 5 + i / 8) % 8));
        String where = file.getKey() + " byte " + i;
        try {
          assertThat(rows(sealed)).as(where).isEqualTo(good);
          silent++;
        } catch (CorruptFileException | UnsupportedFormatException e) {
          assertThat(e.getMessage()).as(where).contains(path.getFileName().toString());
          loud++;
        }
        assertReported(sealed, file.getKey(), i, where);
        put(path, i, old);
      }
    }
    assertThat(rows(sealed)).isEqualTo(good);
    // what stays silent was not read: transactions and the hint, which no query looks at
    assertThat(loud).isGreaterThan(2000 / step);
    assertThat(silent).isGreaterThan(100 / step);
  }

  private void assertReported(Path sealed, String name, int at, String where) throws IOException {
    if (name.equals(SealMarker.NAME)) {
      assertThatThrownBy(() -> SealVerifier.verify(sealed, SILENT))
          .as(where)
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("seal marker");
      return;
    }
    List<SealVerifier.Finding> findings = SealVerifier.verify(sealed, SILENT).findings();
    assertThat(findings).as(where).hasSize(1);
    assertThat(findings.get(0).fault().block()).as(where).isEqualTo(at / 2048);
    assertThat("blocks/" + findings.get(0).fault().file()).as(where).isEqualTo(name);
    assertThat(findings.get(0).hits()).as(where).isNotEmpty();
  }

  private static void put(Path path, long at, byte value) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.seek(at);
      file.write(value);
    }
  }

  @Test
  void verifyNamesFragmentAndColumn() throws IOException {
    Path sealed = seal("delfew_stable_21", 64);
    List<String> hits = new ArrayList<>();
    Path data = sealed.resolve(SealMarker.BLOCKS).resolve("data");
    try (Stream<Path> files = Files.list(data)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        for (long at = 10; at < Files.size(file); at += 68) {
          put(file, at, (byte) ~Files.readAllBytes(file)[(int) at]);
        }
      }
    }
    SealVerifier.verify(sealed, SILENT).findings().forEach(f -> hits.addAll(f.hits()));
    assertThat(hits).isNotEmpty().allMatch(hit -> hit.matches("fragment [012], every column.*"));

    // one block only, where the values of a column are
    Path again = seal("delfew_stable_21", 8);
    Path file;
    try (Stream<Path> files = Files.list(again.resolve(SealMarker.BLOCKS).resolve("data"))) {
      file = files.sorted().findFirst().orElseThrow();
    }
    put(file, 4, (byte) ~Files.readAllBytes(file)[4]);
    SealVerifier.Finding finding = SealVerifier.verify(again, SILENT).findings().get(0);
    assertThat(finding.toString())
        .contains("data/" + file.getFileName() + ", block 0 at offset 0: expected CRC-32C ")
        .containsPattern("; hits fragment [012], column [a-z]+$");
  }

  @Test
  void lostAndCutFilesAreReportedNotPassedOver() throws IOException {
    Path sealed = seal("versions_stable_21", 64);
    Path versions = sealed.resolve(SealMarker.BLOCKS).resolve("_versions");
    Path newest;
    try (Stream<Path> files = Files.list(versions)) {
      newest =
          files.filter(f -> f.toString().endsWith(".manifest")).sorted().findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(newest);
    Files.write(newest, Arrays.copyOf(bytes, 68));
    assertThatThrownBy(() -> rows(sealed))
        .as("cut between two blocks")
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("size of a sealed file: expected " + bytes.length);
    byte[] swapped = bytes.clone();
    System.arraycopy(bytes, 0, swapped, 68, 68);
    System.arraycopy(bytes, 68, swapped, 0, 68);
    Files.write(newest, swapped);
    assertThat(SealVerifier.verify(sealed, SILENT).findings().toString())
        .contains("not in the order, sealed; hits manifest of version");
    Files.delete(newest);
    assertThatThrownBy(() -> rows(sealed))
        .as("an older version must not take its place")
        .isInstanceOf(NotFoundException.class);
    assertThat(SealVerifier.verify(sealed, SILENT).findings().toString()).contains("missing");
  }

  @Test
  void plainAndSealedAreNeverTakenForEachOther() throws IOException {
    Path sealed = seal("delfew_stable_21", 2044);
    assertThatThrownBy(() -> SealVerifier.verify(Fixtures.dataset("delfew_stable_21"), SILENT))
        .isInstanceOf(NotFoundException.class);
    assertThatThrownBy(
            () -> Sealing.unseal(Fixtures.dataset("delfew_stable_21"), folder.resolve("x"), SILENT))
        .isInstanceOf(NotFoundException.class);
    assertThatThrownBy(
            () -> Sealing.seal(sealed, folder.resolve("x"), ChecksummedLayout.DEFAULT, SILENT))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("expected a plain one, found a sealed one");
    assertThat(SealedStorage.detect(LocalStorage.of(Fixtures.dataset("delfew_stable_21"))))
        .isInstanceOf(LocalStorage.class);
    // without its marker there is no dataset at all
    Path marker = sealed.resolve(SealMarker.NAME);
    byte[] bytes = Files.readAllBytes(marker);
    Files.delete(marker);
    assertThatThrownBy(() -> rows(sealed)).isInstanceOf(NotFoundException.class);
    Files.write(marker, bytes);
    Files.createDirectory(sealed.resolve("_versions"));
    assertThatThrownBy(() -> rows(sealed))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("both, sealed and plain");
  }

  @Test
  void aLaterSealVersionIsRefused() throws IOException {
    byte[] above = "lance-sealed 2\nwhatever\n".getBytes(StandardCharsets.UTF_8);
    String text =
        new String(above, StandardCharsets.UTF_8)
            + String.format("end %08x\n", ChecksummedLayout.crc(above, 0, above.length));
    assertThatThrownBy(() -> SealMarker.parse(text.getBytes(StandardCharsets.UTF_8), "m"))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessage("unsupported seal version in m: found 2, supported 1");
  }

  @Test
  void aMarkerSurvivesOddNames() throws IOException {
    TreeMap<String, SealMarker.SealedFile> files = new TreeMap<>();
    for (String name : List.of("a b", "x/ü\n%/+&=", "end 00000000", "data/…")) {
      files.put(name, new SealMarker.SealedFile(1L << 40, -7));
    }
    SealMarker marker =
        new SealMarker(new ChecksummedLayout(77), files, new TreeMap<>(Map.of("empty dir", true)));
    assertThat(SealMarker.parse(marker.toBytes(), "m")).isEqualTo(marker);
  }

  @Test
  void anInterruptedOrFailedSealLeavesNothing() throws IOException {
    Path target = folder.resolve("t.lance");
    int[] steps = new int[1];
    assertThatThrownBy(
            () ->
                Sealing.seal(
                    Fixtures.dataset("delfew_stable_21"),
                    target,
                    ChecksummedLayout.DEFAULT,
                    (bytes, of, file) -> {
                      if (++steps[0] == 4) {
                        Thread.currentThread().interrupt();
                      }
                    }))
        .isInstanceOf(IOException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThatThrownBy(
            () ->
                Sealing.seal(
                    Fixtures.dataset("delfew_stable_21"),
                    target,
                    ChecksummedLayout.DEFAULT,
                    (bytes, of, file) -> {
                      throw new IllegalStateException("stop");
                    }))
        .isInstanceOf(IllegalStateException.class);
    Path sealed = seal("delfew_stable_21", 64);
    try (Stream<Path> blocks = Files.list(sealed.resolve(SealMarker.BLOCKS).resolve("data"))) {
      Path file = blocks.findFirst().orElseThrow();
      put(file, 5, (byte) ~Files.readAllBytes(file)[5]);
    }
    assertThatThrownBy(() -> Sealing.unseal(sealed, target, SILENT))
        .isInstanceOf(CorruptFileException.class);
    assertThatThrownBy(() -> Sealing.unseal(sealed, sealed, SILENT))
        .isInstanceOf(FileAlreadyExistsException.class);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactly(sealed);
    }
  }
}
