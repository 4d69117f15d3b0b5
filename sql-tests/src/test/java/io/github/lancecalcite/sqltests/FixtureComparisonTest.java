package io.github.lancecalcite.sqltests;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * Every dataset of the fixtures folder, read by the decoder and through JDBC, equals what
 * lance-core read from it. {@code -Dfixtures=DIR} compares another folder of the same layout.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FixtureComparisonTest {
  private final Tally tally = new Tally();

  private interface Comparison {
    Tally.Work run(Fixture fixture) throws Exception;
  }

  @TestFactory
  Stream<DynamicTest> decoder() throws IOException {
    return tests("decoder", DecoderComparison::run);
  }

  @TestFactory
  Stream<DynamicTest> jdbc() throws IOException {
    return tests("jdbc", JdbcComparison::run);
  }

  private Stream<DynamicTest> tests(String side, Comparison comparison) throws IOException {
    List<Fixture> fixtures = Fixture.in(Fixture.root());
    if (fixtures.isEmpty()) {
      throw new AssertionError("no fixtures in " + Fixture.root());
    }
    return fixtures.stream()
        .map(f -> DynamicTest.dynamicTest(side + " " + f.name(), () -> one(side, f, comparison)));
  }

  private void one(String side, Fixture fixture, Comparison comparison) throws Exception {
    Tally.Work work;
    try {
      work = comparison.run(fixture);
    } catch (Exception | AssertionError e) {
      String refusal = Refusals.allowed(side, fixture.name(), e);
      if (refusal == null) {
        tally.failed(
            side,
            fixture.name(),
            String.valueOf(e.getMessage()).strip().lines().findFirst().orElse(""));
        throw e;
      }
      tally.refused(side, fixture.name(), refusal);
      return;
    }
    tally.equal(side, work);
  }

  @AfterAll
  @SuppressWarnings("SystemOut")
  void printReport() {
    System.out.println("fixtures in " + Fixture.root());
    System.out.print(tally.report());
  }
}
