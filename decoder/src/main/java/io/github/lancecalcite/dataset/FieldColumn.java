package io.github.lancecalcite.dataset;

/**
 * A stored top-level field, addressed by its field id.
 *
 * @param fieldId id of the field in the dataset version's schema
 */
public record FieldColumn(int fieldId) implements ScanColumn {}
