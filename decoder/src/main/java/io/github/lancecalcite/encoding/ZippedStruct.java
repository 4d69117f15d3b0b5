package io.github.lancecalcite.encoding;

import io.github.lancecalcite.DecodeException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a packed struct, stored as if they varied in width: each child in order, either its bytes
 * or a length and that many. Leaves rows in the same form, with lengths of 32 bits and each child
 * decompressed. A row of no bytes stays one: it is null. Rows none of whose children varies become
 * fixed ones, of which a null one is zeros.
 */
public final class ZippedStruct extends ZippedValues {
  /**
   * @param variable whether the child has a length
   * @param bytes width of the length, 1 to 8, or of the child
   * @param decompression of a variable child, or null
   */
  public record Child(boolean variable, int bytes, @Nullable ZippedValues decompression) {}

  private final List<Child> children;

  /** Bytes of a row if no child varies, or −1. */
  private final int rowBytes;

  private final ValueBlock one = new ValueBlock();
  private byte[] out = new byte[0];
  private int at;

  public ZippedStruct(List<Child> children) {
    this.children = List.copyOf(children);
    long bytes = 0;
    for (Child child : children) {
      bytes = child.variable() || bytes < 0 ? -1 : bytes + child.bytes();
    }
    this.rowBytes = Math.toIntExact(bytes);
  }

  @Override
  public void decompress(ValueBlock block) {
    if (rowBytes >= 0) {
      decompressFixed(block);
      return;
    }
    int[] ends = block.offsets;
    int start = ends[0];
    at = 0;
    ends[0] = 0;
    for (int i = 1; i <= block.count; i++) {
      int end = ends[i];
      if (end > start) {
        row(new Bytes(block.data, start, end - start));
      }
      start = end;
      ends[i] = at;
    }
    block.data = out;
  }

  private void decompressFixed(ValueBlock block) {
    int size = Math.multiplyExact(block.count, rowBytes);
    if (out.length < size) {
      out = new byte[size];
    }
    for (int i = 0; i < block.count; i++) {
      int start = block.offsets[i];
      int length = block.offsets[i + 1] - start;
      if (length == rowBytes) {
        System.arraycopy(block.data, start, out, i * rowBytes, rowBytes);
      } else if (length == 0) {
        Arrays.fill(out, i * rowBytes, (i + 1) * rowBytes, (byte) 0);
      } else {
        throw new DecodeException(start, "bytes of a packed row", rowBytes, length);
      }
    }
    block.fixed(block.count, rowBytes * 8L, out, 0);
  }

  private void row(Bytes row) {
    int from = 0;
    for (Child child : children) {
      if (child.variable()) {
        long length = length(row, from, child.bytes());
        from += child.bytes();
        row.require(from, length, "packed child");
        variable(row, from, (int) length, child.decompression());
        from += (int) length;
      } else {
        row.require(from, child.bytes(), "packed child");
        reserve(child.bytes());
        System.arraycopy(row.array(), row.offset() + from, out, at, child.bytes());
        at += child.bytes();
        from += child.bytes();
      }
    }
    if (from != row.length()) {
      throw new DecodeException(from, "bytes of a packed row", row.length(), from);
    }
  }

  private static long length(Bytes row, int from, int bytes) {
    return switch (bytes) {
      case 1 -> row.u8(from);
      case 2 -> row.u16(from);
      case 4 -> row.u32(from);
      case 8 -> row.i64(from);
      default ->
          throw new DecodeException(from, "length of a packed child", "1, 2, 4 or 8 bytes", bytes);
    };
  }

  private void variable(Bytes row, int from, int length, @Nullable ZippedValues decompression) {
    byte[] data = row.array();
    int start = row.offset() + from;
    int end = start + length;
    if (decompression != null && length > 0) {
      int[] ends = one.variable(1, data);
      ends[0] = start;
      ends[1] = end;
      decompression.decompress(one);
      data = one.data;
      start = one.offsets[0];
      end = one.offsets[1];
    }
    reserve(4L + end - start);
    Bytes.INT.set(out, at, end - start);
    System.arraycopy(data, start, out, at + 4, end - start);
    at += 4 + end - start;
  }

  private void reserve(long more) {
    long needed = at + more;
    if (needed > out.length) {
      if (needed > Integer.MAX_VALUE - 8) {
        throw new DecodeException(-1, "packed rows", "below 2 GiB", needed);
      }
      out =
          Arrays.copyOf(
              out, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, out.length * 2L)));
    }
  }
}
