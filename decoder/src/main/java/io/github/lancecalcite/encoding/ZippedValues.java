package io.github.lancecalcite.encoding;

import io.github.lancecalcite.DecodeException;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses full-zip values, each on its own. A value of no bytes stays one. Holds scratch; not
 * safe for threads.
 */
public abstract class ZippedValues {
  ZippedValues() {}

  /** Replaces the values of a block by what they decompress to. */
  public abstract void decompress(ValueBlock block);

  /**
   * FSST inside another compression.
   *
   * @param first applied before, or null
   */
  public static ZippedValues fsst(@Nullable ZippedValues first, Fsst fsst) {
    return new ZippedValues() {
      private byte[] bytes = new byte[0];

      @Override
      public void decompress(ValueBlock block) {
        if (first != null) {
          first.decompress(block);
        }
        long size = fsst.bound((long) block.offsets[block.count] - block.offsets[0]);
        if (size > Integer.MAX_VALUE - 8) {
          throw new DecodeException(0, "FSST values", "below 2 GiB", size);
        }
        if (bytes.length < size) {
          bytes = new byte[(int) size];
        }
        byte[] from = block.data;
        int[] ends = block.offsets;
        int start = ends[0];
        int at = 0;
        ends[0] = 0;
        for (int i = 1; i <= block.count; i++) {
          int end = ends[i];
          at = fsst.decompress(from, start, end, bytes, at);
          start = end;
          ends[i] = at;
        }
        block.data = bytes;
      }
    };
  }

  /**
   * General compression around what else there is.
   *
   * @param inner applied after, or null
   */
  public static ZippedValues general(
      UnaryOperator<Bytes> decompressor, @Nullable ZippedValues inner) {
    return new ZippedValues() {
      private byte[] bytes = new byte[0];

      @Override
      public void decompress(ValueBlock block) {
        byte[] from = block.data;
        int[] ends = block.offsets;
        int start = ends[0];
        int at = 0;
        ends[0] = 0;
        for (int i = 1; i <= block.count; i++) {
          int end = ends[i];
          Bytes value = decompressor.apply(new Bytes(from, start, end - start));
          if (bytes.length - at < value.length()) {
            bytes =
                Arrays.copyOf(
                    bytes,
                    (int)
                        Math.min(
                            Integer.MAX_VALUE - 8,
                            Math.max(bytes.length * 2L, (long) at + value.length())));
          }
          System.arraycopy(value.array(), value.offset(), bytes, at, value.length());
          at = Math.addExact(at, value.length());
          start = end;
          ends[i] = at;
        }
        block.data = bytes;
        if (inner != null) {
          inner.decompress(block);
        }
      }
    };
  }
}
