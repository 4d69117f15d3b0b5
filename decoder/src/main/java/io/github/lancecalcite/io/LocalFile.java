package io.github.lancecalcite.io;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.NotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * A file of the local file system, read at any position.
 *
 * <p>Every read names its own position, so that any number of threads may share the file. An
 * interrupt of a thread that reads closes the channel, as the JDK defines it.
 */
public final class LocalFile implements PositionalReader {
  /**
   * Bytes per underlying read. The JDK copies through a direct buffer as large as the request, and
   * keeps it for the life of the thread: pieces keep that buffer small.
   */
  static final int PIECE_BYTES = 256 * 1024;

  private final String path;
  private final FileChannel channel;
  private final long size;

  private LocalFile(String path, FileChannel channel, long size) {
    this.path = path;
    this.channel = channel;
    this.size = size;
  }

  /**
   * Opens a file; the caller closes it.
   *
   * @throws NotFoundException if there is no regular file at this path
   */
  public static LocalFile open(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new NotFoundException(file.toString(), "file", "there is a folder of that name");
    }
    FileChannel channel;
    try {
      channel = FileChannel.open(file, StandardOpenOption.READ);
    } catch (NoSuchFileException e) {
      NotFoundException missing =
          new NotFoundException(file.toString(), "file", "there is nothing of that name");
      missing.initCause(e);
      throw missing;
    }
    try {
      return new LocalFile(file.toString(), channel, channel.size());
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public void read(long offset, byte[] destination, int destinationOffset, int length)
      throws IOException {
    Objects.checkFromIndexSize(destinationOffset, length, destination.length);
    checkRange(offset, length);
    int done = 0;
    while (done < length) {
      int piece = Math.min(PIECE_BYTES, length - done);
      ByteBuffer target = ByteBuffer.wrap(destination, destinationOffset + done, piece);
      int count = channel.read(target, offset + done);
      if (count < 0) {
        throw new CorruptFileException(
            path,
            offset + done,
            "file end",
            "the " + size + " bytes it had when it was opened",
            "no byte here");
      }
      done += count;
    }
  }

  @Override
  public byte[] read(long offset, int length) throws IOException {
    if (length < 0) {
      throw new IllegalArgumentException("length " + length + " is below 0");
    }
    checkRange(offset, length);
    byte[] bytes = new byte[length];
    read(offset, bytes, 0, length);
    return bytes;
  }

  /** {@inheritDoc} One system call; a heap buffer is filled in pieces. */
  @Override
  public int readSome(long offset, ByteBuffer destination) throws IOException {
    if (offset < 0) {
      throw new CorruptFileException(
          path, -1, "byte range", "an offset of at least 0", Long.toString(offset));
    }
    if (!destination.hasRemaining()) {
      return 0;
    }
    if (destination.isDirect() || destination.remaining() <= PIECE_BYTES) {
      return channel.read(destination, offset);
    }
    ByteBuffer piece = destination.slice(destination.position(), PIECE_BYTES);
    int count = channel.read(piece, offset);
    destination.position(destination.position() + Math.max(0, count));
    return count;
  }

  private void checkRange(long offset, int length) throws CorruptFileException {
    if (offset < 0 || offset > size - length) {
      throw new CorruptFileException(
          path,
          offset < 0 ? -1 : offset,
          "byte range",
          "a range inside the file's " + size + " bytes",
          length + " bytes at " + Long.toUnsignedString(offset));
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
