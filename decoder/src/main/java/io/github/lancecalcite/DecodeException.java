package io.github.lancecalcite;

/**
 * Thrown inside a decoder, which knows its bytes but not the file they came from. The page boundary
 * turns it into a {@link CorruptFileException} with path and file offset.
 */
public final class DecodeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long offset;
  private final String what;
  private final String expected;
  private final String actual;

  /**
   * @param offset byte offset inside the buffer that was being decoded, or −1
   * @param what the part of the format that was read
   */
  public DecodeException(long offset, String what, Object expected, Object actual) {
    super(
        what
            + (offset < 0 ? "" : " at +" + offset)
            + ": expected "
            + expected
            + ", found "
            + actual);
    this.offset = offset;
    this.what = what;
    this.expected = String.valueOf(expected);
    this.actual = String.valueOf(actual);
  }

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
