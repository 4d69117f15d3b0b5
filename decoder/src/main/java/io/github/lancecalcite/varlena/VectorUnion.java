package io.github.lancecalcite.varlena;

import java.util.Objects;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthViewVector;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/**
 * Appends rows of source vectors to one destination vector, in bulk.
 *
 * <p>Each method equals: {@code for each row: destination.setSafe(n, source row, or null); n++},
 * and the same for the grouping bits. It reserves once, then copies, then publishes the new row
 * count; if memory cannot be had, the destination's rows are as before. What a source stores past
 * its row count or beneath a null is never looked at. A source may be the destination itself or a
 * slice of it.
 *
 * <p>Both vectors stay the caller's. One thread; sources must not change meanwhile. Addresses of
 * the destination's buffers taken before a call are invalid after it. All vectors of fixed width
 * and VarChar, VarBinary, their large and their view forms are served.
 *
 * <p>After the batched union of MatrixOne (#25013, in the form of #26989 and later).
 */
public final class VectorUnion {
  private final FieldVector to;
  private final @Nullable GroupingBits grouping;
  private final UnionEngine engine;

  private VectorUnion(FieldVector to, @Nullable GroupingBits grouping, UnionEngine engine) {
    this.to = to;
    this.grouping = grouping;
    this.engine = engine;
  }

  /** Whether vectors like this one can be appended to. */
  public static boolean serves(FieldVector vector) {
    return vector instanceof BaseFixedWidthVector
        || vector instanceof BaseVariableWidthVector
        || vector instanceof BaseLargeVariableWidthVector
        || vector instanceof BaseVariableWidthViewVector;
  }

  /** Appends to a vector. */
  public static VectorUnion into(FieldVector destination) {
    return into(destination, null);
  }

  /**
   * Appends to a vector and its grouping bits.
   *
   * @throws IllegalArgumentException if vectors of this kind are not served
   */
  public static VectorUnion into(FieldVector destination, @Nullable GroupingBits grouping) {
    return into(destination, grouping, OwnBuffers.MAX_BYTES);
  }

  static VectorUnion into(
      FieldVector destination, @Nullable GroupingBits grouping, long mostBufferBytes) {
    UnionEngine engine;
    if (destination instanceof BaseFixedWidthVector fixed) {
      engine = new FixedEngine(fixed);
    } else if (destination instanceof BaseVariableWidthVector variable) {
      engine = new OffsetEngine(variable, false);
    } else if (destination instanceof BaseLargeVariableWidthVector large) {
      engine = new OffsetEngine(large, true);
    } else if (destination instanceof BaseVariableWidthViewVector view) {
      engine = new ViewEngine(view, mostBufferBytes);
    } else {
      throw new IllegalArgumentException("no union of vectors of " + destination.getField());
    }
    return new VectorUnion(destination, grouping, engine);
  }

  /** The destination. */
  public FieldVector vector() {
    return to;
  }

  /** Appends all rows. */
  public void append(FieldVector source) {
    append(source, null, 0, source.getValueCount());
  }

  /** Appends rows {@code [offset, offset + count)}. */
  public void append(FieldVector source, int offset, int count) {
    append(source, null, offset, count);
  }

  /** As above, with the source's grouping bits; without, no appended row is grouped. */
  public void append(
      FieldVector source, @Nullable GroupingBits sourceGrouping, int offset, int count) {
    check(source, sourceGrouping);
    Rows.check(source, offset, count);
    if (count == 0) {
      return;
    }
    int at = reserveGrouping(count);
    engine.append(source, offset, count);
    if (grouping != null) {
      if (sourceGrouping == null) {
        grouping.append(at, false, count);
      } else {
        grouping.append(at, sourceGrouping, offset, count);
      }
    }
  }

  /** Appends rows {@code rows[from .. from + count)}, in any order, repeats allowed. */
  public void appendSelected(FieldVector source, int[] rows, int from, int count) {
    appendSelected(source, null, rows, from, count);
  }

  /** As above, with the source's grouping bits. */
  public void appendSelected(
      FieldVector source, @Nullable GroupingBits sourceGrouping, int[] rows, int from, int count) {
    check(source, sourceGrouping);
    Selection selection = new Selection(source, rows, from, count);
    if (count == 0) {
      return;
    }
    int at = reserveGrouping(count);
    engine.append(source, selection);
    if (grouping != null) {
      grouping.append(at, false, count);
      for (int i = 0; sourceGrouping != null && i < count; i++) {
        if (sourceGrouping.isGrouped(rows[from + i])) {
          grouping.set(at + i, true);
        }
      }
    }
  }

  /**
   * Appends the rows {@code offset + i} for which {@code flags[i]} is 1; the flags' length alone
   * says how many rows are looked at.
   *
   * @throws IllegalArgumentException if a flag is neither 0 nor 1; nothing has changed then
   */
  public void appendFlagged(
      FieldVector source, @Nullable GroupingBits sourceGrouping, int offset, byte[] flags) {
    check(source, sourceGrouping);
    Rows.check(source, offset, flags.length);
    int[] rows = new int[flags.length];
    int n = 0;
    for (int i = 0; i < flags.length; i++) {
      if ((flags[i] & ~1) != 0) {
        throw new IllegalArgumentException("flag " + i + " is " + flags[i] + ", not 0 or 1");
      }
      rows[n] = offset + i;
      n += flags[i];
    }
    appendSelected(source, sourceGrouping, rows, 0, n);
  }

  /** Appends one row {@code count} times. */
  public void repeat(FieldVector source, int row, int count) {
    repeat(source, null, row, count);
  }

  /** As above, with the row's grouping bit. */
  public void repeat(
      FieldVector source, @Nullable GroupingBits sourceGrouping, int row, int count) {
    check(source, sourceGrouping);
    Rows.check(source, row, 1);
    if (count < 0) {
      throw new IllegalArgumentException("count " + count + " is below 0");
    }
    if (count == 0) {
      return;
    }
    int at = reserveGrouping(count);
    boolean grouped = sourceGrouping != null && sourceGrouping.isGrouped(row);
    engine.repeat(source, row, count);
    if (grouping != null) {
      grouping.append(at, grouped, count);
    }
  }

  private int reserveGrouping(int count) {
    int at = to.getValueCount();
    if (grouping != null) {
      grouping.reserve(OwnBuffers.rows(at, count));
    }
    return at;
  }

  private void check(FieldVector source, @Nullable GroupingBits sourceGrouping) {
    Objects.requireNonNull(source);
    if (source.getClass() != to.getClass()
        || source instanceof BaseFixedWidthVector s
            && s.getTypeWidth() != ((BaseFixedWidthVector) to).getTypeWidth()) {
      throw new IllegalArgumentException(
          "cannot append " + source.getField() + " to " + to.getField());
    }
    if (sourceGrouping != null && grouping == null) {
      throw new IllegalArgumentException("no place for the source's grouping bits");
    }
  }
}
