package io.github.lancecalcite.dataset;

import io.github.lancecalcite.rowid.RowIdCursor;
import io.github.lancecalcite.rowid.RowIdSequence;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.UInt8Vector;

/**
 * The system columns of one fragment's selected rows, in order, all at once. Lives as long as the
 * fragment's stream; one thread.
 *
 * <p>Reads ahead: values are made in chunks of a whole number of batches, at most {@value
 * #READ_AHEAD_VALUES} values over all columns (512 KiB), and batches are slices of the chunk
 * without a copy. A chunk is complete before its first slice leaves, and never reaches past the
 * selection. When batch sizes vary (other than the last) what is left of the chunk is served and
 * from then on each batch is decoded by itself. A batch above the read-ahead is decoded as one.
 *
 * <p>Equals: for each of the next {@code rows} selected positions, each column's value.
 *
 * <p>Source: Lance pull request 8747.
 */
final class SystemColumnReader implements Closeable {
  /** Values held ahead of the consumer, over all columns. */
  static final int READ_AHEAD_VALUES = 64 * 1024;

  private final BufferAllocator allocator;
  private final RowIdCursor positions;
  private final long[] positionBlock = new long[SystemColumnWriter.BLOCK];
  private final SystemColumnWriter[] writers;
  private final UInt8Vector[] vectors;

  /** One buffer per column, or empty before the first batch. */
  private ArrowBuf[] chunk = new ArrowBuf[0];

  /** Rows that the chunk holds, and those of them that were handed out. */
  private int chunkRows;

  private int chunkUsed;

  /** Set bits for the batches' validity, grown to the largest batch. */
  private ArrowBuf valid;

  /** Size of the first batch while all were of that size, 0 before, −1 when they vary. */
  private int uniformRows;

  private SystemColumnReader(
      BufferAllocator allocator,
      RowIdSequence selection,
      SystemColumnWriter[] writers,
      UInt8Vector[] vectors) {
    this.allocator = allocator;
    this.positions = selection.cursor();
    this.writers = writers;
    this.vectors = vectors;
    this.valid = allocator.getEmpty();
  }

  /**
   * Reads the metadata that the columns need and checks it against the number of rows.
   *
   * @param columns at least one
   * @param selection physical positions to produce, ascending; ends where the scan's limit does
   * @param liveRowsBefore live rows of the fragments before this one
   * @throws io.github.lancecalcite.CorruptFileException if the fragment has not one id per row
   */
  static SystemColumnReader open(
      RowMetadata rows,
      List<SystemColumn> columns,
      RowIdSequence selection,
      long liveRowsBefore,
      BufferAllocator allocator)
      throws IOException {
    long[] scratch = new long[SystemColumnWriter.BLOCK];
    SystemColumnWriter[] writers = new SystemColumnWriter[columns.size()];
    UInt8Vector[] vectors = new UInt8Vector[columns.size()];
    for (int i = 0; i < writers.length; i++) {
      writers[i] = SystemColumnWriter.of(columns.get(i), rows, liveRowsBefore, scratch);
      vectors[i] = SystemVectors.create(columns.get(i), allocator);
    }
    return new SystemColumnReader(allocator, selection, writers, vectors);
  }

  /** Selected rows that were not handed out yet. */
  long remaining() {
    return positions.length() - positions.position() + chunkRows - chunkUsed;
  }

  /**
   * The vectors that {@link #next} fills, one per column in the order asked for. They stay the
   * reader's; a consumer that wants to keep values transfers or slices them away.
   */
  List<UInt8Vector> vectors() {
    return List.of(vectors);
  }

  /**
   * Points the vectors at the next rows.
   *
   * @param rows from 1 to {@link #remaining}
   */
  void next(int rows) throws IOException {
    if (rows < 1 || rows > remaining()) {
      throw new IllegalArgumentException(rows + " rows of " + remaining());
    }
    if (rows != uniformRows && uniformRows >= 0 && (uniformRows == 0 || rows != remaining())) {
      uniformRows = uniformRows == 0 ? rows : -1;
    }
    ensureValid(rows);
    int available = chunkRows - chunkUsed;
    if (rows > available) {
      if (available > 0) {
        joinBoundary(available, rows);
      } else {
        refill(uniformRows == rows ? aheadOf(rows) : rows);
      }
    }
    for (int i = 0; i < vectors.length; i++) {
      SystemVectors.point(vectors[i], valid, chunk[i], chunkUsed, rows);
    }
    chunkUsed += rows;
  }

  /** Whole batches that fit the read-ahead and the selection, at least one batch. */
  private int aheadOf(int rows) {
    // a power of two, as the allocator would round up to it anyway
    int values = Integer.highestOneBit(READ_AHEAD_VALUES / writers.length);
    return (int) Math.min(Math.max(values / rows, 1) * (long) rows, remaining());
  }

  private void refill(int rows) throws IOException {
    long bytes = (long) rows * Long.BYTES;
    for (UInt8Vector vector : vectors) {
      vector.clear();
    }
    if (chunk.length == 0 || !isReusable(bytes)) {
      releaseChunk();
      chunk = allocate(bytes);
    }
    // nothing may be handed out of a chunk that failed half-way
    chunkRows = 0;
    chunkUsed = 0;
    decode(chunk, 0, rows);
    chunkRows = rows;
  }

  /** Whether nobody kept a slice, so that the warm memory can be written again. */
  private boolean isReusable(long bytes) {
    for (ArrowBuf buffer : chunk) {
      if (buffer.refCnt() != 1 || buffer.capacity() < bytes) {
        return false;
      }
    }
    return true;
  }

  /** The one copy: what is left of a chunk and the rows that follow become one batch. */
  private void joinBoundary(int available, int rows) throws IOException {
    ArrowBuf[] joined = allocate((long) rows * Long.BYTES);
    try {
      long left = (long) available * Long.BYTES;
      for (int i = 0; i < joined.length; i++) {
        joined[i].setBytes(0, chunk[i], (long) chunkUsed * Long.BYTES, left);
      }
      decode(joined, available, rows - available);
    } catch (IOException | RuntimeException | Error e) {
      release(joined);
      throw e;
    }
    releaseChunk();
    chunk = joined;
    chunkRows = rows;
    chunkUsed = 0;
  }

  /** Writes the next {@code count} selected rows to every column from a row of the buffers on. */
  private void decode(ArrowBuf[] into, int firstRow, int count) throws IOException {
    int done = 0;
    while (done < count) {
      long offset = (long) (firstRow + done) * Long.BYTES;
      int run = (int) Math.min(positions.rangeRemaining(), count - done);
      if (run > 0) {
        long first = positions.nextOfRange(run);
        for (int i = 0; i < writers.length; i++) {
          writers[i].range(first, run, into[i].memoryAddress() + offset);
        }
      } else {
        run = positions.next(positionBlock, 0, Math.min(positionBlock.length, count - done));
        for (int i = 0; i < writers.length; i++) {
          writers[i].positions(positionBlock, run, into[i].memoryAddress() + offset);
        }
      }
      done += run;
    }
  }

  private void ensureValid(int rows) {
    long bytes = (rows + 7) / 8;
    if (valid.capacity() < bytes) {
      valid.getReferenceManager().release();
      valid = allocator.getEmpty();
      valid = allocator.buffer(bytes);
      valid.setOne(0, valid.capacity());
    }
  }

  private ArrowBuf[] allocate(long bytes) {
    ArrowBuf[] buffers = new ArrowBuf[writers.length];
    try {
      for (int i = 0; i < buffers.length; i++) {
        buffers[i] = allocator.buffer(bytes);
      }
    } catch (RuntimeException e) {
      release(buffers);
      throw e;
    }
    return buffers;
  }

  private static void release(ArrowBuf[] buffers) {
    for (ArrowBuf buffer : buffers) {
      if (buffer != null) {
        buffer.getReferenceManager().release();
      }
    }
  }

  private void releaseChunk() {
    release(chunk);
    chunk = new ArrowBuf[0];
    chunkRows = 0;
    chunkUsed = 0;
  }

  /** Lets go of the chunk; slices that were transferred away stay valid. */
  @Override
  public void close() {
    for (UInt8Vector vector : vectors) {
      vector.clear();
    }
    releaseChunk();
    valid.getReferenceManager().release();
    valid = allocator.getEmpty();
  }
}
