package io.github.lancecalcite.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The packaged driver jar, as a BI tool takes it: alone, in a class loader of its own. */
class OneJarTest {
  private static final Path JAR = Path.of(System.getProperty("driver.jar"));
  private static final Path FIXTURE =
      Path.of(System.getProperty("repo.root"))
          .resolve("sql-tests/src/test/resources/fixtures/versions_stable_21");
  private static final String QUERY =
      "SELECT id, s, _rowid, _rowaddr, _row_created_at_version, _row_last_updated_at_version FROM data";

  private static final Set<String> ANDROID =
      Set.of("org.robolectric.Robolectric", "libcore.io.Memory");

  /** {@code io}, {@code io.github}, … and what Janino makes of simple names: none of a library. */
  private static final Pattern OWN_NAME_PREFIX =
      Pattern.compile("(java[.$]lang[.$])?io(\\.github(\\.lancecalcite)?)?|Baz|Class");

  @Test
  void holdsNoNativeCode() throws IOException {
    assertThat(entries())
        .noneMatch(
            name ->
                name.toLowerCase(Locale.ROOT).matches(".*\\.(so|dll|dylib|jnilib|a|exe)(\\..*)?"));
  }

  @Test
  void everyClassIsBeneathOurPackage() throws IOException {
    assertThat(entries())
        .filteredOn(name -> name.endsWith(".class"))
        .hasSizeGreaterThan(10_000)
        .allMatch(name -> name.startsWith("io/github/lancecalcite/"));
  }

  @Test
  void onlyOurDriverIsRegistered() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      JarEntry services = jar.getJarEntry("META-INF/services/java.sql.Driver");
      assertThat(
              new String(jar.getInputStream(services).readAllBytes(), StandardCharsets.UTF_8)
                  .strip())
          .isEqualTo("io.github.lancecalcite.calcite.LanceDriver");
    }
  }

  @Test
  void licencesAreIncludedAndSignaturesAreNot() throws IOException {
    assertThat(entries())
        .contains("META-INF/LICENSE", "META-INF/NOTICE", "META-INF/THIRD-PARTY.txt")
        .noneMatch(name -> name.matches("META-INF/[^/]*\\.(SF|RSA|DSA|EC)"));
  }

  @Test
  void isSmallerThanFortyMegabytes() throws IOException {
    long bytes = Files.size(JAR);
    System.out.printf(Locale.ROOT, "%s: %.1f MB%n", JAR.getFileName(), bytes / 1e6);
    assertThat(bytes).isLessThan(40_000_000);
  }

  @Test
  void queriesADatasetAloneInAnEmptyClassLoader() throws Exception {
    try (URLClassLoader alone = loader(ClassLoader.getPlatformClassLoader())) {
      assertThat(query(alone, "jdbc:lance:" + FIXTURE)).isEqualTo(expected("expected.jsonl"));
      assertThat(query(alone, "jdbc:lance:dir=" + FIXTURE + ";version=2"))
          .isEqualTo(expected("expected.v2.jsonl"));
    }
  }

  @Test
  void needsNoContextClassLoader() throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(null);
    try (URLClassLoader alone = loader(ClassLoader.getPlatformClassLoader())) {
      assertThat(query(alone, "jdbc:lance:" + FIXTURE)).isEqualTo(expected("expected.jsonl"));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /**
   * So it does not matter which Calcite, Arrow, Protobuf, Guava, … the host application has. What
   * is asked for all the same: whether this is Android (Protobuf), and prefixes of names of our own
   * classes (Janino, which looks for the longest one that is a class).
   */
  @Test
  void asksTheHostApplicationForNoClass() throws Exception {
    RecordingHost host = new RecordingHost();
    try (URLClassLoader inHost = loader(host)) {
      assertThat(query(inHost, "jdbc:lance:" + FIXTURE)).isEqualTo(expected("expected.jsonl"));
    }
    assertThat(host.missed())
        .filteredOn(name -> !ANDROID.contains(name) && !OWN_NAME_PREFIX.matcher(name).matches())
        .isEmpty();
  }

  @Test
  void tellsABadFolderInOneLine() throws Exception {
    Path missing = FIXTURE.resolveSibling("missing");
    try (URLClassLoader alone = loader(ClassLoader.getPlatformClassLoader())) {
      Driver driver = driver(alone);
      assertThat(
              org.assertj.core.api.Assertions.catchThrowable(
                  () -> driver.connect("jdbc:lance:" + missing, new Properties()).close()))
          .isInstanceOf(java.sql.SQLException.class)
          .message()
          .contains(missing.toString())
          .doesNotContain("\n");
    }
  }

  private static Set<String> entries() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      return jar.stream().map(JarEntry::getName).collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static URLClassLoader loader(ClassLoader parent) throws IOException {
    return new URLClassLoader(new URL[] {JAR.toUri().toURL()}, parent);
  }

  private static Driver driver(ClassLoader loader) {
    List<Driver> drivers = new ArrayList<>();
    ServiceLoader.load(Driver.class, loader).forEach(drivers::add);
    assertThat(drivers).hasSize(1);
    assertThat(drivers.get(0).getClass().getClassLoader()).isSameAs(loader);
    return drivers.get(0);
  }

  /** The rows, as the fixture's dump writes them. */
  private static List<String> query(ClassLoader loader, String url) throws Exception {
    List<String> lines = new ArrayList<>();
    try (Connection connection = driver(loader).connect(url, new Properties());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(QUERY)) {
      while (rows.next()) {
        String text = rows.getString(2);
        lines.add(
            String.format(
                Locale.ROOT,
                "{\"id\":%d,\"s\":%s,\"_rowid\":%d,\"_rowaddr\":%d,"
                    + "\"_row_created_at_version\":%d,\"_row_last_updated_at_version\":%d}",
                rows.getLong(1),
                text == null ? "null" : '"' + text + '"',
                rows.getLong(3),
                rows.getLong(4),
                rows.getLong(5),
                rows.getLong(6)));
      }
    }
    return lines;
  }

  private static List<String> expected(String dump) throws IOException {
    return Files.readAllLines(FIXTURE.resolve(dump));
  }

  /** A parent that has the platform's classes, and remembers what else it was asked for. */
  private static final class RecordingHost extends ClassLoader {
    private final Set<String> missed = new HashSet<>();

    RecordingHost() {
      super(ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected synchronized Class<?> findClass(String name) throws ClassNotFoundException {
      // our own packages are asked of the parent first, as every class loader does
      if (!name.startsWith("io.github.lancecalcite.")) {
        missed.add(name);
      }
      throw new ClassNotFoundException(name);
    }

    synchronized Set<String> missed() {
      return Set.copyOf(missed);
    }
  }
}
