package io.github.lancecalcite.sqltests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lancecalcite.dataset.Dataset;
import io.github.lancecalcite.format.LogicalType;
import io.github.lancecalcite.format.SchemaField;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Compares a dataset's Arrow schema with the JSON form of the one lance-core reports. */
final class SchemaComparison {
  private SchemaComparison() {}

  /**
   * Names, types, nullability, children. Two kinds of column by name only: of a dictionary column
   * lance-core reports the index type, we the value type; of a blob column it reports the type as
   * written, we the descriptor that a scan gives (as its scan does).
   */
  static void check(Dataset dataset, JsonNode expected) throws IOException {
    Set<String> byNameOnly =
        dataset.fields().stream()
            .filter(
                field ->
                    field.logicalType() instanceof LogicalType.Dictionary
                        || field.metadata().containsKey("lance-encoding:blob")
                        || "lance.blob.v2".equals(field.extensionName()))
            .map(SchemaField::name)
            .collect(Collectors.toSet());
    JsonNode actual = new ObjectMapper().readTree(dataset.schema().toJson());
    List<String> ours = describe(actual.get("fields"), byNameOnly);
    List<String> theirs = describe(expected.get("fields"), byNameOnly);
    if (!ours.equals(theirs)) {
      throw new AssertionError("schema: expected " + theirs + ", got " + ours);
    }
  }

  private static List<String> describe(JsonNode fields, Set<String> byNameOnly) {
    List<String> texts = new ArrayList<>();
    for (JsonNode field : fields) {
      String name = field.get("name").textValue();
      texts.add(
          byNameOnly.contains(name)
              ? name
              : String.format(
                  "%s %s %s %s",
                  name,
                  field.get("type"),
                  field.get("nullable").booleanValue() ? "null" : "not null",
                  describe(field.get("children"), Set.of())));
    }
    return texts;
  }
}
