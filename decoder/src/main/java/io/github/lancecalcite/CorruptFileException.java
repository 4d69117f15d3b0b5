package io.github.lancecalcite;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file whose bytes contradict its own format: truncated, flipped, or lying about sizes. */
public final class CorruptFileException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String path;
  private final long offset;
  private final String what;
  private final String expected;
  private final String actual;

  /**
   * @param path the file, as the storage names it
   * @param offset byte offset in the file at which the fault was seen, or −1 when no single byte is
   *     to blame
   * @param what the part of the format that was read, for instance {@code "manifest length"}
   * @param expected what the format asks for
   * @param actual what was found
   */
  public CorruptFileException(
      String path, long offset, String what, Object expected, Object actual) {
    this(path, offset, what, expected, actual, null);
  }

  /** As above, with the lower-level error that revealed the fault. */
  public CorruptFileException(
      String path,
      long offset,
      String what,
      Object expected,
      Object actual,
      @Nullable Throwable cause) {
    super(
        OneLine.of(
            "corrupt file "
                + path
                + (offset < 0 ? "" : " at offset " + offset)
                + ": "
                + what
                + ": expected "
                + expected
                + ", found "
                + actual),
        cause);
    this.path = path;
    this.offset = offset;
    this.what = what;
    this.expected = String.valueOf(expected);
    this.actual = String.valueOf(actual);
  }

  public String path() {
    return path;
  }

  /** Byte offset in the file, or −1. */
  public long offset() {
    return offset;
  }

  public String what() {
    return what;
  }

  public String expected() {
    return expected;
  }

  public String actual() {
    return actual;
  }
}
