package io.github.lancecalcite.dataset;

import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.ValueRanges;
import io.github.lancecalcite.format.DataFragment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows that one commit changed, from the row ids and row versions of the fragments it touched;
 * a row that only moved, as in compaction, is not among them. Holds a few words per row of those
 * fragments while it is made, and the addresses of the changed rows.
 */
record CommitChanges(List<Part> parts) {
  /**
   * Rows of one kind.
   *
   * @param of the version that holds their values
   * @param addresses of the rows
   */
  record Part(ChangeType type, Dataset of, ValueRanges addresses) {
    ScanRequest request(List<ScanColumn> columns) {
      return ScanRequest.of(columns)
          .withPredicate(new SystemPredicate(Map.of(SystemColumn.ROW_ADDR, addresses)));
    }
  }

  /**
   * @param before the version before, or null before the first
   * @throws UnsupportedFormatException if the commit replaced values without saying in which rows
   */
  static CommitChanges of(@Nullable Dataset before, Dataset after) throws IOException {
    if (before == null) {
      return new CommitChanges(List.of(new Part(ChangeType.INSERT, after, ValueRanges.ALL)));
    }
    List<Integer> places = FragmentDifference.places(after.manifest(), before.manifest());
    LiveRows then =
        LiveRows.of(before, FragmentDifference.places(before.manifest(), after.manifest()));
    LiveRows now = LiveRows.of(after, places);
    long[] thenIds = then.sortedIds();
    long[] thenVersions = then.versionsOf(thenIds);
    long[] nowIds = now.sortedIds();

    Addresses inserted = new Addresses();
    Addresses rewritten = new Addresses();
    boolean[] updated = new boolean[thenIds.length];
    for (int i = 0; i < now.size(); i++) {
      int place = Arrays.binarySearch(thenIds, now.ids()[i]);
      if (place < 0) {
        inserted.add(now.addresses()[i]);
      } else if (thenVersions[place] != now.versions()[i]) {
        updated[place] = true;
        rewritten.add(now.addresses()[i]);
      }
    }
    Addresses deleted = new Addresses();
    Addresses replaced = new Addresses();
    for (int i = 0; i < then.size(); i++) {
      if (Arrays.binarySearch(nowIds, then.ids()[i]) < 0) {
        deleted.add(then.addresses()[i]);
      } else if (updated[Arrays.binarySearch(thenIds, then.ids()[i])]) {
        replaced.add(then.addresses()[i]);
      }
    }
    checkReplaced(before, after, places, rewritten);
    List<Part> parts = new ArrayList<>();
    deleted.addTo(parts, ChangeType.DELETE, before);
    replaced.addTo(parts, ChangeType.UPDATE_PREIMAGE, before);
    rewritten.addTo(parts, ChangeType.UPDATE_POSTIMAGE, after);
    inserted.addTo(parts, ChangeType.INSERT, after);
    return new CommitChanges(parts);
  }

  /** A fragment that stayed and got other data files must name rows that changed. */
  private static void checkReplaced(
      Dataset before, Dataset after, List<Integer> places, Addresses updated)
      throws UnsupportedFormatException {
    for (int place : places) {
      DataFragment now = after.manifest().fragments().get(place);
      for (DataFragment then : before.manifest().fragments()) {
        if (then.id() == now.id()
            && !then.files().equals(now.files())
            && !updated.anyOf(now.id())) {
          throw new UnsupportedFormatException(
              after.path(),
              "changes in version " + after.versionNumber(),
              "other data files in fragment " + now.id() + " and no row marked as updated",
              "a start at that version or later");
        }
      }
    }
  }

  /** Grows. */
  private static final class Addresses {
    private long[] values = new long[16];
    private int size;

    void add(long address) {
      if (size == values.length) {
        values = Arrays.copyOf(values, 2 * size);
      }
      values[size++] = address;
    }

    boolean anyOf(long fragment) {
      for (int i = 0; i < size; i++) {
        if (values[i] >>> Integer.SIZE == fragment) {
          return true;
        }
      }
      return false;
    }

    void addTo(List<Part> parts, ChangeType type, Dataset of) {
      if (size > 0) {
        parts.add(new Part(type, of, ValueRanges.of(Arrays.copyOf(values, size))));
      }
    }
  }
}
