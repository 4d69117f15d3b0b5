package io.github.lancecalcite;

/** Text for error messages: what stands in a file may hold anything, a message is one line. */
final class OneLine {
  /** Longer texts are cut: a name or type of megabytes explains nothing. */
  private static final int MOST_CHARS = 2000;

  private OneLine() {}

  /** The text with control characters and separators of lines escaped, and cut if it is long. */
  static String of(String text) {
    int most = Math.min(text.length(), MOST_CHARS);
    StringBuilder line = new StringBuilder(most);
    for (int i = 0; i < most; i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
        line.append(c == '\n' ? "\\n" : String.format("\\u%04x", (int) c));
      } else {
        line.append(c);
      }
    }
    return most < text.length() ? line.append('…').toString() : line.toString();
  }
}
