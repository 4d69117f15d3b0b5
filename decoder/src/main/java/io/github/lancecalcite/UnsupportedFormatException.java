package io.github.lancecalcite;

import java.io.IOException;

/** A file that is whole as far as we can tell, but uses something this reader does not know. */
public final class UnsupportedFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String path;
  private final String feature;
  private final String found;
  private final String supported;

  /**
   * @param path the file, as the storage names it
   * @param feature what is not known, for instance {@code "page layout of column 3"}
   * @param found the name or number met
   * @param supported what this reader can do instead
   */
  public UnsupportedFormatException(String path, String feature, Object found, Object supported) {
    super(
        OneLine.of(
            "unsupported "
                + feature
                + " in "
                + path
                + ": found "
                + found
                + ", supported "
                + supported));
    this.path = path;
    this.feature = feature;
    this.found = String.valueOf(found);
    this.supported = String.valueOf(supported);
  }

  public String path() {
    return path;
  }

  public String feature() {
    return feature;
  }

  public String found() {
    return found;
  }

  public String supported() {
    return supported;
  }
}
