package io.github.lancecalcite.dataset;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.encoding.Bytes;
import io.github.lancecalcite.format.BufferLocation;
import io.github.lancecalcite.format.PageMetadata;
import io.github.lancecalcite.io.PositionalReader;
import java.io.IOException;

/**
 * The buffers of one page, and the boundary at which a decoder's errors get path and offset.
 *
 * @param where column and page, for errors
 */
record PageBytes(PositionalReader file, PageMetadata page, String where) {
  private static final byte[] NO_BYTES = new byte[0];

  /** The location of a buffer. */
  BufferLocation location(int buffer) throws IOException {
    if (buffer < 0 || buffer >= page.buffers().size()) {
      throw new CorruptFileException(
          file.path(),
          -1,
          "buffers of " + where,
          "at least " + (buffer + 1L),
          page.buffers().size());
    }
    return page.buffers().get(buffer);
  }

  /** A whole buffer. */
  Bytes read(int buffer) throws IOException {
    return read(buffer, 0, location(buffer).size());
  }

  /** Bytes {@code [from, from + size)} of a buffer. */
  Bytes read(int buffer, long from, long size) throws IOException {
    return read(buffer, from, size, NO_BYTES);
  }

  /** The same, in {@code scratch} if that is large enough. */
  Bytes read(int buffer, long from, long size, byte[] scratch) throws IOException {
    BufferLocation location = location(buffer);
    if (from < 0 || size < 0 || size > location.size() || from > location.size() - size) {
      throw new CorruptFileException(
          file.path(),
          location.offset(),
          "buffer " + buffer + " of " + where,
          "bytes [" + from + " + " + size + ")",
          location.size() + " bytes");
    }
    if (size > Integer.MAX_VALUE - 8) {
      throw new UnsupportedFormatException(
          file.path(), "buffer of " + where, size + " bytes", "below 2 GiB");
    }
    if (size > scratch.length) {
      return Bytes.of(file.read(location.offset() + from, (int) size));
    }
    file.read(location.offset() + from, scratch, 0, (int) size);
    return Bytes.of(scratch).slice(0, size, "buffer");
  }

  /** Turns what a decoder threw into an error that knows the file. */
  CorruptFileException corrupt(int buffer, RuntimeException e) {
    long offset =
        buffer < page.buffers().size() && buffer >= 0 ? page.buffers().get(buffer).offset() : -1;
    if (e instanceof DecodeException d) {
      return new CorruptFileException(
          file.path(), offset, d.what() + " of " + where + blocks(), d.expected(), d.actual(), d);
    }
    return new CorruptFileException(
        file.path(),
        offset,
        "bytes of " + where + blocks(),
        "a well-formed page",
        String.valueOf(e),
        e);
  }

  /** Of a sealed file, a page is decoded only after its blocks proved good: its writer erred. */
  private String blocks() {
    return file.isVerified() ? " (the checksums of its blocks are right)" : "";
  }

  /** Whether an exception of a decoder means that its bytes were wrong. */
  static boolean isDecodeFailure(RuntimeException e) {
    return e instanceof DecodeException
        || e instanceof IndexOutOfBoundsException
        || e instanceof ArithmeticException
        || e instanceof NegativeArraySizeException;
  }
}
