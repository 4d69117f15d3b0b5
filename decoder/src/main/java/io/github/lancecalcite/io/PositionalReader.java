package io.github.lancecalcite.io;

import java.io.Closeable;
import java.io.IOException;

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
}
