package io.github.lancecalcite.varlena;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ReferenceManager;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.util.OversizedAllocationException;

/**
 * Room in a destination vector: makes its leading buffers large enough, and its own.
 *
 * <p>Every buffer is allocated before the vector is touched, so that a failed allocation changes
 * nothing. A buffer whose memory someone else holds too (a slice of a vector, or a vector that was
 * sliced) is replaced by a copy: writing into it would change the other one's rows.
 */
final class OwnBuffers {
  /** Most bytes of one Arrow buffer with 32-bit offsets. */
  static final long MAX_BYTES = Integer.MAX_VALUE;

  private OwnBuffers() {}

  /**
   * Prepares for an append.
   *
   * @param used bytes to keep of the first buffers, in the order of {@code getFieldBuffers}
   * @param needed bytes they must hold
   * @return whether a buffer was replaced: addresses taken before are invalid then
   */
  static boolean reserve(FieldVector vector, long[] used, long[] needed) {
    List<ArrowBuf> before = vector.getFieldBuffers();
    boolean enough = true;
    for (int i = 0; i < needed.length && enough; i++) {
      enough = isEnough(before, i, needed[i]);
    }
    if (enough) {
      return false;
    }
    long[] written = new long[before.size()];
    List<ArrowBuf> after = new ArrayList<>(before.size());
    try {
      for (int i = 0; i < before.size(); i++) {
        ArrowBuf old = before.get(i);
        written[i] = old.writerIndex();
        if (i >= needed.length || isEnough(before, i, needed[i])) {
          // loading releases the vector's hold before it takes the new one
          old.getReferenceManager().retain();
          after.add(old);
        } else {
          ArrowBuf grown = grow(vector.getAllocator(), old.capacity(), needed[i]);
          after.add(grown);
          grown.setBytes(0, old, 0, used[i]);
          if (i == 0) {
            // a validity bit that comes to light by setValueCount must say null
            grown.setZero(used[0], grown.capacity() - used[0]);
          }
        }
      }
      // −1: with a real null count, the vector would replace the validity buffer by one of its own
      vector.loadFieldBuffers(new ArrowFieldNode(vector.getValueCount(), -1), after);
      List<ArrowBuf> loaded = vector.getFieldBuffers();
      for (int i = needed.length; i < loaded.size(); i++) {
        loaded.get(i).writerIndex(written[i]);
      }
    } finally {
      after.forEach(ArrowBuf::close);
    }
    return true;
  }

  private static boolean isEnough(List<ArrowBuf> buffers, int i, long needed) {
    return buffers.get(i).capacity() >= needed && (needed == 0 || !isShared(buffers, i));
  }

  /** Whether anyone but these buffers holds the memory of one of them. */
  static boolean isShared(List<ArrowBuf> buffers, int i) {
    ReferenceManager memory = buffers.get(i).getReferenceManager();
    int holders = memory.getRefCount();
    if (holders <= 1) {
      return false;
    }
    // validity and values of a vector are often two parts of one allocation
    for (ArrowBuf other : buffers) {
      if (other.getReferenceManager() == memory) {
        holders--;
      }
    }
    return holders > 0;
  }

  /** At least twice as large: exact growth would make a row of small appends quadratic. */
  private static ArrowBuf grow(BufferAllocator allocator, long capacity, long needed) {
    return allocator.buffer(Math.max(needed, Math.min(MAX_BYTES, capacity * 2)));
  }

  /** The row count after an append. */
  static int rows(int before, int more) {
    long rows = (long) before + more;
    if (rows >= Integer.MAX_VALUE) {
      throw new OversizedAllocationException(
          "an append would make " + rows + " rows; at most " + (Integer.MAX_VALUE - 1L));
    }
    return (int) rows;
  }

  /** Checks the size of a buffer after an append, before anything is changed. */
  static void checkBytes(long before, long more, long most) {
    if (more > most - before) {
      throw new OversizedAllocationException(
          "an append of " + more + " bytes to " + before + " exceeds " + most + " bytes");
    }
  }
}
