package io.github.lancecalcite.format;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A field of a dataset's schema with its children: a tree, built from the flat list of the
 * manifest.
 *
 * @param id unique in the dataset and never reused
 * @param metadata Arrow field metadata, values decoded as UTF-8
 */
public record SchemaField(
    int id,
    String name,
    LogicalType logicalType,
    boolean nullable,
    @Nullable String extensionName,
    Map<String, String> metadata,
    boolean unenforcedPrimaryKey,
    List<SchemaField> children) {
  public SchemaField {
    metadata = Map.copyOf(metadata);
    children = List.copyOf(children);
  }
}
