package io.github.lancecalcite.dataset;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.rowid.LongCursor;
import io.github.lancecalcite.rowid.RowIdCursor;
import io.github.lancecalcite.rowid.VersionCursor;
import java.io.IOException;

/**
 * Produces one system column for ascending physical positions of a fragment, in bulk, into memory
 * outside the heap that the caller has sized. One thread; keeps its cursor from call to call.
 */
abstract class SystemColumnWriter {
  /** Values that pass through a heap array at a time: 16 KiB, so that they stay in L1. */
  static final int BLOCK = 2048;

  /** Writes the values of positions {@code first, first + 1, … first + count − 1}. */
  abstract void range(long first, int count, long address) throws IOException;

  /** Writes the values of the first {@code count}, at most {@link #BLOCK}, ascending positions. */
  abstract void positions(long[] positions, int count, long address) throws IOException;

  /**
   * @param liveRowsBefore live rows of all fragments that come before
   * @param scratch {@link #BLOCK} values that nobody else needs during a call
   */
  static SystemColumnWriter of(
      SystemColumn column, RowMetadata rows, long liveRowsBefore, long[] scratch)
      throws IOException {
    return switch (column) {
      case ROW_ID -> new Ids(rows, scratch);
      case ROW_ADDR -> new Shifted(rows.firstAddress());
      case ROW_CREATED_AT_VERSION -> new Versions(rows, rows.createdAt().cursor(), scratch);
      case ROW_LAST_UPDATED_AT_VERSION ->
          new Versions(rows, rows.lastUpdatedAt().cursor(), scratch);
      case ROW_OFFSET -> new LiveOrdinals(rows.deletions().words(), liveRowsBefore);
      case FRAGMENT_ID -> new Constant(rows.fragmentId());
    };
  }

  /** A cursor that ends before the rows do must not go unnoticed. */
  private static void checkFull(RowMetadata rows, LongCursor cursor, int expected, int actual)
      throws CorruptFileException {
    if (actual != expected) {
      throw rows.tooFew(cursor.length());
    }
  }

  /** Position plus a constant. */
  private static final class Shifted extends SystemColumnWriter {
    private final long plus;

    Shifted(long plus) {
      this.plus = plus;
    }

    @Override
    void range(long first, int count, long address) {
      OffHeapLongs.iota(address, count, plus + first);
    }

    @Override
    void positions(long[] positions, int count, long address) {
      OffHeapLongs.copyPlus(positions, count, plus, address);
    }
  }

  /** One value for all rows. */
  private static final class Constant extends SystemColumnWriter {
    private final long value;

    Constant(long value) {
      this.value = value;
    }

    @Override
    void range(long first, int count, long address) {
      OffHeapLongs.fill(address, count, value);
    }

    @Override
    void positions(long[] positions, int count, long address) {
      OffHeapLongs.fill(address, count, value);
    }
  }

  /** Row ids: straight from ranges, through the scratch from everything else. */
  private static final class Ids extends SystemColumnWriter {
    private final RowMetadata rows;
    private final RowIdCursor cursor;
    private final long[] scratch;

    Ids(RowMetadata rows, long[] scratch) throws IOException {
      this.rows = rows;
      this.cursor = rows.rowIds().cursor();
      this.scratch = scratch;
    }

    @Override
    void range(long first, int count, long address) throws IOException {
      cursor.seek(first);
      int done = 0;
      while (done < count) {
        long at = address + (long) done * Long.BYTES;
        int run = (int) Math.min(cursor.rangeRemaining(), count - done);
        if (run > 0) {
          OffHeapLongs.iota(at, run, cursor.nextOfRange(run));
        } else {
          run = Math.min(BLOCK, count - done);
          checkFull(rows, cursor, run, cursor.next(scratch, 0, run));
          OffHeapLongs.copy(scratch, run, at);
        }
        done += run;
      }
    }

    @Override
    void positions(long[] positions, int count, long address) {
      long first = positions[0];
      long span = positions[count - 1] - first + 1;
      cursor.seek(first);
      if (cursor.rangeRemaining() >= span) {
        OffHeapLongs.copyPlus(positions, count, cursor.nextOfRange(span) - first, address);
      } else {
        cursor.read(positions, 0, count, scratch, 0);
        OffHeapLongs.copy(scratch, count, address);
      }
    }
  }

  /** Versions: constant fills from long runs, through the scratch from short ones. */
  private static final class Versions extends SystemColumnWriter {
    /** A run of fewer rows is not worth a call. */
    private static final int SHORT_RUN = 32;

    private final RowMetadata rows;
    private final VersionCursor cursor;
    private final long[] scratch;

    Versions(RowMetadata rows, VersionCursor cursor, long[] scratch) {
      this.rows = rows;
      this.cursor = cursor;
      this.scratch = scratch;
    }

    @Override
    void range(long first, int count, long address) throws IOException {
      cursor.seek(first);
      int done = 0;
      while (done < count) {
        long at = address + (long) done * Long.BYTES;
        int run = (int) Math.min(cursor.runRemaining(), count - done);
        if (run >= SHORT_RUN) {
          OffHeapLongs.fill(at, run, cursor.nextOfRun(run));
        } else {
          run = Math.min(BLOCK, count - done);
          checkFull(rows, cursor, run, cursor.next(scratch, 0, run));
          OffHeapLongs.copy(scratch, run, at);
        }
        done += run;
      }
    }

    @Override
    void positions(long[] positions, int count, long address) {
      long first = positions[0];
      long span = positions[count - 1] - first + 1;
      cursor.seek(first);
      if (cursor.runRemaining() >= span) {
        OffHeapLongs.fill(address, count, cursor.nextOfRun(span));
      } else {
        cursor.read(positions, 0, count, scratch, 0);
        OffHeapLongs.copy(scratch, count, address);
      }
    }
  }

  /** How many live rows of the dataset come before a live row. */
  private static final class LiveOrdinals extends SystemColumnWriter {
    private final long[] deleted;
    private final long liveRowsBefore;

    /** Deleted rows in the words before {@link #word}. */
    private long dead;

    private int word;

    LiveOrdinals(long[] deleted, long liveRowsBefore) {
      this.deleted = deleted;
      this.liveRowsBefore = liveRowsBefore;
    }

    private long ordinal(long position) {
      int wanted = (int) Math.min(position >>> 6, deleted.length);
      while (word < wanted) {
        dead += Long.bitCount(deleted[word++]);
      }
      long before = dead;
      if (word < deleted.length) {
        before += Long.bitCount(deleted[word] & ~(-1L << position));
      }
      return liveRowsBefore + position - before;
    }

    @Override
    void range(long first, int count, long address) {
      OffHeapLongs.iota(address, count, ordinal(first));
    }

    @Override
    void positions(long[] positions, int count, long address) {
      for (int i = 0; i < count; i++) {
        OffHeapLongs.fill(address + (long) i * Long.BYTES, 1, ordinal(positions[i]));
      }
    }
  }
}
