package io.github.lancecalcite.encoding;

import io.github.lancecalcite.DecodeException;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/**
 * Decodes a buffer of repetition or definition levels: unsigned 16-bit numbers. Owns scratch; not
 * safe for threads.
 */
public abstract class LevelDecoder {
  private LevelDecoder() {}

  /**
   * Reads {@code count} levels into {@code out[at …)}.
   *
   * @throws DecodeException if the bytes do not hold them
   */
  public abstract void decode(Bytes in, int count, short[] out, int at);

  /** Plain little-endian levels. */
  public static LevelDecoder flat() {
    return new LevelDecoder() {
      @Override
      public void decode(Bytes in, int count, short[] out, int at) {
        in.require(0, 2L * count, "levels");
        for (int i = 0; i < count; i++) {
          out[at + i] = (short) Bytes.SHORT.get(in.array(), in.offset() + 2 * i);
        }
      }
    };
  }

  /** The same level throughout. */
  public static LevelDecoder constant(int level) {
    return new LevelDecoder() {
      @Override
      public void decode(Bytes in, int count, short[] out, int at) {
        Arrays.fill(out, at, at + count, (short) level);
      }
    };
  }

  /** One FastLanes block with its width in front. */
  public static LevelDecoder inlineBitpacked() {
    FastLanes lanes = new FastLanes();
    return new LevelDecoder() {
      @Override
      public void decode(Bytes in, int count, short[] out, int at) {
        if (count > FastLanes.BLOCK) {
          throw new DecodeException(0, "levels of a bit-packed block", "at most 1024", count);
        }
        int width = InlineBitpackedValues.width(in, 16);
        lanes.unpackShorts(width, in.array(), in.offset() + 2, out, at, count);
      }
    };
  }

  /**
   * FastLanes blocks of a known width; the tail is either another packed block or raw levels,
   * whichever the size of the buffer says.
   */
  public static LevelDecoder bitpacked(int width) {
    FastLanes lanes = new FastLanes();
    return new LevelDecoder() {
      @Override
      public void decode(Bytes in, int count, short[] out, int at) {
        int blockBytes = FastLanes.packedBytes(width);
        int full = count / FastLanes.BLOCK;
        int tail = count % FastLanes.BLOCK;
        boolean raw = tail > 0 && in.length() == (long) full * blockBytes + 2L * tail;
        int packed = full + (tail > 0 && !raw ? 1 : 0);
        in.require(0, (long) packed * blockBytes, "bit-packed levels");
        for (int block = 0; block < packed; block++) {
          int n = Math.min(FastLanes.BLOCK, count - block * FastLanes.BLOCK);
          lanes.unpackShorts(
              width,
              in.array(),
              in.offset() + block * blockBytes,
              out,
              at + block * FastLanes.BLOCK,
              n);
        }
        if (raw) {
          flat()
              .decode(
                  in.slice((long) full * blockBytes, 2L * tail, "raw levels"),
                  tail,
                  out,
                  at + full * FastLanes.BLOCK);
        }
      }
    };
  }

  /** u64 size of the run values, run values (16 bits), run lengths (8 bits). */
  public static LevelDecoder rle() {
    return new LevelDecoder() {
      @Override
      public void decode(Bytes in, int count, short[] out, int at) {
        long valueBytes = in.i64(0);
        Bytes values = in.slice(8, valueBytes, "run values");
        Bytes lengths = in.slice(8 + valueBytes, in.length() - 8 - valueBytes, "run lengths");
        int done = 0;
        for (int run = 0; done < count; run++) {
          if (run >= lengths.length()) {
            throw new DecodeException(
                8 + valueBytes + run, "run lengths", "runs of " + count + " levels", done);
          }
          short level = (short) values.u16(2L * run);
          int n = Math.min(lengths.u8(run), count - done);
          Arrays.fill(out, at + done, at + done + n, level);
          done += n;
        }
      }
    };
  }

  /** Levels inside general compression. */
  public static LevelDecoder general(UnaryOperator<Bytes> decompressor, LevelDecoder inner) {
    return new LevelDecoder() {
      @Override
      public void decode(Bytes in, int count, short[] out, int at) {
        inner.decode(decompressor.apply(in), count, out, at);
      }
    };
  }
}
