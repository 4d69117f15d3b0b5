package io.github.lancecalcite.format;

/**
 * A run of rows that share a dataset version. Only the number of values of the span counts; the
 * values themselves are stale after a compaction.
 */
public record VersionRun(U64Segment span, long version) {}
