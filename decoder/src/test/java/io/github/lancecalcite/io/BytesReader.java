package io.github.lancecalcite.io;

import io.github.lancecalcite.CorruptFileException;
import java.util.Arrays;

/** A file that is an array, for tests that damage it many times. */
public record BytesReader(String path, byte[] bytes) implements PositionalReader {
  @Override
  public long size() {
    return bytes.length;
  }

  @Override
  public void read(long offset, byte[] destination, int destinationOffset, int length)
      throws CorruptFileException {
    System.arraycopy(read(offset, length), 0, destination, destinationOffset, length);
  }

  @Override
  public byte[] read(long offset, int length) throws CorruptFileException {
    if (offset < 0 || length < 0 || offset > bytes.length - length) {
      throw new CorruptFileException(path, offset, "byte range", bytes.length, length);
    }
    return Arrays.copyOfRange(bytes, (int) offset, (int) offset + length);
  }

  @Override
  public void close() {}
}
