package io.github.lancecalcite.encoding;

import io.github.lancecalcite.DecodeException;
import java.util.function.UnaryOperator;

/**
 * Decodes a whole buffer of values in block style: the items of a dictionary. Owns scratch; not
 * safe for threads.
 */
public abstract class BlockDecoder {
  private BlockDecoder() {}

  /**
   * Decodes {@code count} values. The result's arrays may be those of {@code in}.
   *
   * @throws DecodeException if the bytes do not hold them
   */
  public abstract void decode(Bytes in, int count, ValueBlock out);

  /** Values that stand in one buffer just as in a chunk. */
  public static BlockDecoder ofChunk(ValueDecoder values) {
    Bytes[] buffers = new Bytes[1];
    return new BlockDecoder() {
      @Override
      public void decode(Bytes in, int count, ValueBlock out) {
        buffers[0] = in;
        values.decode(buffers, 0, count, out);
      }
    };
  }

  /** FastLanes blocks of a known width; the tail is packed or raw, whichever the size says. */
  public static BlockDecoder bitpacked(int bits, int width) {
    FastLanes lanes = new FastLanes();
    return new BlockDecoder() {
      @Override
      public void decode(Bytes in, int count, ValueBlock out) {
        int bytes = bits / 8;
        int blockBytes = FastLanes.packedBytes(width);
        int full = count / FastLanes.BLOCK;
        int tail = count % FastLanes.BLOCK;
        boolean raw = tail > 0 && in.length() == (long) full * blockBytes + (long) tail * bytes;
        int packed = full + (tail > 0 && !raw ? 1 : 0);
        in.require(0, (long) packed * blockBytes, "bit-packed values");
        byte[] unpacked = new byte[Math.multiplyExact(count, bytes)];
        for (int block = 0; block < packed; block++) {
          int done = block * FastLanes.BLOCK;
          lanes.unpack(
              bits,
              width,
              in.array(),
              in.offset() + block * blockBytes,
              unpacked,
              done * bytes,
              Math.min(FastLanes.BLOCK, count - done));
        }
        if (raw) {
          System.arraycopy(
              in.array(),
              in.offset() + full * blockBytes,
              unpacked,
              full * FastLanes.BLOCK * bytes,
              tail * bytes);
        }
        out.fixed(count, bits, unpacked, 0);
      }
    };
  }

  /**
   * Variable-width values: the offset width in bits (32 or 64) as a number of that width, the
   * position of the bytes, {@code n + 1} offsets relative to it, the bytes. An older form has a
   * single byte for the width.
   */
  public static BlockDecoder variable() {
    return new BlockDecoder() {
      @Override
      public void decode(Bytes in, int count, ValueBlock out) {
        boolean old = in.length() >= 4 && in.i32(0) >>> 8 != 0;
        int width = in.u8(0);
        if (width != 32 && width != 64) {
          throw new DecodeException(0, "offset width", "32 or 64 bits", width);
        }
        int offsetBytes = width / 8;
        int at = old ? 1 : offsetBytes;
        long start = offsetBytes == 4 ? in.u32(at) : in.i64(at);
        at += offsetBytes;
        in.require(start, 0, "start of the bytes");
        in.require(at, (count + 1L) * offsetBytes, "offsets");
        int[] offsets = out.variable(count, in.array());
        VariableValues.read(
            in, at, offsetBytes, count, in.offset() + (int) start, offsets, in.length() - start);
      }
    };
  }

  /** u64 size of the run values, run values, run lengths (8 bits). */
  public static BlockDecoder rle(long bits) {
    RleValues runs = new RleValues(bits);
    Bytes[] buffers = new Bytes[2];
    return new BlockDecoder() {
      @Override
      public void decode(Bytes in, int count, ValueBlock out) {
        long valueBytes = in.i64(0);
        buffers[0] = in.slice(8, valueBytes, "run values");
        buffers[1] = in.slice(8 + valueBytes, in.length() - 8 - valueBytes, "run lengths");
        runs.decode(buffers, 0, count, out);
      }
    };
  }

  /** Values inside general compression. */
  public static BlockDecoder general(UnaryOperator<Bytes> decompressor, BlockDecoder inner) {
    return new BlockDecoder() {
      @Override
      public void decode(Bytes in, int count, ValueBlock out) {
        inner.decode(decompressor.apply(in), count, out);
      }
    };
  }
}
