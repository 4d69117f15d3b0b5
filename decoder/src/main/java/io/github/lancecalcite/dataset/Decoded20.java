package io.github.lancecalcite.dataset;

import io.github.lancecalcite.encoding.Bytes;
import io.github.lancecalcite.encoding.ValueBlock;
import org.jspecify.annotations.Nullable;

/**
 * Decoded values of a stretch of a 2.0 page.
 *
 * @param values the values, nulls included; null when every one is null and has no bytes
 * @param validity bit i: value i is valid; null when all are (or when {@code values} is null)
 */
record Decoded20(@Nullable ValueBlock values, @Nullable Bytes validity) {
  /** Every value is null. */
  static final Decoded20 ALL_NULL = new Decoded20(null, null);
}
