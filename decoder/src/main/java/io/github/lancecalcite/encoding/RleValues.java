package io.github.lancecalcite.encoding;

import io.github.lancecalcite.DecodeException;
import java.util.Arrays;

/**
 * Run-length encoded fixed-width values: one buffer of run values, one of run lengths (u8). Longer
 * runs are split; the last run may reach past the end and is cut.
 */
public final class RleValues extends ValueDecoder {
  private final int width;
  private byte[] expanded = new byte[0];

  /**
   * @param bits bits per value, a multiple of 8
   */
  public RleValues(long bits) {
    if (bits <= 0 || (bits & 7) != 0 || bits > 2048) {
      throw new IllegalArgumentException(bits + " bits per value");
    }
    this.width = (int) bits / 8;
  }

  @Override
  public int buffers() {
    return 2;
  }

  @Override
  public void decode(Bytes[] buffers, int first, int count, ValueBlock out) {
    Bytes values = buffers[first];
    Bytes lengths = buffers[first + 1];
    int size = Math.multiplyExact(count, width);
    if (expanded.length < size) {
      expanded = new byte[size];
    }
    expand(values, lengths, count);
    out.fixed(count, width * 8L, expanded, 0);
  }

  private void expand(Bytes values, Bytes lengths, int count) {
    byte[] to = expanded;
    int done = 0;
    for (int run = 0; done < count; run++) {
      if (run >= lengths.length()) {
        throw new DecodeException(run, "run lengths", "runs of " + count + " values", done);
      }
      int n = Math.min(lengths.u8(run), count - done);
      values.require((long) run * width, width, "run value");
      fill(values.array(), values.offset() + run * width, to, done, n);
      done += n;
    }
  }

  private void fill(byte[] from, int at, byte[] to, int done, int n) {
    switch (width) {
      case 1 -> Arrays.fill(to, done, done + n, from[at]);
      case 2 -> {
        short value = (short) Bytes.SHORT.get(from, at);
        for (int i = done; i < done + n; i++) {
          Bytes.SHORT.set(to, i * 2, value);
        }
      }
      case 4 -> {
        int value = (int) Bytes.INT.get(from, at);
        for (int i = done; i < done + n; i++) {
          Bytes.INT.set(to, i * 4, value);
        }
      }
      case 8 -> {
        long value = (long) Bytes.LONG.get(from, at);
        for (int i = done; i < done + n; i++) {
          Bytes.LONG.set(to, i * 8, value);
        }
      }
      default -> {
        for (int i = done; i < done + n; i++) {
          System.arraycopy(from, at, to, i * width, width);
        }
      }
    }
  }
}
