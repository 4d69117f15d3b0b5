package io.github.lancecalcite.varlena;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;

/**
 * What the views of a source mean: bits of views, and the data buffers that they refer to, as
 * numbers, because the source may be the destination.
 */
final class ViewSource {
  static final int VIEW_BYTES = 16;
  private static final int MOST_INLINE = 12;
  private static final int LONG = MOST_INLINE + 1;

  /** Which bits of a view belong to a short value of some length, the last for a long value. */
  private static final long[] FIRST_BITS = new long[LONG + 1];

  private static final long[] SECOND_BITS = new long[LONG + 1];

  static {
    for (int length = 0; length <= LONG; length++) {
      FIRST_BITS[length] = length >= 4 ? -1 : (1L << 32 + 8 * length) - 1;
      SECOND_BITS[length] =
          length >= MOST_INLINE ? -1 : length <= 4 ? 0 : (1L << 8 * (length - 4)) - 1;
    }
  }

  /** Addresses and sizes of the data buffers; one more of no bytes when there are none. */
  private final long[] addresses;

  private final long[] capacities;

  ViewSource(List<ArrowBuf> dataBuffers) {
    int n = dataBuffers.size();
    addresses = new long[Math.max(1, n)];
    capacities = new long[Math.max(1, n)];
    for (int i = 0; i < n; i++) {
      addresses[i] = dataBuffers.get(i).memoryAddress();
      capacities[i] = dataBuffers.get(i).capacity();
    }
  }

  /** All ones for the length of a long value, 0 for one that stays in its view. */
  static long ifLong(long length) {
    return MOST_INLINE - length >> 63;
  }

  /** First half of a view, without what may lie behind a short value: views compare by bytes. */
  static long first(long first) {
    return first & FIRST_BITS[Math.min((int) first, LONG)];
  }

  /** Second half of that view. */
  static long second(long first, long second) {
    return second & SECOND_BITS[Math.min((int) first, LONG)];
  }

  boolean has(int buffer) {
    return buffer >= 0 && buffer < addresses.length;
  }

  long address(int buffer) {
    return addresses[buffer];
  }

  long capacity(int buffer) {
    return capacities[buffer];
  }

  /** Checks the place of a long value. */
  void check(int length, long reference) {
    int buffer = (int) reference;
    long offset = reference >> 32;
    if (length < 0 || !has(buffer) || offset < 0 || offset + length > capacities[buffer]) {
      throw new IndexOutOfBoundsException(
          "view of " + length + " bytes at " + offset + " of data buffer " + buffer);
    }
  }
}
