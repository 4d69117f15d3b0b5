package io.github.lancecalcite.io;

import java.io.ByteArrayOutputStream;

/** Checksummed blocks from their description, one byte at a time. */
final class BlockOracle {
  private BlockOracle() {}

  /** Reflected Castagnoli polynomial, bit by bit. */
  static int crc32c(byte[] bytes, int from, int to) {
    int crc = -1;
    for (int i = from; i < to; i++) {
      crc ^= bytes[i] & 0xff;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 1) != 0 ? crc >>> 1 ^ 0x82f63b78 : crc >>> 1;
      }
    }
    return ~crc;
  }

  /** The file that holds this content. */
  static byte[] file(byte[] content, int contentBytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int from = 0; from < content.length; from += contentBytes) {
      int to = Math.min(content.length, from + contentBytes);
      int crc = crc32c(content, from, to);
      for (int shift = 0; shift < 32; shift += 8) {
        out.write(crc >>> shift);
      }
      out.write(content, from, to - from);
    }
    return out.toByteArray();
  }
}
