package io.github.lancecalcite.varlena;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseVariableWidthViewVector;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

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
    int at = copyRows((BaseVariableWidthViewVector) source, null, offset, count);
    long validity = Rows.validity(source);
    int nulls = Rows.nulls(validity, offset, count);
    long bits = to.getValidityBuffer().memoryAddress();
    Rows.copyValidity(validity, offset, bits, at, count, nulls);
    to.setValueCount(at + count);
  }

  @Override
  public void append(FieldVector source, int[] rows, int from, int count) {
    int at = copyRows((BaseVariableWidthViewVector) source, rows, from, count);
    long bits = to.getValidityBuffer().memoryAddress();
    Rows.gatherValidity(Rows.validity(source), rows, from, count, bits, at);
    to.setValueCount(at + count);
  }

  /**
   * Copies views and payload behind the destination's rows; returns the first one's place.
   *
   * @param rows the source's rows, from an index on; null for the rows that follow {@code from}
   */
  private int copyRows(
      BaseVariableWidthViewVector source, int @Nullable [] rows, int from, int count) {
    checkViews(source, rows, from, count);
    ViewPayload payload = new ViewPayload(source.getDataBuffers(), to, mostBufferBytes);
    payload.plan(source.getDataBuffer().memoryAddress(), Rows.validity(source), rows, from, count);
    int at = reserve(count, payload);
    // addresses anew: the source may be the destination, whose memory has moved
    payload.copy(
        source.getDataBuffer().memoryAddress(), Rows.validity(source), rows, from, count, at);
    return at;
  }

  private static void checkViews(
      BaseVariableWidthViewVector source, int @Nullable [] rows, int from, int count) {
    long there = source.getDataBuffer().capacity() / ViewPayload.VIEW_BYTES;
    int most = from + count - 1;
    if (rows != null) {
      most = -1;
      for (int i = from; i < from + count; i++) {
        most = Math.max(most, rows[i]);
      }
    }
    if (most >= there) {
      throw new IndexOutOfBoundsException("views: " + there + ", asked for row " + most);
    }
  }

  /** Allocates what the plan asks for, then makes room for views; returns the first free row. */
  private int reserve(int count, ViewPayload payload) {
    int before = to.getValueCount();
    int after = OwnBuffers.rows(before, count);
    OwnBuffers.checkBytes(0, (long) after * ViewPayload.VIEW_BYTES, OwnBuffers.MAX_BYTES);
    List<ArrowBuf> fresh = new ArrayList<>();
    try {
      for (long bytes : payload.newBuffers()) {
        fresh.add(to.getAllocator().buffer(bytes));
      }
      OwnBuffers.reserve(
          to,
          new long[] {before + 7L >>> 3, (long) before * ViewPayload.VIEW_BYTES},
          new long[] {after + 7L >>> 3, (long) after * ViewPayload.VIEW_BYTES});
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
    int at = copyRows((BaseVariableWidthViewVector) source, null, row, 1);
    int after = OwnBuffers.rows(at, count);
    OwnBuffers.checkBytes(0, (long) after * ViewPayload.VIEW_BYTES, OwnBuffers.MAX_BYTES);
    OwnBuffers.reserve(
        to,
        new long[] {at + 7L >>> 3, (at + 1L) * ViewPayload.VIEW_BYTES},
        new long[] {after + 7L >>> 3, (long) after * ViewPayload.VIEW_BYTES});
    long out = to.getDataBuffer().memoryAddress() + (long) at * ViewPayload.VIEW_BYTES;
    Doubling.fill(out, ViewPayload.VIEW_BYTES, (long) count * ViewPayload.VIEW_BYTES);
    BitRuns.fill(to.getValidityBuffer().memoryAddress(), at, count, valid);
    to.setValueCount(after);
  }
}
