package io.github.lancecalcite.io;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The bytes of a checksummed block file.
 *
 * <pre>
 * block:  u32 little-endian   CRC-32C (Castagnoli) of the content that follows
 *         contentBytes bytes  content; the last block is cut short, without padding
 * file:   block*              no header, no footer; an empty file has no block
 * </pre>
 *
 * The checksum covers neither the place nor the length of a block, and the layout has no magic:
 * what a file is must be known beforehand (a sealed dataset says so in its marker). CRC-32C of
 * nothing is 0, so that four zero bytes would pass for an empty block; they are refused.
 *
 * <p>Layout of MatrixOne's local file service (matrixone #25013).
 *
 * @param contentBytes content bytes of a full block, 1 to {@link #MAX_CONTENT_BYTES}
 */
public record ChecksummedLayout(int contentBytes) {
  /** Bytes before the content of each block. */
  public static final int CHECKSUM_BYTES = 4;

  /** Content that fills a block of 2,048 bytes. */
  public static final int DEFAULT_CONTENT_BYTES = 2044;

  /** Most content a block may have: its physical size must fit an array. */
  public static final int MAX_CONTENT_BYTES = Integer.MAX_VALUE - 16;

  /**
   * Bytes one underlying read asks for at most, unless a single block is larger. Speed is flat from
   * about 64 KiB on; 128 KiB is the usual transfer size of a disk, and keeps buffers small.
   */
  public static final int READ_BYTES = 128 * 1024;

  /** Blocks of 2,048 bytes. */
  public static final ChecksummedLayout DEFAULT = new ChecksummedLayout(DEFAULT_CONTENT_BYTES);

  public ChecksummedLayout {
    if (contentBytes < 1 || contentBytes > MAX_CONTENT_BYTES) {
      throw new IllegalArgumentException("not a block content size: " + contentBytes);
    }
  }

  /** Physical bytes of a full block. */
  public int blockBytes() {
    return contentBytes + CHECKSUM_BYTES;
  }

  /** Blocks of one underlying read, at least 1. */
  public int blocksPerRead() {
    return Math.max(1, READ_BYTES / blockBytes());
  }

  /** The block that holds a content offset. */
  public long block(long contentOffset) {
    return contentOffset / contentBytes;
  }

  /** Position of a content offset in its block's content. */
  public int inBlock(long contentOffset) {
    return (int) (contentOffset % contentBytes);
  }

  /** Physical offset of a block's checksum. */
  public long blockStart(long block) {
    return Math.multiplyExact(block, (long) blockBytes());
  }

  /** Physical offset of a content byte. */
  public long physicalOffset(long contentOffset) {
    return Math.addExact(
        blockStart(block(contentOffset)), (long) CHECKSUM_BYTES + inBlock(contentOffset));
  }

  /** Number of blocks that hold this much content. */
  public long blocks(long contentSize) {
    return contentSize / contentBytes + (contentSize % contentBytes == 0 ? 0 : 1);
  }

  /** Bytes of a file with this much content. */
  public long physicalSize(long contentSize) {
    return Math.addExact(contentSize, Math.multiplyExact(blocks(contentSize), CHECKSUM_BYTES));
  }

  /** Bytes after the last full block. */
  public int tailBytes(long physicalSize) {
    return (int) (physicalSize % blockBytes());
  }

  /** Whether a file of this size ends in 1 to 4 bytes that cannot be a block. */
  public boolean isTorn(long physicalSize) {
    int tail = tailBytes(physicalSize);
    return tail > 0 && tail <= CHECKSUM_BYTES;
  }

  /** Content of a file of this many bytes; a torn tail holds none. */
  public long contentSize(long physicalSize) {
    long full = physicalSize / blockBytes() * contentBytes;
    return full + Math.max(0, tailBytes(physicalSize) - CHECKSUM_BYTES);
  }

  /** Checksum of {@code bytes[from, from + length)}. */
  public static int crc(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }

  /** Checksum of {@code bytes[from, from + length)}; moves position and limit. */
  static int crc(CRC32C crc, ByteBuffer bytes, int from, int length) {
    crc.reset();
    bytes.limit(from + length).position(from);
    crc.update(bytes);
    return (int) crc.getValue();
  }

  /** A checksum as error messages show it. */
  public static String text(int crc) {
    return "CRC-32C " + String.format("%08x", crc);
  }
}
