package io.github.lancecalcite.dataset;

import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.varlena.BitRuns;
import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * An Arrow buffer that grows at its end. It has no memory before something is written: what a file
 * only promises is not allocated on its word. Owns the buffer until {@link #take} hands it out;
 * close it in any case. Bytes and bits are not mixed in one buffer.
 */
final class GrowingBuffer implements AutoCloseable {
  private static final long MAX_BYTES = Integer.MAX_VALUE;

  private final BufferAllocator allocator;
  private final long initialBytes;
  private ArrowBuf buffer;
  private long bits;

  /**
   * @param initialBytes size of the buffer once something is written
   */
  GrowingBuffer(BufferAllocator allocator, long initialBytes) {
    this.allocator = allocator;
    this.initialBytes = Math.max(8, initialBytes);
    this.buffer = allocator.getEmpty();
  }

  /** Bytes written; a last incomplete byte counts. */
  long bytes() {
    return (bits + 7) >>> 3;
  }

  /** Bits written. */
  long bits() {
    return bits;
  }

  /** Makes room for {@code more} bytes; the address may change. */
  void reserve(long more) {
    long needed = bytes() + more;
    if (needed <= buffer.capacity()) {
      return;
    }
    if (needed > MAX_BYTES) {
      throw new DecodeException(
          -1, "size of a batch's column", "below 2 GiB; ask for smaller batches", needed);
    }
    long wanted = buffer.capacity() == 0 ? initialBytes : buffer.capacity() * 2;
    ArrowBuf larger = allocator.buffer(Math.min(MAX_BYTES, Math.max(needed, wanted)));
    larger.setBytes(0, buffer, 0, bytes());
    buffer.close();
    buffer = larger;
  }

  /** Appends bytes. */
  void append(byte[] from, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, from.length); // the buffer does not check the source
    reserve(length);
    buffer.setBytes(bytes(), from, offset, length);
    bits += (long) length << 3;
  }

  /** Appends {@code length} bytes that the caller writes: returns the address of the first. */
  long claim(long length) {
    reserve(length);
    long at = buffer.memoryAddress() + bytes();
    bits += length << 3;
    return at;
  }

  /** Appends a 32-bit number. */
  void appendInt(int value) {
    reserve(4);
    MemoryUtil.putInt(buffer.memoryAddress() + bytes(), value);
    bits += 32;
  }

  /** Appends a 64-bit number. */
  void appendLong(long value) {
    reserve(8);
    MemoryUtil.putLong(buffer.memoryAddress() + bytes(), value);
    bits += 64;
  }

  /** Appends {@code ends[from .. from + n)}, each moved by {@code base}, as 4 or 8 bytes. */
  void appendEnds(int[] ends, int from, int n, long base, boolean large) {
    reserve((long) n * (large ? 8 : 4));
    long at = buffer.memoryAddress() + bytes();
    if (large) {
      for (int i = 0; i < n; i++) {
        MemoryUtil.putLong(at + i * 8L, ends[from + i] + base);
      }
    } else {
      if (n > 0) {
        Math.toIntExact(ends[from + n - 1] + base); // the greatest of them
      }
      int move = (int) base;
      for (int i = 0; i < n; i++) {
        MemoryUtil.putInt(at + i * 4L, ends[from + i] + move);
      }
    }
    bits += (long) n * (large ? 64 : 32);
  }

  /** Appends {@code count} bits of a little-endian bit string from bit {@code fromBit} on. */
  void appendBits(byte[] from, long fromBit, long count) {
    long before = bytes();
    reserve((count + 7 >>> 3) + 1);
    if ((bits & 7) == 0 && (fromBit & 7) == 0) {
      long whole = count + 7 >>> 3;
      Objects.checkFromIndexSize(fromBit >>> 3, whole, from.length);
      buffer.setBytes(before, from, (int) (fromBit >>> 3), whole);
      bits += count;
      clearTail();
      return;
    }
    for (; count > 0 && (bits & 7) != 0; count--, fromBit++) {
      appendBit(bit(from, fromBit));
    }
    int shift = (int) (fromBit & 7);
    int at = (int) (fromBit >>> 3);
    long to = buffer.memoryAddress() + bytes();
    for (long whole = count >>> 3; whole > 0; whole--, at++, bits += 8) {
      int next = shift == 0 ? 0 : from[at + 1] << 8 - shift;
      MemoryUtil.putByte(to++, (byte) ((from[at] & 0xff) >>> shift | next));
    }
    fromBit += count & -8L;
    for (count &= 7; count > 0; count--, fromBit++) {
      appendBit(bit(from, fromBit));
    }
  }

  private static boolean bit(byte[] from, long bit) {
    return (from[(int) (bit >>> 3)] >>> (bit & 7) & 1) != 0;
  }

  /** Appends a bit for each byte, which is the byte's lowest. */
  void appendBytesAsBits(byte[] from, int offset, int count) {
    reserve((count + 7L >>> 3) + 1);
    for (int i = 0; i < count; i++) {
      appendBit((from[offset + i] & 1) != 0);
    }
  }

  /** Appends {@code count} equal bits. */
  void appendBits(boolean value, long count) {
    reserve((count + 7 >>> 3) + 1);
    BitRuns.fill(buffer.memoryAddress(), bits, count, value);
    bits += count;
  }

  /** Room for the bit must have been reserved. */
  private void appendBit(boolean value) {
    long at = bits >>> 3;
    int current = (bits & 7) == 0 ? 0 : buffer.getByte(at);
    buffer.setByte(at, value ? current | 1 << (bits & 7) : current);
    bits++;
  }

  private void clearTail() {
    int tail = (int) (bits & 7);
    if (tail != 0) {
      long at = bits >>> 3;
      buffer.setByte(at, buffer.getByte(at) & ((1 << tail) - 1));
    }
  }

  /** Hands the buffer out; what was written is its readable part. */
  ArrowBuf take() {
    ArrowBuf taken = buffer.capacity() == 0 ? allocator.buffer(8) : buffer;
    taken.writerIndex(bytes());
    buffer = allocator.getEmpty();
    bits = 0;
    return taken;
  }

  @Override
  public void close() {
    buffer.close();
    buffer = allocator.getEmpty();
  }
}
