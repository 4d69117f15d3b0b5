package io.github.lancecalcite;

import java.io.IOException;

/** Something the caller named that is not there: a dataset, a version, a tag, a fragment. */
public final class NotFoundException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String path;
  private final String what;
  private final String available;

  /**
   * @param path where it was looked for
   * @param what the thing, for instance {@code "version 12"}
   * @param available what is there instead, for instance {@code "versions 1 to 7"}
   */
  public NotFoundException(String path, String what, String available) {
    super(OneLine.of(what + " not found in " + path + " (" + available + ")"));
    this.path = path;
    this.what = what;
    this.available = available;
  }

  public String path() {
    return path;
  }

  public String what() {
    return what;
  }

  public String available() {
    return available;
  }
}
