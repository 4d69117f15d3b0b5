package io.github.lancecalcite.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LanceCommandTest {
  private static final Path SAMPLE =
      Path.of(System.getProperty("repo.root", ".."), "samples", "airports.lance");

  @TempDir Path folder;

  private record Outcome(int status, String out, String err) {}

  private static Outcome run(Object... args) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
    ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
    try {
      System.setOut(new PrintStream(outBytes, true, StandardCharsets.UTF_8));
      System.setErr(new PrintStream(errBytes, true, StandardCharsets.UTF_8));
      int status = LanceCommand.run(Stream.of(args).map(String::valueOf).toArray(String[]::new));
      return new Outcome(
          status,
          outBytes.toString(StandardCharsets.UTF_8),
          errBytes.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }

  private List<String> query(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:lance:" + folder);
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        StringBuilder row = new StringBuilder();
        for (int i = 1; i <= columns; i++) {
          row.append(result.getString(i)).append('|');
        }
        rows.add(row.toString());
      }
    }
    return rows;
  }

  @Test
  void sealVerifyQueryFlipAndUnseal() throws IOException, SQLException {
    Path sealed = folder.resolve("airports.lance");
    Outcome seal = run("seal", SAMPLE, sealed);
    assertThat(seal.err()).isEmpty();
    assertThat(seal.status()).isZero();
    assertThat(seal.out()).contains("sealed ").contains(" files, ");

    Outcome verify = run("verify", sealed);
    assertThat(verify.status()).isZero();
    assertThat(verify.out()).contains("all good");

    List<String> rows = query("SELECT * FROM \"airports\"");
    assertThat(rows).hasSizeGreaterThan(10);

    Path restored = folder.resolve("restored.lance");
    assertThat(run("unseal", sealed, restored).status()).isZero();
    try (Stream<Path> files = Files.walk(SAMPLE)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        assertThat(restored.resolve(SAMPLE.relativize(file))).hasSameBinaryContentAs(file);
      }
    }
    assertThat(query("SELECT * FROM \"restored\"")).isEqualTo(rows);

    try (Stream<Path> files = Files.list(sealed.resolve("blocks/data"))) {
      for (Path data : (Iterable<Path>) files::iterator) {
        byte[] bytes = Files.readAllBytes(data);
        for (int at = 100; at < bytes.length; at += 2048) {
          bytes[at] ^= 1;
        }
        Files.write(data, bytes);
      }
    }
    Outcome damaged = run("verify", sealed);
    assertThat(damaged.status()).isEqualTo(1);
    assertThat(damaged.out())
        .contains("BAD data/")
        .contains(", block 0 at offset 0: expected CRC-32C ")
        .contains("hits fragment ");
    assertThatThrownBy(() -> query("SELECT * FROM \"airports\""))
        .isInstanceOf(SQLException.class)
        .hasStackTraceContaining("checksum of block");
  }

  @Test
  void mistakesAreOneLine() throws IOException {
    Outcome plain = run("verify", SAMPLE);
    assertThat(plain.status()).isEqualTo(2);
    assertThat(plain.err()).startsWith("lance: file not found in ").hasLineCount(1);
    Files.createDirectory(folder.resolve("taken"));
    Outcome taken = run("seal", SAMPLE, folder.resolve("taken"));
    assertThat(taken.status()).isEqualTo(2);
    assertThat(taken.err()).contains("taken exists already; nothing was done").hasLineCount(1);
    assertThat(run("seal", folder, folder.resolve("x")).err())
        .contains("it has no folder _versions");
    assertThat(run().status()).isEqualTo(2);
    assertThat(run("--help").out()).contains("seal").contains("verify").contains("unseal");
  }
}
