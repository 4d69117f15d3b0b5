package io.github.lancecalcite.rowid;

import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.ValueRanges;
import io.github.lancecalcite.format.U64Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The row ids of one fragment: one unsigned 64-bit id per physical row, deleted rows included, in
 * physical order. Immutable, random access by position; {@link #cursor} for ordered reading.
 *
 * <p>Source: Lance's row id sequences; the ids are the values of the segments one after the other.
 */
public final class RowIdSequence {
  private final IdSegment[] segments;

  /** Position at which segment i begins; one more entry for the end. */
  private final long[] starts;

  /** Decided once: only a lone bitmap's density speaks for the whole stream. */
  private final boolean dense;

  private RowIdSequence(IdSegment[] segments) {
    this.segments = segments;
    this.starts = new long[segments.length + 1];
    for (int i = 0; i < segments.length; i++) {
      starts[i + 1] = starts[i] + segments[i].length();
      if (starts[i + 1] < 0) {
        throw new DecodeException(-1, "row id sequence", "fewer than 2^63 ids", "more");
      }
    }
    this.dense =
        segments.length == 1 && segments[0] instanceof BitmapSegment bitmap && bitmap.isDense();
  }

  /**
   * The sequence of these segments. Takes copies, so later changes to the records' arrays are not
   * seen.
   *
   * @throws DecodeException if holes of a segment lie outside its range or repeat
   */
  public static RowIdSequence of(List<U64Segment> segments) {
    IdSegment[] built = new IdSegment[segments.size()];
    for (int i = 0; i < built.length; i++) {
      built[i] = IdSegment.of(segments.get(i));
    }
    return new RowIdSequence(built);
  }

  /** {@code first, first + 1, … first + length − 1}: what row addresses are, too. */
  public static RowIdSequence range(long first, long length) {
    Objects.checkFromIndexSize(0, length, Long.MAX_VALUE);
    return new RowIdSequence(new IdSegment[] {new RangeSegment(first, first + length)});
  }

  /**
   * Row positions as a sequence of their own: those of {@code kept} that are not deleted. With few
   * deletions they stay ranges, otherwise they become a bitmap.
   *
   * @param deleted bit p set: position p is deleted; may be shorter than the rows
   */
  public static RowIdSequence ofPositions(RowRanges kept, long[] deleted) {
    List<IdSegment> segments = new ArrayList<>();
    for (int i = 0; i < kept.size(); i++) {
      LivePositions.add(segments, kept.start(i), kept.end(i), deleted);
    }
    return new RowIdSequence(segments.toArray(IdSegment[]::new));
  }

  /** Number of ids. */
  public long length() {
    return starts[segments.length];
  }

  /** Number of segments, empty ones included. */
  public int segmentCount() {
    return segments.length;
  }

  /**
   * The id at a position.
   *
   * @throws IndexOutOfBoundsException if there is none
   */
  public long get(long position) {
    Objects.checkIndex(position, length());
    int segment = segmentOf(position);
    return segments[segment].get(position - starts[segment]);
  }

  /**
   * Random access that keeps the caller's order and repeats.
   *
   * <p>Equals: {@code for (i < count) destination[offset + i] = get(positions[from + i])}.
   *
   * @throws IndexOutOfBoundsException if a position has no id
   */
  public void select(long[] positions, int from, int count, long[] destination, int offset) {
    Objects.checkFromIndexSize(from, count, positions.length);
    Objects.checkFromIndexSize(offset, count, destination.length);
    int segment = 0;
    for (int i = 0; i < count; i++) {
      long position = positions[from + i];
      Objects.checkIndex(position, length());
      if (position < starts[segment] || position >= starts[segment + 1]) {
        segment = segmentOf(position);
      }
      destination[offset + i] = segments[segment].get(position - starts[segment]);
    }
  }

  /** As above into a new array. */
  public long[] select(long[] positions) {
    long[] ids = new long[positions.length];
    select(positions, 0, positions.length, ids, 0);
    return ids;
  }

  /**
   * The sequence of positions {@code [offset, offset + length)}; shares the segments.
   *
   * @throws IndexOutOfBoundsException if the range reaches past the end
   */
  public RowIdSequence slice(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, length());
    if (length == 0) {
      return new RowIdSequence(new IdSegment[0]);
    }
    int first = segmentOf(offset);
    int last = segmentOf(offset + length - 1);
    IdSegment[] kept = new IdSegment[last - first + 1];
    for (int i = first; i <= last; i++) {
      long from = Math.max(offset - starts[i], 0);
      long to = Math.min(offset + length - starts[i], segments[i].length());
      kept[i - first] =
          from == 0 && to == segments[i].length()
              ? segments[i]
              : segments[i].slice(from, to - from);
    }
    return new RowIdSequence(kept);
  }

  /** First position of an id, or −1. Segments that cannot hold it are not looked into. */
  public long positionOf(long id) {
    for (int i = 0; i < segments.length; i++) {
      if (segments[i].length() > 0) {
        long index = segments[i].indexOf(id);
        if (index >= 0) {
          return starts[i] + index;
        }
      }
    }
    return -1;
  }

  /**
   * Every position whose id is in the set, ascending. Segments that hold none of them are skipped
   * by their bounds.
   */
  public RowRanges positionsIn(ValueRanges ids) {
    RowRanges ranges = new RowRanges();
    for (int i = 0; i < segments.length; i++) {
      segments[i].collect(ids, starts[i], ranges);
    }
    return ranges;
  }

  /** A cursor before the first id. */
  public RowIdCursor cursor() {
    return new RowIdCursor(this);
  }

  /** A stream over one of the segments. */
  IdStream stream(IdSegment segment) {
    return dense ? new DenseBitmapStream((BitmapSegment) segment) : segment.stream();
  }

  /** The segment that holds a position below the length. */
  int segmentOf(long position) {
    int low = 0;
    int high = segments.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      // a segment that ends at or before the position is passed, so empty ones never match
      if (starts[middle + 1] <= position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  IdSegment segment(int index) {
    return segments[index];
  }

  long segmentStart(int index) {
    return starts[index];
  }
}
