package io.github.lancecalcite.encoding;

import io.github.lancecalcite.DecodeException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A stretch of a byte array, read little-endian. Every access is checked against the stretch and
 * reported as a {@link DecodeException} with the offset inside it.
 */
public record Bytes(byte[] array, int offset, int length) {
  static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** No bytes. */
  public static final Bytes EMPTY = new Bytes(new byte[0], 0, 0);

  public Bytes {
    if (offset < 0 || length < 0 || offset > array.length - length) {
      throw new IndexOutOfBoundsException(
          "[" + offset + " + " + length + ") of " + array.length + " bytes");
    }
  }

  /** A whole array. */
  public static Bytes of(byte[] array) {
    return new Bytes(array, 0, array.length);
  }

  /** Bytes {@code [from, from + size)} of this stretch. */
  public Bytes slice(long from, long size, String what) {
    require(from, size, what);
    return new Bytes(array, offset + (int) from, (int) size);
  }

  /** Fails unless {@code [from, from + size)} lies inside. */
  public void require(long from, long size, String what) {
    if (from < 0 || size < 0 || size > length || from > length - size) {
      throw new DecodeException(
          from, what, "[" + from + " + " + size + ") within " + length + " bytes", length);
    }
  }

  /** Unsigned byte at an offset. */
  public int u8(long at) {
    require(at, 1, "byte");
    return array[offset + (int) at] & 0xff;
  }

  /** Unsigned 16 bits at an offset. */
  public int u16(long at) {
    require(at, 2, "16-bit number");
    return (short) SHORT.get(array, offset + (int) at) & 0xffff;
  }

  /** 32 bits at an offset. */
  public int i32(long at) {
    require(at, 4, "32-bit number");
    return (int) INT.get(array, offset + (int) at);
  }

  /** Unsigned 32 bits at an offset. */
  public long u32(long at) {
    return i32(at) & 0xffffffffL;
  }

  /** The next {@code n} unsigned bytes at an offset. */
  public void u8s(long at, int n, int[] out) {
    require(at, n, "bytes");
    int from = offset + (int) at;
    for (int i = 0; i < n; i++) {
      out[i] = array[from + i] & 0xff;
    }
  }

  /** The next {@code n} unsigned 16-bit numbers at an offset. */
  public void u16s(long at, int n, int[] out) {
    require(at, 2L * n, "16-bit numbers");
    int from = offset + (int) at;
    for (int i = 0; i < n; i++) {
      out[i] = (short) SHORT.get(array, from + 2 * i) & 0xffff;
    }
  }

  /** 64 bits at an offset. */
  public long i64(long at) {
    require(at, 8, "64-bit number");
    return (long) LONG.get(array, offset + (int) at);
  }
}
