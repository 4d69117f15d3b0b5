package io.github.lancecalcite.io;

import io.github.lancecalcite.CorruptFileException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * Changes and extends a checksummed block file in place. One writer; readers of the blocks being
 * written may see damage that is not there a moment later.
 *
 * <p>A block that is changed in part is read and verified first; one that is overwritten whole is
 * not, so that writing all of a damaged block repairs it. Checksum and content go out in one write,
 * but nothing makes that atomic: a crash in between leaves a block whose checksum is wrong, which
 * the next read reports.
 */
public final class ChecksummedEditor implements Closeable {
  private final String path;
  private final ChecksummedLayout layout;
  private final FileChannel channel;
  private final CRC32C crc = new CRC32C();

  private ChecksummedEditor(String path, ChecksummedLayout layout, FileChannel channel) {
    this.path = path;
    this.layout = layout;
    this.channel = channel;
  }

  /**
   * Opens a file, making an empty one if there is none.
   *
   * @throws CorruptFileException if the file ends in 1 to 4 bytes, which cannot be a block
   */
  public static ChecksummedEditor open(Path file, ChecksummedLayout layout) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    try {
      long size = channel.size();
      if (layout.isTorn(size)) {
        int tail = layout.tailBytes(size);
        throw new CorruptFileException(
            file.toString(),
            size - tail,
            "block " + size / layout.blockBytes(),
            "checksum and content",
            tail + " bytes at the end of the file");
      }
      return new ChecksummedEditor(file.toString(), layout, channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Content bytes now. */
  public long size() throws IOException {
    return layout.contentSize(channel.size());
  }

  /**
   * Writes content at an offset, over what is there and past the end.
   *
   * @throws IllegalArgumentException if the offset is negative or beyond the end: a gap would have
   *     no checksum
   * @throws CorruptFileException if a block that is changed in part is damaged; the blocks before
   *     it have been written
   */
  public void writeAt(long offset, byte[] bytes, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, bytes.length);
    long size = size();
    if (offset < 0 || offset > size) {
      throw new IllegalArgumentException(
          "cannot write at " + offset + ": the content of " + path + " ends at " + size);
    }
    layout.physicalSize(Math.addExact(offset, (long) length)); // or ArithmeticException
    int done = 0;
    while (done < length) {
      done += writeBlock(offset + done, bytes, from + done, length - done, size);
    }
  }

  /** Writes the part of the range that lies in its first block; returns its length. */
  private int writeBlock(long offset, byte[] bytes, int from, int length, long size)
      throws IOException {
    long block = layout.block(offset);
    int inBlock = layout.inBlock(offset);
    int n = Math.min(length, layout.contentBytes() - inBlock);
    long start = layout.blockStart(block);
    long blockOffset = offset - inBlock;
    int old = (int) Math.max(0, Math.min(layout.contentBytes(), size - blockOffset));
    int content = Math.max(old, inBlock + n);
    ByteBuffer raw =
        ByteBuffer.allocate(ChecksummedLayout.CHECKSUM_BYTES + content)
            .order(ByteOrder.LITTLE_ENDIAN);
    if (inBlock > 0 || n < old) {
      readBlock(block, start, raw, old);
    }
    raw.clear();
    raw.put(ChecksummedLayout.CHECKSUM_BYTES + inBlock, bytes, from, n);
    int sum = ChecksummedLayout.crc(crc, raw, ChecksummedLayout.CHECKSUM_BYTES, content);
    raw.clear();
    raw.putInt(0, sum);
    for (long at = start; raw.hasRemaining(); at = start + raw.position()) {
      channel.write(raw, at);
    }
    return n;
  }

  private void readBlock(long block, long start, ByteBuffer raw, int content) throws IOException {
    raw.clear().limit(ChecksummedLayout.CHECKSUM_BYTES + content);
    while (raw.hasRemaining()) {
      if (channel.read(raw, start + raw.position()) < 0) {
        throw new CorruptFileException(
            path, start + raw.position(), "block " + block, raw.limit() + " bytes", "the end");
      }
    }
    raw.clear();
    int stored = raw.getInt(0);
    int computed = ChecksummedLayout.crc(crc, raw, ChecksummedLayout.CHECKSUM_BYTES, content);
    if (stored != computed) {
      throw new CorruptFileException(
          path,
          start,
          "checksum of block " + block,
          ChecksummedLayout.text(stored),
          ChecksummedLayout.text(computed));
    }
  }

  /** Forces what was written to disk. */
  public void force() throws IOException {
    channel.force(true);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
