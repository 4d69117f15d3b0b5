package io.github.lancecalcite.format;

/**
 * Version of a data file, as its footer tells, normalised: footer 0.3 and 2.0 are both {@code 2.0};
 * anything older is {@link #isLegacy legacy}.
 */
public record FileVersion(int major, int minor) implements Comparable<FileVersion> {
  public static final FileVersion V2_0 = new FileVersion(2, 0);
  public static final FileVersion V2_1 = new FileVersion(2, 1);
  public static final FileVersion V2_2 = new FileVersion(2, 2);
  public static final FileVersion V2_3 = new FileVersion(2, 3);

  /** The version that a footer's two numbers denote. */
  public static FileVersion ofFooter(int major, int minor) {
    return major == 0 && minor == 3 ? V2_0 : new FileVersion(major, minor);
  }

  /** Whether the file predates 2.0 and has no columns or pages in the present sense. */
  public boolean isLegacy() {
    return major == 0;
  }

  @Override
  public int compareTo(FileVersion other) {
    return major != other.major
        ? Integer.compare(major, other.major)
        : Integer.compare(minor, other.minor);
  }

  @Override
  public String toString() {
    return major + "." + minor;
  }
}
