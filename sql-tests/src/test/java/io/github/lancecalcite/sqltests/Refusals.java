package io.github.lancecalcite.sqltests;

import io.github.lancecalcite.UnsupportedFormatException;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The datasets that may be refused, and why. Whatever else is refused is a failure. */
final class Refusals {
  private record Allowed(Pattern side, Pattern name, Pattern message, String why) {
    Allowed(String side, String name, String message, String why) {
      this(Pattern.compile(side), Pattern.compile(name), Pattern.compile(message), why);
    }
  }

  private static final List<Allowed> ALLOWED =
      List.of(
          new Allowed(".*", "legacy_01", "0\\.1|legacy|0\\.2", "file format before 2.0"),
          new Allowed("jdbc", "odd_dec256_.*", "does not fit DECIMAL", "SQL decimals end at 38"));

  private Refusals() {}

  /** The message of the refusal behind an error, or null when there is none that is allowed. */
  static @Nullable String allowed(String side, String name, Throwable error) {
    for (Throwable t = error; t != null; t = t.getCause()) {
      String message = String.valueOf(t.getMessage());
      boolean refusal = t instanceof UnsupportedFormatException || message.contains("does not fit");
      for (Allowed allowed : ALLOWED) {
        if (refusal
            && allowed.side.matcher(side).matches()
            && allowed.name.matcher(name).matches()
            && allowed.message.matcher(message).find()) {
          return message + " (" + allowed.why + ")";
        }
      }
    }
    return null;
  }
}
