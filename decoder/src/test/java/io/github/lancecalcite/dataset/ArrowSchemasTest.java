package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.lancecalcite.format.LogicalTypeText;
import io.github.lancecalcite.format.SchemaField;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;

/**
 * What the fixtures do not hold; the rest is compared with Lance's own schema in FixtureTableTest.
 */
class ArrowSchemasTest {
  @Test
  void unknownTypesKeepTheirNameAndAreToldApart() {
    SchemaField unknown = field("u", "lance.uuid");
    Field arrow = ArrowSchemas.field(unknown);
    assertThat(arrow.getType()).isEqualTo(ArrowType.Null.INSTANCE);
    assertThat(arrow.getMetadata()).containsEntry("lance:logical-type", "lance.uuid");
    assertThat(ArrowSchemas.isKnown(unknown)).isFalse();
    assertThat(ArrowSchemas.isKnown(field("s", "struct", unknown))).isFalse();
    assertThat(ArrowSchemas.isKnown(field("l", "list", field("item", "string")))).isTrue();
  }

  @Test
  void dictionariesSurfaceAsTheirValues() {
    Field arrow = ArrowSchemas.field(field("d", "dict:large_string:uint16:true"));
    assertThat(arrow.getType()).isEqualTo(ArrowType.LargeUtf8.INSTANCE);
    assertThat(arrow.getDictionary()).isNull();
  }

  @Test
  void nestedFixedSizeListsOfPrimitivesGetNullableItems() {
    Field outer = ArrowSchemas.field(field("f", "fixed_size_list:fixed_size_list:int16:3:2"));
    assertThat(outer.getType()).isEqualTo(new ArrowType.FixedSizeList(2));
    Field inner = outer.getChildren().get(0);
    assertThat(inner.getName()).isEqualTo("item");
    assertThat(inner.getType()).isEqualTo(new ArrowType.FixedSizeList(3));
    assertThat(inner.isNullable()).isTrue();
    assertThat(inner.getChildren().get(0))
        .isEqualTo(Field.nullable("item", new ArrowType.Int(16, true)));
  }

  @Test
  void zonesScalesAndWidthsAreKept() {
    assertThat(ArrowSchemas.field(field("t", "timestamp:ms:+05:30")).getType())
        .isEqualTo(
            new ArrowType.Timestamp(org.apache.arrow.vector.types.TimeUnit.MILLISECOND, "+05:30"));
    assertThat(ArrowSchemas.field(field("d", "decimal:256:50:-2")).getType())
        .isEqualTo(new ArrowType.Decimal(50, -2, 256));
    assertThat(ArrowSchemas.field(field("j", "json")).getType()).isEqualTo(ArrowType.Utf8.INSTANCE);
  }

  @Test
  void jsonIsNamedAfterItsTextAndNotAfterItsStoredForm() {
    SchemaField stored =
        new SchemaField(
            0,
            "j",
            LogicalTypeText.parse("json"),
            true,
            "lance.json",
            Map.of("k", "v"),
            false,
            List.of());
    assertThat(ArrowSchemas.field(stored).getMetadata())
        .containsEntry("ARROW:extension:name", "arrow.json")
        .containsEntry("k", "v");
  }

  private static SchemaField field(String name, String type, SchemaField... children) {
    return new SchemaField(
        0, name, LogicalTypeText.parse(type), true, null, Map.of(), false, List.of(children));
  }
}
