package io.github.lancecalcite.dataset;

import org.jspecify.annotations.Nullable;

/**
 * The rows of one batch: a span of physical rows of a fragment and which of them are kept.
 *
 * @param first first physical row of the span; always kept
 * @param span physical rows of the span, at least 1; the last one is always kept
 * @param words bit i says that row {@code first + i} is kept, zero from {@code span} on; null when
 *     all are
 * @param count rows kept
 */
record BatchRows(long first, int span, long @Nullable [] words, int count) {
  /** Whether every row of the span is kept. */
  boolean isWhole() {
    return words == null;
  }
}
