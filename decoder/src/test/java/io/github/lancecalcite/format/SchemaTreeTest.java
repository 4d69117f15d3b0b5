package io.github.lancecalcite.format;

import static io.github.lancecalcite.format.ManifestFiles.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.format.proto.TableProto;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchemaTreeTest {
  @Test
  void treeFollowsParentIdsAndKeepsTheOrderOfSiblings() {
    List<SchemaField> roots =
        build(
            field(0, -1, "a", "struct"),
            field(9, 0, "b", "list"),
            field(4, 9, "item", "struct"),
            field(5, 4, "c", "int8"),
            field(2, 0, "d", "string"),
            field(1, -1, "e", "bool"));
    assertThat(roots).extracting(SchemaField::name).containsExactly("a", "e");
    SchemaField a = roots.get(0);
    assertThat(a.children()).extracting(SchemaField::name).containsExactly("b", "d");
    SchemaField item = a.children().get(0).children().get(0);
    assertThat(item.id()).isEqualTo(4);
    assertThat(item.children()).extracting(SchemaField::name).containsExactly("c");
  }

  @Test
  void attributesAreCarriedOver() {
    SchemaField read =
        build(
                field(3, -1, "x", "large_binary")
                    .setNullable(false)
                    .setExtensionName("ext")
                    .putMetadata("k", ByteString.copyFromUtf8("v"))
                    .setUnenforcedPrimaryKey(true))
            .get(0);
    assertThat(read)
        .isEqualTo(
            new SchemaField(
                3,
                "x",
                new LogicalType.Binary(true),
                false,
                "ext",
                java.util.Map.of("k", "v"),
                true,
                List.of()));
  }

  @Test
  void duplicateIdsAreCorrupt() {
    assertCorrupt(
        "field ids: expected each id once, found id 1 twice",
        field(1, -1, "a", "int8"),
        field(1, -1, "b", "int8"));
  }

  @Test
  void childrenOfOneNameAreCorrupt() {
    assertCorrupt(
        "children of struct field 's': expected each name once, found 'a' twice",
        field(0, -1, "s", "struct"),
        field(1, 0, "a", "int32"),
        field(2, 0, "b", "int32"),
        field(3, 0, "a", "string"));
    assertThat(
            build(field(0, -1, "s", "struct"), field(1, 0, "a", "int8"), field(2, 0, "A", "int8")))
        .hasSize(1);
  }

  @Test
  void keysThatMayBeNullAreCorrupt() {
    assertCorrupt(
        "keys of map field 'm': expected never null, found nullable",
        field(0, -1, "m", "map"),
        field(1, 0, "entries", "struct"),
        field(2, 1, "key", "string"),
        field(3, 1, "value", "int32"));
  }

  @Test
  void missingParentIsCorrupt() {
    assertCorrupt(
        "parent of field 'a': expected the id of a field, found 7", field(1, 7, "a", "int8"));
    assertCorrupt(
        "parent of field 'a': expected the id of a field, found -2", field(1, -2, "a", "int8"));
  }

  @Test
  void cyclesAreCorrupt() {
    assertCorrupt(
        "parents of the fields: expected a tree below the top level, found 1 fields",
        field(1, 1, "self", "struct"));
    assertCorrupt(
        "found 3 fields that are their own ancestors",
        field(0, -1, "fine", "int8"),
        field(1, 2, "a", "struct"),
        field(2, 3, "b", "struct"),
        field(3, 1, "c", "struct"));
  }

  @Test
  void negativeIdsAreCorrupt() {
    assertCorrupt(
        "field id of 'a': expected a number from 0, found -1", field(-1, -1, "a", "int8"));
  }

  @Test
  void childrenMustFitTheType() {
    assertCorrupt("children of list field 'l': expected 1, found 0", field(0, -1, "l", "list"));
    assertCorrupt(
        "children of large_list.struct field 'l': expected 1, found 2",
        field(0, -1, "l", "large_list.struct"),
        field(1, 0, "a", "struct"),
        field(2, 0, "b", "int8"));
    assertCorrupt(
        "children of int8 field 'i': expected 0, found 1",
        field(0, -1, "i", "int8"),
        field(1, 0, "a", "int8"));
    assertCorrupt(
        "children of fixed_size_list:float:4 field 'f': expected 0, found 1",
        field(0, -1, "f", "fixed_size_list:float:4"),
        field(1, 0, "item", "float"));
    assertCorrupt(
        "children of fixed_size_list:struct:4 field 'f': expected 1, found 0",
        field(0, -1, "f", "fixed_size_list:struct:4"));
    assertCorrupt(
        "entries of map field 'm': expected a struct of two, found entries",
        field(0, -1, "m", "map"),
        field(1, 0, "entries", "struct"),
        field(2, 1, "key", "string"));
    assertThat(build(field(0, -1, "s", "struct"))).hasSize(1);
    assertThat(build(field(0, -1, "u", "union"), field(1, 0, "a", "int8"))).hasSize(1);
  }

  @Test
  void absurdNestingIsCorruptRatherThanAStackOverflow() {
    List<TableProto.Field> fields = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      fields.add(field(i, i - 1, "f", "struct").build());
    }
    assertThatThrownBy(() -> SchemaTree.build(fields))
        .isInstanceOf(DecodeException.class)
        .hasMessage("nesting of the schema: expected at most 64 levels, found more");
    assertThat(SchemaTree.build(fields.subList(0, 64))).hasSize(1);
  }

  private static void assertCorrupt(String message, TableProto.Field.Builder... fields) {
    assertThatThrownBy(() -> build(fields))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining(message);
  }

  private static List<SchemaField> build(TableProto.Field.Builder... fields) {
    return SchemaTree.build(Arrays.stream(fields).map(TableProto.Field.Builder::build).toList());
  }
}
