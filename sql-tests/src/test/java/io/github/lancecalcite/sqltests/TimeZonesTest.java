package io.github.lancecalcite.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Instants and wall clocks come out the same whatever the JVM's time zone. A JVM for each, because
 * Avatica looks at the zone once, when its classes are loaded.
 */
class TimeZonesTest {
  @ParameterizedTest
  @ValueSource(strings = {"America/Los_Angeles", "Asia/Kathmandu", "Pacific/Auckland"})
  void everyScalarTypeIsReadTheSameInZone(String zone) throws Exception {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Duser.timezone=" + zone,
                    "-Drepo.root=" + Checkout.root(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    TimeZonesTest.class.getName()))
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("equal rows: 140").contains("exact times: ");
  }

  /** What the other JVM runs. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws Exception {
    Path fixtures = Checkout.root().resolve("sql-tests/src/test/resources/fixtures");
    Fixture fixture = new Fixture("types_scalar_21", fixtures.resolve("types_scalar_21"));
    System.out.println("equal rows: " + JdbcComparison.run(fixture).rows);
    System.out.println("exact times: " + ExactTimes.check(16));
  }
}
