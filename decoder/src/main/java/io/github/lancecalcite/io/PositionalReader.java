package io.github.lancecalcite.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open file of fixed size that is read at any position. Safe for concurrent readers; the opener
 * closes it.
 */
public interface PositionalReader extends Closeable {
  /** The file's name for error messages. */
  String path();

  /** Size in bytes, taken when the file was opened. */
  long size();

  /**
   * Fills {@code destination[destinationOffset, destinationOffset + length)} from file offset
   * {@code offset}.
   *
   * @throws io.github.lancecalcite.CorruptFileException if the range reaches past the end of the
   *     file: a caller only asks for bytes that metadata promised
   */
  void read(long offset, byte[] destination, int destinationOffset, int length) throws IOException;

  /** As above, into a new array, whose size is checked against the file before it is allocated. */
  byte[] read(long offset, int length) throws IOException;

  /**
   * One attempt to read at {@code offset} into what remains of the buffer, whose position moves by
   * the bytes delivered. May deliver fewer than asked for anywhere; only −1 says that the file
   * ends.
   *
   * @return bytes delivered, at least 1; 0 if nothing was asked for; −1 at or beyond the end
   * @throws io.github.lancecalcite.CorruptFileException if the offset is negative
   */
  default int readSome(long offset, ByteBuffer destination) throws IOException {
    if (!destination.hasRemaining()) {
      return 0;
    }
    if (offset >= size()) {
      return -1;
    }
    int count = (int) Math.min(destination.remaining(), size() - offset);
    destination.put(read(offset, count));
    return count;
  }

  /** Whether each byte that leaves has been held against a checksum. */
  default boolean isVerified() {
    return false;
  }
}
