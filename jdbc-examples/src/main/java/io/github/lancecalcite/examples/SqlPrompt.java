package io.github.lancecalcite.examples;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import sqlline.SqlLine;

/**
 * sqlline as {@code ./sqlline} starts it; takes every option of sqlline.
 *
 * <p>It differs in two things. An error is one line, with its cause when that says more; sqlline
 * 1.12 prints the whole stack trace of an error in {@code -e}, {@code -f} and {@code -u}, whatever
 * {@code --verbose} says. And its version is not printed after the rows of {@code -e} and {@code
 * -f}.
 */
public final class SqlPrompt extends SqlLine {
  private final boolean interactive;
  private final boolean verbose;

  private SqlPrompt(String[] args) {
    interactive = Arrays.stream(args).noneMatch(a -> a.equals("-e") || a.equals("-f"));
    verbose = Arrays.stream(args).anyMatch(a -> a.equalsIgnoreCase("--verbose=true"));
  }

  /**
   * Runs until the input ends or {@code !quit}; exits with 0, 1 for wrong arguments, or 2 for a
   * failure.
   */
  public static void main(String[] args) throws IOException {
    SqlLine.Status status = new SqlPrompt(args).begin(args, null, true);
    System.exit(status.ordinal());
  }

  @Override
  public void info(String message) {
    if (interactive || !message.startsWith("sqlline version")) {
      super.info(message);
    }
  }

  @Override
  public void handleException(Throwable thrown) {
    Throwable e = thrown;
    while (e instanceof InvocationTargetException reflective && reflective.getCause() != null) {
      e = reflective.getCause();
    }
    if (verbose || e instanceof SQLWarning || !(e instanceof SQLException)) {
      super.handleException(thrown);
      return;
    }
    StringBuilder line = new StringBuilder("Error: ").append(firstLine(e));
    String said = line.toString();
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      String more = firstLine(cause);
      if (!said.contains(more)) {
        line.append("; ").append(more);
        said = line.toString();
      }
    }
    output(said, true, System.err);
  }

  private static String firstLine(Throwable e) {
    @Nullable String message = e.getMessage();
    return message == null
        ? e.getClass().getSimpleName()
        : message.lines().map(String::strip).findFirst().orElse("");
  }
}
