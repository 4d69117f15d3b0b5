package io.github.lancecalcite.calcite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TableNameTest {
  private static @Nullable TableName parse(String name, String... datasets) {
    return TableName.parse(name, Set.of(datasets)::contains);
  }

  @Test
  void plainNameIsTheRows() {
    assertThat(parse("t", "t")).isEqualTo(new TableName("t", null, TableName.Part.ROWS, -1));
  }

  @Test
  void versionTagPartAndFragmentCombine() {
    assertThat(parse("t@5", "t")).isEqualTo(new TableName("t", "5", TableName.Part.ROWS, -1));
    assertThat(parse("t@best", "t")).isEqualTo(new TableName("t", "best", TableName.Part.ROWS, -1));
    assertThat(parse("t$versions", "t"))
        .isEqualTo(new TableName("t", null, TableName.Part.VERSIONS, -1));
    assertThat(parse("t@5$fragments", "t"))
        .isEqualTo(new TableName("t", "5", TableName.Part.FRAGMENTS, -1));
    assertThat(parse("t@best$fragment_12", "t"))
        .isEqualTo(new TableName("t", "best", TableName.Part.FRAGMENT, 12));
  }

  @Test
  void everyMetadataPartHasItsName() {
    for (TableName.Part part : TableName.METADATA) {
      assertThat(parse("t@5$" + part.suffix(), "t")).isEqualTo(new TableName("t", "5", part, -1));
    }
    assertThat(TableName.METADATA)
        .extracting(TableName.Part::suffix)
        .containsExactly(
            "versions",
            "transactions",
            "tags",
            "branches",
            "fragments",
            "files",
            "columns",
            "indices",
            "rowid_segments");
  }

  @Test
  void datasetWhoseNameLooksLikeMoreWins() {
    assertThat(parse("t$versions", "t", "t$versions"))
        .isEqualTo(new TableName("t$versions", null, TableName.Part.ROWS, -1));
    assertThat(parse("t@5", "t", "t@5"))
        .isEqualTo(new TableName("t@5", null, TableName.Part.ROWS, -1));
    assertThat(parse("a$b@7$fragments", "a$b"))
        .isEqualTo(new TableName("a$b", "7", TableName.Part.FRAGMENTS, -1));
  }

  @Test
  void everythingElseIsNoTable() {
    for (String name :
        new String[] {
          "",
          "u",
          "T",
          "t@",
          "@5",
          "$versions",
          "t$",
          "t$nothing",
          "t$fragment_",
          "t$fragment_x",
          "t$fragment_-1",
          "t$versions@5",
          "t$fragment_99999999999999999999"
        }) {
      assertThat(parse(name, "t")).as(name).isNull();
    }
  }

  @Test
  void versionIsANumberAndATagIsNot() {
    assertThat(parse("t@12", "t").version()).isEqualTo(12);
    assertThat(parse("t@v12", "t").version()).isEqualTo(-1);
  }
}
