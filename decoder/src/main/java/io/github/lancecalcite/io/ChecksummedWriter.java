package io.github.lancecalcite.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * Writes a checksummed block file from first to last byte. The file appears under its name at
 * {@link #commit}, whole and forced to disk; closing the writer before leaves nothing. One thread.
 */
public final class ChecksummedWriter implements Closeable {
  private final ChecksummedLayout layout;
  private final AtomicFile file;

  /** Whole blocks, and the last one being filled. */
  private final ByteBuffer blocks;

  private final CRC32C crc = new CRC32C();
  private int blockStart;
  private long size;
  private final CRC32C fingerprint = new CRC32C();

  private ChecksummedWriter(ChecksummedLayout layout, AtomicFile file) {
    this.layout = layout;
    this.file = file;
    int bytes = Math.multiplyExact(layout.blocksPerRead(), layout.blockBytes());
    this.blocks = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    startBlock(0);
  }

  /** Starts a file; its folder must exist. */
  public static ChecksummedWriter create(Path target, ChecksummedLayout layout) throws IOException {
    return new ChecksummedWriter(layout, AtomicFile.create(target));
  }

  /** Content bytes written so far. */
  public long size() {
    return size;
  }

  /** CRC-32C of the checksums of all blocks in order, each as it is stored; right after commit. */
  public int fingerprint() {
    return (int) fingerprint.getValue();
  }

  /** Appends content. */
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    int done = 0;
    while (done < length) {
      int room = blockStart + layout.blockBytes() - blocks.position();
      int n = Math.min(room, length - done);
      blocks.put(bytes, offset + done, n);
      done += n;
      if (n == room) {
        endBlock();
      }
    }
    size += length;
  }

  private void startBlock(int at) {
    blockStart = at;
    blocks.position(at + ChecksummedLayout.CHECKSUM_BYTES);
  }

  private void endBlock() throws IOException {
    int end = blocks.position();
    int from = blockStart + ChecksummedLayout.CHECKSUM_BYTES;
    int sum = ChecksummedLayout.crc(crc, blocks, from, end - from);
    blocks.clear();
    blocks.putInt(blockStart, sum);
    fingerprint.update(blocks.slice(blockStart, ChecksummedLayout.CHECKSUM_BYTES));
    if (end < blocks.capacity()) {
      startBlock(end);
    } else {
      file.write(blocks);
      blocks.clear();
      startBlock(0);
    }
  }

  /** Ends the last block, forces the file to disk and gives it its name. */
  public void commit() throws IOException {
    int content = blocks.position() - blockStart - ChecksummedLayout.CHECKSUM_BYTES;
    int end = blockStart;
    if (content > 0) {
      end = blocks.position();
      int from = blockStart + ChecksummedLayout.CHECKSUM_BYTES;
      int sum = ChecksummedLayout.crc(crc, blocks, from, content);
      blocks.clear();
      blocks.putInt(blockStart, sum);
      fingerprint.update(blocks.slice(blockStart, ChecksummedLayout.CHECKSUM_BYTES));
    }
    blocks.clear();
    file.write(blocks.limit(end));
    file.commit();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
