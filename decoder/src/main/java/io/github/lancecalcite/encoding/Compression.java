package io.github.lancecalcite.encoding;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import io.github.lancecalcite.DecodeException;

/**
 * Lance's framing of general compression.
 *
 * <pre>
 * LZ4   u32 uncompressed size, one LZ4 block
 * ZSTD  u64 uncompressed size, one zstd frame; or a bare frame that tells its own size
 * </pre>
 *
 * No bytes decompress to no bytes. The size is bounded before it is trusted, and the decompressor
 * must produce exactly that many bytes.
 */
public final class Compression {
  /** LZ4 cannot expand more than this: a byte of input adds at most 255 bytes. */
  private static final long LZ4_MAX_RATIO = 255;

  /** A zstd block of 128 KiB takes at least 4 bytes (a run-length block). */
  private static final long ZSTD_MAX_RATIO = 128 * 1024;

  private static final int ZSTD_MAGIC = 0xfd2fb528;

  private Compression() {}

  /** Decompresses a whole stretch of LZ4. */
  public static Bytes lz4(Bytes in) {
    if (in.length() == 0) {
      return Bytes.EMPTY;
    }
    int size = size(in.u32(0), in.length(), LZ4_MAX_RATIO);
    byte[] out = new byte[size];
    int produced;
    try {
      produced =
          new Lz4Decompressor()
              .decompress(in.array(), in.offset() + 4, in.length() - 4, out, 0, size);
    } catch (MalformedInputException | IndexOutOfBoundsException e) {
      throw new DecodeException(
          4, "LZ4 block", "a well-formed block", String.valueOf(e.getMessage()));
    }
    return exact("LZ4 block", out, produced);
  }

  /** Decompresses a whole stretch of zstd. */
  public static Bytes zstd(Bytes in) {
    if (in.length() == 0) {
      return Bytes.EMPTY;
    }
    boolean bare = in.length() >= 5 && in.i32(0) == ZSTD_MAGIC && (in.u8(4) & 0x10) == 0;
    int skip = bare ? 0 : 8;
    byte[] out;
    int produced;
    try {
      // −1 when the frame does not tell
      long own =
          ZstdDecompressor.getDecompressedSize(in.array(), in.offset() + skip, in.length() - skip);
      long promised = bare ? own : in.i64(0);
      if (own >= 0 && own != promised) {
        throw new DecodeException(
            0, "uncompressed size", own + " (zstd frame)", Long.toUnsignedString(promised));
      }
      int size = size(promised, in.length(), ZSTD_MAX_RATIO);
      out = new byte[Math.max(1, size)]; // without any room, nothing is decoded
      produced =
          new ZstdDecompressor()
              .decompress(in.array(), in.offset() + skip, in.length() - skip, out, 0, out.length);
      if (size == 0 && produced == 0) {
        return Bytes.EMPTY;
      }
      if (size == 0) {
        throw new DecodeException(0, "zstd frame", "0 bytes", produced + " or more");
      }
    } catch (MalformedInputException | IndexOutOfBoundsException e) {
      throw new DecodeException(
          skip, "zstd frame", "a well-formed frame", String.valueOf(e.getMessage()));
    }
    return exact("zstd frame", out, produced);
  }

  private static int size(long promised, int compressed, long maxRatio) {
    long bound = Math.min(Integer.MAX_VALUE - 8, compressed * maxRatio);
    if (promised < 0 || promised > bound) {
      throw new DecodeException(
          0,
          "uncompressed size",
          "at most " + bound + " from " + compressed + " bytes",
          Long.toUnsignedString(promised));
    }
    return (int) promised;
  }

  private static Bytes exact(String what, byte[] out, int produced) {
    if (produced != out.length) {
      throw new DecodeException(0, what, out.length + " bytes", produced);
    }
    return Bytes.of(out);
  }
}
