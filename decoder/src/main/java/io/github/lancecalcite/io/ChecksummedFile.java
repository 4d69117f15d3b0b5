package io.github.lancecalcite.io;

import io.github.lancecalcite.CorruptFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * The content of a checksummed block file; every byte that leaves belongs to a block whose checksum
 * was found right in this very read.
 *
 * <p>One underlying read takes all the contiguous blocks that a range needs, up to {@link
 * ChecksummedLayout#READ_BYTES}, and never a block more: a damaged neighbour is not noticed. Any
 * number of threads may read; wrappers may stand on each other. Closing it closes the file beneath.
 *
 * <p>A file that is changed while it is open is not seen to grow, and a torn read of a block that
 * is being written is reported as damage.
 */
public final class ChecksummedFile implements PositionalReader {
  private final PositionalReader source;
  private final ChecksummedLayout layout;
  private final long physicalSize;
  private final long size;

  private ChecksummedFile(PositionalReader source, ChecksummedLayout layout) {
    this.source = source;
    this.layout = layout;
    this.physicalSize = source.size();
    this.size = layout.contentSize(physicalSize);
  }

  /**
   * The content of a block file. On success the result owns {@code source}; otherwise the caller
   * still does.
   *
   * @throws CorruptFileException if the file ends in 1 to 4 bytes, which cannot be a block
   */
  public static ChecksummedFile of(PositionalReader source, ChecksummedLayout layout)
      throws IOException {
    ChecksummedFile file = new ChecksummedFile(source, layout);
    if (layout.isTorn(file.physicalSize)) {
      throw file.torn();
    }
    return file;
  }

  private CorruptFileException torn() throws IOException {
    int tail = layout.tailBytes(physicalSize);
    long start = physicalSize - tail;
    byte[] bytes = source.read(start, tail);
    String actual = tail + " bytes at the end of the file";
    if (tail == ChecksummedLayout.CHECKSUM_BYTES) {
      int stored = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt();
      actual = ChecksummedLayout.text(stored) + " at the end of the file, and no content";
    }
    return new CorruptFileException(
        path(), start, "block " + start / layout.blockBytes(), "checksum and content", actual);
  }

  @Override
  public String path() {
    return source.path();
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public boolean isVerified() {
    return true;
  }

  @Override
  public void read(long offset, byte[] destination, int destinationOffset, int length)
      throws IOException {
    Objects.checkFromIndexSize(destinationOffset, length, destination.length);
    checkRange(offset, length);
    copy(offset, ByteBuffer.wrap(destination, destinationOffset, length));
  }

  @Override
  public byte[] read(long offset, int length) throws IOException {
    if (length < 0) {
      throw new IllegalArgumentException("length " + length + " is below 0");
    }
    checkRange(offset, length);
    byte[] bytes = new byte[length];
    copy(offset, ByteBuffer.wrap(bytes));
    return bytes;
  }

  private void checkRange(long offset, int length) throws CorruptFileException {
    if (offset < 0 || offset > size - length) {
      throw new CorruptFileException(
          path(),
          offset < 0 ? -1 : offset,
          "byte range",
          "a range inside the " + size + " content bytes",
          length + " bytes at " + Long.toUnsignedString(offset));
    }
  }

  /** {@inheritDoc} Delivers everything up to the end of the content in one call. */
  @Override
  public int readSome(long offset, ByteBuffer destination) throws IOException {
    if (offset < 0) {
      throw new CorruptFileException(
          path(), -1, "byte range", "an offset of at least 0", Long.toString(offset));
    }
    int wanted = destination.remaining();
    if (wanted == 0) {
      return 0;
    }
    if (offset >= size) {
      return -1;
    }
    int count = (int) Math.min(wanted, size - offset);
    ByteBuffer part = destination.slice(destination.position(), count);
    copy(offset, part);
    destination.position(destination.position() + count);
    return count;
  }

  /** Fills what remains of {@code to}; the range lies inside the content. */
  private void copy(long offset, ByteBuffer to) throws IOException {
    if (!to.hasRemaining()) {
      return;
    }
    boolean pooled = layout.blockBytes() <= ChecksummedLayout.READ_BYTES;
    ByteBuffer raw = pooled ? ReadBuffers.checkOut() : oneBlock();
    try {
      CRC32C crc = new CRC32C();
      for (long at = offset; to.hasRemaining(); ) {
        int before = to.position();
        copyBlocks(at, to, raw, crc);
        at += to.position() - before;
      }
    } finally {
      if (pooled) {
        ReadBuffers.checkIn(raw);
      }
    }
  }

  /** A block too large for the pool; never larger than the file. */
  private ByteBuffer oneBlock() {
    int bytes = (int) Math.min(layout.blockBytes(), physicalSize);
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** One underlying read's worth. */
  private void copyBlocks(long offset, ByteBuffer to, ByteBuffer raw, CRC32C crc)
      throws IOException {
    long block = layout.block(offset);
    int skip = layout.inBlock(offset);
    long blocks = Math.min(layout.blocksPerRead(), layout.blocks((long) skip + to.remaining()));
    long start = layout.blockStart(block);
    int bytes = (int) Math.min(blocks * layout.blockBytes(), physicalSize - start);
    fill(start, raw.clear().limit(bytes));
    for (int at = 0; at < bytes; at += layout.blockBytes(), block++, skip = 0) {
      int content = Math.min(layout.contentBytes(), bytes - at - ChecksummedLayout.CHECKSUM_BYTES);
      int from = at + ChecksummedLayout.CHECKSUM_BYTES;
      raw.clear();
      int stored = raw.getInt(at);
      int computed = ChecksummedLayout.crc(crc, raw, from, content);
      if (stored != computed) {
        throw new CorruptFileException(
            path(),
            start + at,
            "checksum of block " + block,
            ChecksummedLayout.text(stored),
            ChecksummedLayout.text(computed));
      }
      int n = Math.min(content - skip, to.remaining());
      to.put(to.position(), raw.clear(), from + skip, n);
      to.position(to.position() + n);
    }
  }

  /** Reads until the buffer is full: a short read is not yet the end of the file. */
  private void fill(long start, ByteBuffer raw) throws IOException {
    while (raw.hasRemaining()) {
      int count = source.readSome(start + raw.position(), raw);
      if (count <= 0) {
        throw new CorruptFileException(
            path(),
            start + raw.position(),
            "file end",
            "the " + physicalSize + " bytes it had when it was opened",
            "no byte here");
      }
    }
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
