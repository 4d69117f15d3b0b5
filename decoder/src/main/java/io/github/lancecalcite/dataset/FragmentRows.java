package io.github.lancecalcite.dataset;

import io.github.lancecalcite.rowid.RowRanges;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The rows a scan wants from one fragment, cut into batches, forward: those of the predicate that
 * are not deleted. One thread.
 */
final class FragmentRows {
  /**
   * Unwanted words (of 64 rows) after which a batch ends early, so that columns need not be decoded
   * across a long gap.
   */
  private static final int GAP_WORDS = 64;

  private final long physicalRows;

  /** Bit set = wanted, or null when every row is. Bits at or after physicalRows are 0. */
  private final long @Nullable [] wanted;

  private long at;

  /**
   * @param deletions the fragment's deleted rows
   * @param matching rows that the predicate allows, or null for all
   */
  FragmentRows(long physicalRows, DeletionVector deletions, @Nullable RowRanges matching) {
    this.physicalRows = physicalRows;
    this.wanted =
        matching == null && deletions.cardinality() == 0
            ? null
            : wanted(physicalRows, deletions, matching);
  }

  private static long[] wanted(
      long physicalRows, DeletionVector deletions, @Nullable RowRanges matching) {
    long[] words = new long[Math.toIntExact((physicalRows + 63) >>> 6)];
    if (matching == null) {
      set(words, 0, physicalRows);
    } else {
      for (int i = 0; i < matching.size(); i++) {
        set(words, matching.start(i), matching.end(i));
      }
    }
    long[] deleted = deletions.words();
    for (int i = 0; i < deleted.length; i++) {
      words[i] &= ~deleted[i];
    }
    return words;
  }

  private static void set(long[] words, long start, long end) {
    if (start >= end) {
      return;
    }
    int first = (int) (start >>> 6);
    int last = (int) ((end - 1) >>> 6);
    long head = -1L << start;
    long tail = -1L >>> -end;
    if (first == last) {
      words[first] |= head & tail;
    } else {
      words[first] |= head;
      Arrays.fill(words, first + 1, last, -1L);
      words[last] |= tail;
    }
  }

  /** Wanted rows of the whole fragment. */
  long total() {
    if (wanted == null) {
      return physicalRows;
    }
    long total = 0;
    for (long word : wanted) {
      total += Long.bitCount(word);
    }
    return total;
  }

  /** The next batch of at most {@code max} (at least 1) rows, or null at the end. */
  @Nullable BatchRows next(int max) {
    return wanted == null ? nextWhole(max) : nextSelected(wanted, max);
  }

  private @Nullable BatchRows nextWhole(int max) {
    if (at >= physicalRows) {
      return null;
    }
    int rows = (int) Math.min(max, physicalRows - at);
    BatchRows batch = new BatchRows(at, rows, null, rows);
    at += rows;
    return batch;
  }

  private @Nullable BatchRows nextSelected(long[] words, int max) {
    int word = (int) (at >>> 6);
    long bits = word < words.length ? words[word] & (-1L << at) : 0;
    while (bits == 0) {
      if (++word >= words.length) {
        at = physicalRows;
        return null;
      }
      bits = words[word];
    }
    long first = ((long) word << 6) + Long.numberOfTrailingZeros(bits);
    int count = 0;
    long last = first;
    int gap = 0;
    // the span must fit an int, whatever the fragment
    int stop = (int) Math.min(words.length, (long) word + (1 << 20));
    while (true) {
      int n = Long.bitCount(bits);
      if (n >= max - count) {
        last = ((long) word << 6) + select(bits, max - count - 1);
        count = max;
        break;
      }
      if (n > 0) {
        count += n;
        last = ((long) word << 6) + 63 - Long.numberOfLeadingZeros(bits);
        gap = 0;
      } else if (++gap == GAP_WORDS) {
        break;
      }
      if (++word >= stop) {
        break;
      }
      bits = words[word];
    }
    at = last + 1;
    int span = (int) (last - first + 1);
    return new BatchRows(first, span, count == span ? null : extract(words, first, span), count);
  }

  /** Position of the set bit that has {@code rank} set bits below it. */
  private static int select(long bits, int rank) {
    for (int i = 0; i < rank; i++) {
      bits &= bits - 1;
    }
    return Long.numberOfTrailingZeros(bits);
  }

  private static long[] extract(long[] words, long first, int span) {
    int n = (span + 63) >>> 6;
    long[] out = new long[n];
    int from = (int) (first >>> 6);
    int shift = (int) (first & 63);
    for (int i = 0; i < n; i++) {
      long value = words[from + i] >>> shift;
      if (shift != 0 && from + i + 1 < words.length) {
        value |= words[from + i + 1] << (64 - shift);
      }
      out[i] = value;
    }
    int tail = span & 63;
    if (tail != 0) {
      out[n - 1] &= -1L >>> (64 - tail);
    }
    return out;
  }
}
