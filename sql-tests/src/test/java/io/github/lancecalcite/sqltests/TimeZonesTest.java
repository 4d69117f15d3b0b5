package io.github.lancecalcite.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Instants and wall clocks come out the same whatever the JVM's time zone. */
class TimeZonesTest {
  private TimeZone before = TimeZone.getDefault();

  @BeforeEach
  void remember() {
    before = TimeZone.getDefault();
  }

  @AfterEach
  void restore() {
    TimeZone.setDefault(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTC", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"})
  void everyScalarTypeIsReadTheSameInZone(String zone) throws Exception {
    TimeZone.setDefault(TimeZone.getTimeZone(zone));
    Fixture fixture =
        Fixture.in(Checkout.root().resolve("sql-tests/src/test/resources/fixtures")).stream()
            .filter(f -> f.name().equals("types_scalar_21"))
            .findFirst()
            .orElseThrow();
    assertThat(JdbcComparison.run(fixture).rows).isEqualTo(140);
  }
}
