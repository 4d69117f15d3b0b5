package io.github.lancecalcite.varlena;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;
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
  private static final int VIEW_BYTES = 16;
  private static final int MOST_INLINE = 12;
  private static final long LEAST_BUFFER_BYTES = 64 * 1024;

  private final BaseVariableWidthViewVector to;
  private final long mostBufferBytes;

  ViewEngine(BaseVariableWidthViewVector to, long mostBufferBytes) {
    this.to = to;
    this.mostBufferBytes = mostBufferBytes;
  }

  /** The rows of an append, in order. */
  private interface Selection {
    int row(int i);
  }

  @Override
  public void append(FieldVector source, int offset, int count) {
    int at = copyRows((BaseVariableWidthViewVector) source, i -> offset + i, count);
    long validity = Rows.validity(source);
    int nulls = Rows.nulls(validity, offset, count);
    long bits = to.getValidityBuffer().memoryAddress();
    Rows.copyValidity(validity, offset, bits, at, count, nulls);
    to.setValueCount(at + count);
  }

  @Override
  public void append(FieldVector source, int[] rows, int from, int count) {
    int at = copyRows((BaseVariableWidthViewVector) source, i -> rows[from + i], count);
    long bits = to.getValidityBuffer().memoryAddress();
    Rows.gatherValidity(Rows.validity(source), rows, from, count, bits, at);
    to.setValueCount(at + count);
  }

  /** Copies views and payload behind the destination's rows; returns the first one's place. */
  private int copyRows(BaseVariableWidthViewVector source, Selection rows, int count) {
    checkViews(source, rows, count);
    Payload payload = new Payload(source.getDataBuffers());
    long validity = Rows.validity(source);
    long views = source.getDataBuffer().memoryAddress();
    for (int i = 0; i < count; i++) {
      int row = rows.row(i);
      if (Rows.isValid(validity, row)) {
        payload.plan(views + (long) row * VIEW_BYTES);
      }
    }
    int at = reserve(count, payload);
    validity = Rows.validity(source);
    views = source.getDataBuffer().memoryAddress();
    long out = to.getDataBuffer().memoryAddress() + (long) at * VIEW_BYTES;
    payload.startCopy();
    for (int i = 0; i < count; i++, out += VIEW_BYTES) {
      int row = rows.row(i);
      long view = views + (long) row * VIEW_BYTES;
      if (!Rows.isValid(validity, row)) {
        MemoryUtil.putLong(out, 0);
        MemoryUtil.putLong(out + 8, 0);
      } else if (MemoryUtil.getInt(view) <= MOST_INLINE) {
        copyInline(view, out);
      } else {
        payload.copy(view, out);
      }
    }
    payload.endCopy();
    return at;
  }

  private static void checkViews(BaseVariableWidthViewVector source, Selection rows, int count) {
    long there = source.getDataBuffer().capacity() / VIEW_BYTES;
    int most = -1;
    for (int i = 0; i < count; i++) {
      most = Math.max(most, rows.row(i));
    }
    if (most >= there) {
      throw new IndexOutOfBoundsException("views: " + there + ", asked for row " + most);
    }
  }

  /** Views compare by their 16 bytes, so that what lies behind a short value must be zero. */
  private static void copyInline(long view, long out) {
    long first = MemoryUtil.getLong(view);
    long second = MemoryUtil.getLong(view + 8);
    int length = (int) first;
    MemoryUtil.putLong(out, length >= 4 ? first : first & (1L << 32 + 8 * length) - 1);
    int inSecond = length - 4;
    long kept = inSecond >= 8 ? second : inSecond <= 0 ? 0 : second & (1L << 8 * inSecond) - 1;
    MemoryUtil.putLong(out + 8, kept);
  }

  /** Allocates what the plan asks for, then makes room for views; returns the first free row. */
  private int reserve(int count, Payload payload) {
    int before = to.getValueCount();
    int after = OwnBuffers.rows(before, count);
    OwnBuffers.checkBytes(0, (long) after * VIEW_BYTES, OwnBuffers.MAX_BYTES);
    List<ArrowBuf> fresh = new ArrayList<>();
    try {
      for (long bytes : payload.newBuffers()) {
        fresh.add(to.getAllocator().buffer(bytes));
      }
      OwnBuffers.reserve(
          to,
          new long[] {before + 7L >>> 3, (long) before * VIEW_BYTES},
          new long[] {after + 7L >>> 3, (long) after * VIEW_BYTES});
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
    int at = copyRows((BaseVariableWidthViewVector) source, i -> row, 1);
    int after = OwnBuffers.rows(at, count);
    OwnBuffers.checkBytes(0, (long) after * VIEW_BYTES, OwnBuffers.MAX_BYTES);
    OwnBuffers.reserve(
        to,
        new long[] {at + 7L >>> 3, (at + 1L) * VIEW_BYTES},
        new long[] {after + 7L >>> 3, (long) after * VIEW_BYTES});
    long out = to.getDataBuffer().memoryAddress() + (long) at * VIEW_BYTES;
    Doubling.fill(out, VIEW_BYTES, (long) count * VIEW_BYTES);
    BitRuns.fill(to.getValidityBuffer().memoryAddress(), at, count, valid);
    to.setValueCount(after);
  }

  /** Long values of one append: planned in a first pass over the views, copied in a second. */
  private final class Payload {
    private final List<ArrowBuf> from;
    private final List<Long> fills = new ArrayList<>();
    private final int firstBuffer;
    private final long firstFree;

    // the value before, of the source
    private int index = -1;
    private long offset;
    private int length;

    // where the next value goes
    private int step;
    private long fill;

    // a run of neighbours not yet copied
    private long runFrom;
    private long runTo;
    private long runBytes;
    private long outOffset;

    Payload(List<ArrowBuf> from) {
      this.from = from;
      List<ArrowBuf> own = to.getFieldBuffers();
      int last = own.size() - 1;
      long used = 0;
      long free = 0;
      if (last >= 2 && !OwnBuffers.isShared(own, last)) {
        used = own.get(last).writerIndex();
        free = Math.min(own.get(last).capacity(), mostBufferBytes) - used;
      }
      boolean reuse = free > 0;
      this.firstBuffer = last - 2 + (reuse ? 0 : 1);
      this.firstFree = reuse ? free : mostBufferBytes;
      this.reusedBytes = reuse ? used : 0;
      this.reuses = reuse;
      fills.add(0L);
    }

    private final boolean reuses;
    private final long reusedBytes;

    private boolean repeats(long view) {
      return index == MemoryUtil.getInt(view + 8)
          && offset == MemoryUtil.getInt(view + 12)
          && length == MemoryUtil.getInt(view);
    }

    private void remember(long view) {
      length = MemoryUtil.getInt(view);
      index = MemoryUtil.getInt(view + 8);
      offset = MemoryUtil.getInt(view + 12);
    }

    private boolean fits(long bytes) {
      return fill + bytes <= (step == 0 ? firstFree : mostBufferBytes);
    }

    /** Counts a valid row's value. */
    void plan(long view) {
      int bytes = MemoryUtil.getInt(view);
      if (bytes >= 0 && bytes <= MOST_INLINE || repeats(view)) {
        return;
      }
      remember(view);
      if (bytes < 0
          || index < 0
          || index >= from.size()
          || offset < 0
          || offset + bytes > from.get(index).capacity()) {
        throw new IndexOutOfBoundsException(
            "view of " + bytes + " bytes at " + offset + " of data buffer " + index);
      }
      OwnBuffers.checkBytes(0, bytes, mostBufferBytes);
      if (!fits(bytes)) {
        step++;
        fill = 0;
        fills.add(0L);
      }
      fill += bytes;
      fills.set(step, fill);
    }

    /** Sizes of the buffers to open. */
    List<Long> newBuffers() {
      List<Long> sizes = new ArrayList<>();
      for (int i = reuses ? 1 : 0; i < fills.size(); i++) {
        long bytes = fills.get(i);
        if (bytes > 0 && i == fills.size() - 1) {
          // room for the appends to come, more with each buffer
          long last = to.getDataBuffers().isEmpty() ? 0 : lastCapacity();
          long roomy = Math.max(LEAST_BUFFER_BYTES, Math.min(2 * last, 16 * bytes));
          bytes = Math.min(Math.max(bytes, roomy), mostBufferBytes);
        }
        if (bytes > 0) {
          sizes.add(bytes);
        }
      }
      return sizes;
    }

    private long lastCapacity() {
      return to.getDataBuffers().get(to.getDataBuffers().size() - 1).capacity();
    }

    void startCopy() {
      index = -1;
      step = 0;
      fill = 0;
      runBytes = 0;
    }

    private ArrowBuf target() {
      return to.getDataBuffers().get(firstBuffer + step);
    }

    /** Copies a long value, or puts the copy off until its neighbours are known. */
    void copy(long view, long out) {
      int bytes = MemoryUtil.getInt(view);
      if (!repeats(view)) {
        boolean neighbour =
            runBytes > 0
                && index == MemoryUtil.getInt(view + 8)
                && offset + length == MemoryUtil.getInt(view + 12)
                && fits(bytes);
        remember(view);
        if (!neighbour) {
          flush();
          if (!fits(bytes)) {
            endBuffer();
            step++;
            fill = 0;
          }
          runFrom = from.get(index).memoryAddress() + offset;
          runTo = target().memoryAddress() + base() + fill;
        }
        outOffset = base() + fill;
        runBytes += bytes;
        fill += bytes;
      }
      MemoryUtil.putLong(out, MemoryUtil.getLong(view)); // length and prefix
      MemoryUtil.putInt(out + 8, firstBuffer + step);
      MemoryUtil.putInt(out + 12, (int) outOffset);
    }

    private long base() {
      return step == 0 ? reusedBytes : 0;
    }

    private void flush() {
      if (runBytes > 0) {
        MemoryUtil.copyMemory(runFrom, runTo, runBytes);
        runBytes = 0;
      }
    }

    private void endBuffer() {
      if (fill > 0) {
        target().writerIndex(base() + fill);
      }
    }

    void endCopy() {
      flush();
      endBuffer();
    }
  }
}
