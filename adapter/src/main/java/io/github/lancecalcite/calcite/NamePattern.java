package io.github.lancecalcite.calcite;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A name pattern as {@link java.sql.DatabaseMetaData} takes it: {@code %} stands for any
 * characters, {@code _} for one, a backslash takes the meaning from the character behind it, and
 * null matches every name. Upper and lower case differ, as they do in names.
 */
record NamePattern(@Nullable String text) {
  private static final char ESCAPE = '\\';

  /** Whether a name is one the pattern stands for. */
  boolean matches(String name) {
    return text == null || regex(text).matcher(name).matches();
  }

  /** Whether some {@code %} stands for more than itself. */
  boolean isOpen() {
    return text == null || literal() == null;
  }

  /** The one name meant by a pattern in which nothing but {@code _} could be a wildcard. */
  @Nullable String literal() {
    if (text == null) {
      return null;
    }
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        return null;
      }
      boolean escapes = c == ESCAPE && i + 1 < text.length();
      name.append(escapes ? text.charAt(++i) : c);
    }
    return name.toString();
  }

  private static Pattern regex(String text) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ESCAPE && i + 1 < text.length()) {
        regex.append(Pattern.quote(text.substring(i + 1, i + 2)));
        i++;
      } else if (c == '%') {
        regex.append(".*");
      } else if (c == '_') {
        regex.append('.');
      } else {
        regex.append(Pattern.quote(text.substring(i, i + 1)));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }
}
