package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.format.ManifestFiles;
import io.github.lancecalcite.format.proto.TableProto;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A scan of ten million rows runs in a heap of 256 MB, and takes as much of Arrow's memory as one
 * of a tenth of them: that of its batches.
 */
class MemoryTest {
  private static final String FIXTURE = "enc_none_21";

  /** A batch is a fragment of 2,000 rows, of about 45 bytes with those of the system columns. */
  private static final long MOST_BYTES = 256 << 10;

  @TempDir Path folder;

  @Test
  void tenMillionRowsTakeAsMuchMemoryAsOneMillion() throws Exception {
    long few = peak(500);
    long many = peak(5000);
    assertThat(many).isEqualTo(few).isLessThan(MOST_BYTES);
  }

  /** Most bytes of Arrow's memory that a scan of so many fragments had at once. */
  private long peak(int fragments) throws Exception {
    Path dataset = folder.resolve(fragments + ".lance");
    long rows = write(dataset, fragments);
    assertThat(rows).isGreaterThanOrEqualTo(2000L * fragments);
    Path output = folder.resolve(fragments + ".txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:MaxDirectMemorySize=16m",
                "-cp",
                System.getProperty("java.class.path"),
                MemoryScan.class.getName(),
                dataset.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor()).isZero();
    String[] said = Files.readString(output, StandardCharsets.UTF_8).strip().split(" ");
    assertThat(Long.parseLong(said[0])).isEqualTo(rows);
    return Long.parseLong(said[1]);
  }

  /** The fixture's fragment, over and over: all share its data file. Returns the rows of all. */
  private static long write(Path dataset, int fragments) throws IOException {
    Path source = Fixtures.root().resolve(FIXTURE).resolve("data.lance");
    Files.createDirectories(dataset.resolve("data"));
    Files.createDirectories(dataset.resolve("_versions"));
    TableProto.Manifest manifest = manifest(only(source.resolve("_versions")));
    TableProto.DataFragment fragment = manifest.getFragments(0);
    Path data = source.resolve("data").resolve(fragment.getFiles(0).getPath());
    Files.copy(data, dataset.resolve("data").resolve(fragment.getFiles(0).getPath()));
    TableProto.Manifest.Builder larger = manifest.toBuilder().clearFragments();
    for (int i = 0; i < fragments; i++) {
      larger.addFragments(fragment.toBuilder().setId(i));
    }
    larger.setMaxFragmentId(fragments - 1);
    Files.write(dataset.resolve("_versions/1.manifest"), ManifestFiles.bytes(larger.build()));
    return fragment.getPhysicalRows() * fragments;
  }

  private static TableProto.Manifest manifest(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    int at = (int) bytes.getLong(bytes.limit() - 16);
    byte[] message = new byte[bytes.getInt(at)];
    bytes.get(at + 4, message);
    return TableProto.Manifest.parseFrom(message);
  }

  private static Path only(Path directory) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, "*.manifest")) {
      List<Path> all = new java.util.ArrayList<>();
      entries.forEach(all::add);
      assertThat(all).hasSize(1);
      return all.get(0);
    }
  }
}
