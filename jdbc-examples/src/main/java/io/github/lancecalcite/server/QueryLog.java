package io.github.lancecalcite.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One line for each execution of a statement, and for each login that failed. Never a secret: no
 * password, token or connection id, and neither the text of a statement, which may hold one, nor an
 * error message, which may repeat it, unless that is asked for. Thread-safe.
 */
public final class QueryLog {
  /** Writes nothing. */
  public static final QueryLog NONE = new QueryLog(Format.NONE, false, System.err);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Format format;
  private final boolean sql;
  private final PrintStream out;

  /** What a line looks like. */
  public enum Format {
    /** No lines. */
    NONE,
    /** Words for people: time, what happened, then {@code name=value}. */
    TEXT,
    /** A JSON object. */
    JSON
  }

  /**
   * @param sql whether to write the text of statements, and messages of errors
   * @param out where lines go; not closed
   */
  public QueryLog(Format format, boolean sql, PrintStream out) {
    this.format = format;
    this.sql = sql;
    this.out = out;
  }

  void ended(EndedQuery query) {
    if (format == Format.NONE) {
      return;
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    if (!query.user().isEmpty()) {
      fields.put("user", query.user());
    }
    fields.put("connection", query.connection());
    if (query.statement() >= 0) {
      fields.put("statement", query.statement());
    }
    fields.put("duration_ms", query.elapsed().toMillis());
    fields.put("worked_ms", query.worked().toMillis());
    fields.put("rows", query.rows());
    if (query.sqlState() != null) {
      fields.put("sqlstate", query.sqlState());
    }
    if (sql && query.error() != null) {
      fields.put("error", query.error());
    }
    if (sql && query.sql() != null) {
      fields.put("sql", query.sql());
    }
    write(query.start(), query.outcome().name().toLowerCase(Locale.ROOT), fields);
  }

  /** Somebody's name with a wrong secret, or a wrong token. */
  void refused(String address) {
    if (format != Format.NONE) {
      write(Instant.now(), "refused", Map.of("address", address));
    }
  }

  private void write(Instant time, String event, Map<String, Object> fields) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("time", time.truncatedTo(ChronoUnit.MILLIS).toString());
    line.put("event", event);
    line.putAll(fields);
    String text =
        format == Format.JSON
            ? json(line)
            : line.get("time")
                + " "
                + event
                + fields.entrySet().stream()
                    .map(field -> " " + field.getKey() + "=" + json(field.getValue()))
                    .collect(Collectors.joining());
    out.println(text); // one call: lines of threads do not mix
  }

  /** Also keeps control characters, that could forge a line, out of text. */
  private static String json(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
