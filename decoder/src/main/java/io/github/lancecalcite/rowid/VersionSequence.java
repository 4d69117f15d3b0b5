package io.github.lancecalcite.rowid;

import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.ValueRanges;
import io.github.lancecalcite.format.EncodedU64Array;
import io.github.lancecalcite.format.U64Segment;
import io.github.lancecalcite.format.VersionRun;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The dataset version of each physical row of a fragment, in which it was created or last updated.
 * Immutable, random access by position; {@link #cursor} for ordered reading.
 *
 * <p>Runs are laid end to end; a run has as many rows as its span has values, and what those values
 * are means nothing (a compaction keeps stale ones). Neighbours of one version are one run here.
 * Rows that no run covers have version {@value #MISSING}, as Lance defines it.
 */
public final class VersionSequence {
  /** Version of rows for which none is recorded. */
  public static final long MISSING = 1;

  private final long[] lengths;
  private final long[] versions;
  private final long length;

  /** Position behind run i; made by the first backward seek. Racy on purpose, never changes. */
  private long @Nullable [] ends;

  private VersionSequence(long[] lengths, long[] versions, long length) {
    this.lengths = lengths;
    this.versions = versions;
    this.length = length;
  }

  /**
   * The versions of {@code rows} rows. Runs past the end are cut off.
   *
   * @throws DecodeException if a bitmap's size does not fit its range
   */
  public static VersionSequence of(List<VersionRun> runs, long rows) {
    long[] lengths = new long[runs.size() + 1];
    long[] versions = new long[runs.size() + 1];
    int count = 0;
    long covered = 0;
    for (VersionRun run : runs) {
      long length = Math.min(spanLength(run.span()), rows - covered);
      count = append(lengths, versions, count, length, run.version());
      covered += length;
    }
    count = append(lengths, versions, count, rows - covered, MISSING);
    return new VersionSequence(Arrays.copyOf(lengths, count), Arrays.copyOf(versions, count), rows);
  }

  /** What a fragment without version metadata has. */
  public static VersionSequence missing(long rows) {
    return of(List.of(), rows);
  }

  private static int append(long[] lengths, long[] versions, int count, long length, long version) {
    if (length == 0) {
      return count;
    }
    if (count > 0 && versions[count - 1] == version) {
      lengths[count - 1] += length;
      return count;
    }
    lengths[count] = length;
    versions[count] = version;
    return count + 1;
  }

  /** Number of values that a span has. */
  private static long spanLength(U64Segment span) {
    // an instanceof chain because Java 17 has no pattern switch
    if (span instanceof U64Segment.Range range) {
      return range.end() - range.start();
    }
    if (span instanceof U64Segment.RangeWithHoles range) {
      return range.end() - range.start() - count(range.holes());
    }
    if (span instanceof U64Segment.RangeWithBitmap range) {
      return new BitmapSegment(range).length();
    }
    if (span instanceof U64Segment.SortedArray array) {
      return count(array.values());
    }
    return count(((U64Segment.Array) span).values());
  }

  private static long count(EncodedU64Array values) {
    if (values instanceof EncodedU64Array.U16 u16) {
      return u16.offsets().length / Short.BYTES;
    }
    if (values instanceof EncodedU64Array.U32 u32) {
      return u32.offsets().length / Integer.BYTES;
    }
    return ((EncodedU64Array.U64) values).values().length / Long.BYTES;
  }

  /** Number of rows. */
  public long length() {
    return length;
  }

  /** Number of runs of different neighbours. */
  public int runCount() {
    return lengths.length;
  }

  /** Rows of a run, never 0. */
  long runLength(int run) {
    return lengths[run];
  }

  /** Rows of eight runs together. */
  long eightRuns(int first) {
    long[] rows = lengths;
    return rows[first]
        + rows[first + 1]
        + (rows[first + 2] + rows[first + 3])
        + (rows[first + 4] + rows[first + 5] + (rows[first + 6] + rows[first + 7]));
  }

  /** Version of a run's rows. */
  public long runVersion(int run) {
    return versions[run];
  }

  /** The version of a row. Builds the run index when called first. */
  public long get(long position) {
    Objects.checkIndex(position, length);
    return versions[runOf(position)];
  }

  /** A cursor before the first row. */
  public VersionCursor cursor() {
    return new VersionCursor(this);
  }

  /** Every position whose version is in the set, ascending; looks at each run once. */
  public RowRanges positionsIn(ValueRanges allowed) {
    RowRanges ranges = new RowRanges();
    long start = 0;
    for (int run = 0; run < lengths.length; run++) {
      if (allowed.contains(versions[run])) {
        ranges.add(start, start + lengths[run]);
      }
      start += lengths[run];
    }
    return ranges;
  }

  /** Number of runs whose version is in the set. */
  public int runsIn(ValueRanges allowed) {
    int runs = 0;
    for (long version : versions) {
      if (allowed.contains(version)) {
        runs++;
      }
    }
    return runs;
  }

  boolean hasIndex() {
    return ends != null;
  }

  /** Position behind a run; builds the index when called first. */
  long runEnd(int run) {
    return ends()[run];
  }

  /** The run that holds a position below the length. */
  int runOf(long position) {
    int found = Arrays.binarySearch(ends(), position);
    return found >= 0 ? found + 1 : -found - 1;
  }

  private long[] ends() {
    long[] known = ends;
    if (known == null) {
      known = new long[lengths.length];
      long end = 0;
      for (int i = 0; i < known.length; i++) {
        end += lengths[i];
        known[i] = end;
      }
      ends = known;
    }
    return known;
  }
}
