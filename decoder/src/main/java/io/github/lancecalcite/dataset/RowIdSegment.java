package io.github.lancecalcite.dataset;

/**
 * A segment of a fragment's row-id sequence, as {@link Dataset#rowIdSegments} lists it.
 *
 * @param position counted from 0 in each fragment
 * @param kind {@code range}, {@code range with holes}, {@code range with bitmap}, {@code sorted
 *     array} or {@code array}
 * @param firstOffset physical row of the fragment that the first id belongs to
 * @param length number of ids, one per physical row
 * @param firstId unsigned; 0 when the segment is empty
 * @param lastId unsigned; 0 when the segment is empty
 * @param bytes what it takes in the manifest
 */
public record RowIdSegment(
    long fragmentId,
    int position,
    String kind,
    long firstOffset,
    long length,
    long firstId,
    long lastId,
    int bytes) {}
