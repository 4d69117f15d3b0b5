package io.github.lancecalcite.rowid;

import io.github.lancecalcite.ValueRanges;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows by id across the fragments of a dataset version. An update leaves the old copy of a
 * row behind, deleted, under the same id, so deleted positions never answer. Immutable.
 */
public final class RowIdIndex {
  /** Answer for an id that no live row has. */
  public static final long NOT_FOUND = -1;

  private final List<Entry> entries;

  /**
   * One fragment.
   *
   * @param fragmentId unsigned 32-bit
   * @param deleted bit p set: physical row p is deleted; shorter than the rows means the rest is
   *     live; null means all are
   */
  public record Entry(long fragmentId, RowIdSequence rowIds, long @Nullable [] deleted) {}

  /** Rows of one fragment. */
  public record Match(long fragmentId, RowRanges rows) {}

  public RowIdIndex(List<Entry> fragments) {
    this.entries = List.copyOf(fragments);
  }

  /**
   * Address of the live row with an id: {@code fragment id << 32 | offset}, or {@link #NOT_FOUND}.
   */
  public long addressOf(long id) {
    ValueRanges wanted = ValueRanges.closed(id, id);
    for (Entry entry : entries) {
      RowRanges rows = live(entry, entry.rowIds.positionsIn(wanted));
      if (rows.size() > 0) {
        return entry.fragmentId << 32 | rows.start(0);
      }
    }
    return NOT_FOUND;
  }

  /** Live rows whose id is in the set, by fragment; fragments without any are left out. */
  public List<Match> find(ValueRanges ids) {
    List<Match> matches = new ArrayList<>();
    for (Entry entry : entries) {
      RowRanges rows = live(entry, entry.rowIds.positionsIn(ids));
      if (rows.size() > 0) {
        matches.add(new Match(entry.fragmentId, rows));
      }
    }
    return matches;
  }

  private static RowRanges live(Entry entry, RowRanges rows) {
    return entry.deleted == null ? rows : rows.without(entry.deleted);
  }
}
