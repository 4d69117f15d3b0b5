package io.github.lancecalcite.varlena;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseVariableWidthViewVector;
import org.apache.arrow.vector.FieldVector;

/**
 * Appends to view vectors. The destination owns its payload: long values are copied into its own
 * data buffers, only those that a valid row refers to, neighbours in one go, and a value that
 * repeats the one before it once. Values of at most 12 bytes stay inside their view.
 *
 * <pre>
 * view: i32 length; up to 12 bytes: the value, padded with zeros
 *                   more:           4 bytes prefix, i32 data buffer, i32 offset in it
 * </pre>
 *
 * The last data buffer is written into while nobody else holds it and it has room; otherwise a new
 * one is opened, large enough that many small appends do not make many buffers. Null rows get
 * zeros.
 */
final class ViewEngine implements UnionEngine {
  private final BaseVariableWidthViewVector to;
  private final long mostBufferBytes;

  ViewEngine(BaseVariableWidthViewVector to, long mostBufferBytes) {
    this.to = to;
    this.mostBufferBytes = mostBufferBytes;
  }

  @Override
  public void append(FieldVector source, int offset, int count) {
    checkViews(source, offset + count - 1);
    int nulls = Rows.nulls(Rows.validity(source), offset, count);
    if (!appendSpans(source, offset, count, nulls)) {
      append(source, Selection.range(source, offset, count));
    }
  }

  /** Appends rows that consist of few spans; false, with nothing changed, when they do not. */
  private boolean appendSpans(FieldVector source, int offset, int count, int nulls) {
    ViewSource data = new ViewSource(((BaseVariableWidthViewVector) source).getDataBuffers());
    long validity = nulls == 0 ? 0 : Rows.validity(source);
    long views = source.getDataBuffer().memoryAddress();
    List<ViewSpan> spans = ViewSpan.find(views, validity, offset, count, data);
    if (spans.isEmpty() || spans.stream().anyMatch(span -> span.bytes() > mostBufferBytes)) {
      return false;
    }
    ViewTarget target = new ViewTarget(to, mostBufferBytes);
    boolean[] isNext = new boolean[spans.size()];
    for (int i = 0; i < isNext.length; i++) {
      isNext[i] = target.plan(spans.get(i).bytes());
    }
    int at = reserve(count, target);
    // addresses anew: the source may be the destination, whose memory has moved
    validity = nulls == 0 ? 0 : Rows.validity(source);
    views = source.getDataBuffer().memoryAddress();
    long out = viewAddress(at);
    for (int i = 0; i < isNext.length; i++) {
      if (isNext[i]) {
        target.next();
      }
      ViewSpan span = spans.get(i);
      span.copy(views, validity, out, data, target);
      out += (long) span.rows() * ViewSource.VIEW_BYTES;
    }
    long bits = to.getValidityBuffer().memoryAddress();
    Rows.copyValidity(Rows.validity(source), offset, bits, at, count, nulls);
    to.setValueCount(at + count);
    return true;
  }

  @Override
  public void append(FieldVector source, Selection rows) {
    checkViews(source, rows.highest());
    ViewSource data = new ViewSource(((BaseVariableWidthViewVector) source).getDataBuffers());
    ViewTarget target = new ViewTarget(to, mostBufferBytes);
    ViewSelection selection = new ViewSelection(rows, data, target);
    selection.plan(source.getDataBuffer().memoryAddress());
    int at = reserve(rows.count(), target);
    // the address anew: the source may be the destination, whose memory has moved
    selection.copy(source.getDataBuffer().memoryAddress(), viewAddress(at));
    rows.writeValidity(to.getValidityBuffer().memoryAddress(), at);
    to.setValueCount(at + rows.count());
  }

  private long viewAddress(int row) {
    return to.getDataBuffer().memoryAddress() + (long) row * ViewSource.VIEW_BYTES;
  }

  private static void checkViews(FieldVector source, int highest) {
    long there = source.getDataBuffer().capacity() / ViewSource.VIEW_BYTES;
    if (highest >= there) {
      throw new IndexOutOfBoundsException("views: " + there + ", asked for row " + highest);
    }
  }

  /** Allocates what the plan asks for, then makes room for views; returns the first free row. */
  private int reserve(int count, ViewTarget target) {
    int before = to.getValueCount();
    int after = OwnBuffers.rows(before, count);
    OwnBuffers.checkBytes(0, (long) after * ViewSource.VIEW_BYTES, OwnBuffers.MAX_BYTES);
    List<ArrowBuf> fresh = new ArrayList<>();
    try {
      for (long bytes : target.newBuffers()) {
        fresh.add(to.getAllocator().buffer(bytes));
      }
      OwnBuffers.reserve(
          to,
          new long[] {before + 7L >>> 3, (long) before * ViewSource.VIEW_BYTES},
          new long[] {after + 7L >>> 3, (long) after * ViewSource.VIEW_BYTES});
    } catch (RuntimeException | Error e) {
      fresh.forEach(ArrowBuf::close);
      throw e;
    }
    to.getDataBuffers().addAll(fresh);
    return before;
  }

  @Override
  public void repeat(FieldVector source, int row, int count) {
    boolean valid = Rows.isValid(Rows.validity(source), row);
    int at = to.getValueCount();
    int after = OwnBuffers.rows(at, count);
    OwnBuffers.checkBytes(0, (long) after * ViewSource.VIEW_BYTES, OwnBuffers.MAX_BYTES);
    append(source, row, 1);
    to.setValueCount(at); // until there is room for all
    OwnBuffers.reserve(
        to,
        new long[] {at + 7L >>> 3, (at + 1L) * ViewSource.VIEW_BYTES},
        new long[] {after + 7L >>> 3, (long) after * ViewSource.VIEW_BYTES});
    Doubling.fill(viewAddress(at), ViewSource.VIEW_BYTES, (long) count * ViewSource.VIEW_BYTES);
    BitRuns.fill(to.getValidityBuffer().memoryAddress(), at, count, valid);
    to.setValueCount(after);
  }
}
