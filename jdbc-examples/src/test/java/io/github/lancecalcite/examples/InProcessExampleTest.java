package io.github.lancecalcite.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InProcessExampleTest {
  @Test
  void showsEachTableWithRowIdsAndVersions() throws Exception {
    ExamplePrograms.Ended ended =
        ExamplePrograms.run(InProcessExample.class, ExamplePrograms.FIXTURE.toString());

    assertThat(ended.err()).isEmpty();
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.out().lines())
        .startsWith(
            "-- data",
            "_rowid\t_row_created_at_version\t_row_last_updated_at_version\tid\ts",
            "1\t1\t1\t1\ta1",
            "2\t1\t1\t2\ta2")
        .contains("version\trow_count");
  }

  @Test
  void withoutArgumentsTellsItsUsage() throws Exception {
    ExamplePrograms.Ended ended = ExamplePrograms.run(InProcessExample.class);

    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err().strip()).isEqualTo("usage: InProcessExample FOLDER [TABLE]");
  }
}
