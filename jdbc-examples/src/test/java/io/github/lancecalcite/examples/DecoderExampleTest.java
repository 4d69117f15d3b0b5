package io.github.lancecalcite.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DecoderExampleTest {
  @Test
  void showsVersionSchemaAndFirstRows() throws Exception {
    ExamplePrograms.Ended ended =
        ExamplePrograms.run(
            DecoderExample.class, ExamplePrograms.FIXTURE.resolve("data.lance").toString(), "2");

    assertThat(ended.err()).isEmpty();
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.out().lines())
        .startsWith("version 7 of 7 versions, 48 rows in 8 fragments")
        .contains("1\t1\t1\t1\ta1")
        .endsWith("2\t1\t1\t2\ta2");
  }
}
