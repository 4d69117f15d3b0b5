package io.github.lancecalcite.server;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the server has done since it started, in numbers; in Prometheus' text format for {@code
 * /metrics}. Thread-safe.
 */
final class ServerMetrics {
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final AtomicInteger working = new AtomicInteger();
  private final LongAdder rows = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final Map<String, LongAdder> responses = new ConcurrentSkipListMap<>();
  private final Map<String, LongAdder> queries = new ConcurrentSkipListMap<>();
  private final Map<String, LongAdder> errors = new ConcurrentSkipListMap<>();
  private final Histogram queryTime = new Histogram();
  private final Map<String, Histogram> callTimes = new ConcurrentSkipListMap<>();

  /** The server begins to compute rows for a request. */
  void workStarted() {
    working.incrementAndGet();
  }

  void workEnded() {
    working.decrementAndGet();
  }

  /** Requests for which rows are computed now. */
  int working() {
    return working.get();
  }

  void ended(EndedQuery query) {
    add(queries, query.outcome().name().toLowerCase(Locale.ROOT), 1);
    queryTime.add(query.worked().toNanos());
    rows.add(query.rows());
    if (query.sqlState() != null) {
      add(errors, query.sqlState(), 1);
    }
  }

  /** A call of a client, such as fetch, has been answered. */
  void called(String call, long nanos) {
    callTimes.computeIfAbsent(call, name -> new Histogram()).add(nanos);
  }

  void answered(int status, long bodyBytes) {
    add(responses, Integer.toString(status), 1);
    bytes.add(bodyBytes);
  }

  private static void add(Map<String, LongAdder> counters, String label, long count) {
    counters.computeIfAbsent(label, name -> new LongAdder()).add(count);
  }

  /** Everything, with what is open at this moment. */
  String text(int connections, int statements, int results, ScanUse scans) {
    StringBuilder text = new StringBuilder();
    gauge(text, "lance_connections_open", "Connections of clients.", connections);
    gauge(text, "lance_statements_open", "Statements of clients.", statements);
    gauge(text, "lance_results_open", "Results of which rows are still to be fetched.", results);
    gauge(text, "lance_queries_running", "Requests for which rows are computed.", working());
    gauge(text, "lance_scans_open", "Scans of datasets.", scans.scans());
    gauge(text, "lance_allocated_bytes", "Arrow memory held by scans.", scans.bytes());
    head(text, "lance_rows_sent_total", "Rows sent, of results that have ended.", "counter");
    text.append("lance_rows_sent_total ").append(rows.sum()).append('\n');
    head(text, "lance_response_bytes_total", "Bytes of response bodies.", "counter");
    text.append("lance_response_bytes_total ").append(bytes.sum()).append('\n');
    counters(text, "lance_http_responses_total", "HTTP responses.", "code", responses);
    counters(text, "lance_queries_total", "Executions by how they ended.", "outcome", queries);
    counters(text, "lance_query_errors_total", "Failed queries.", "sqlstate", errors);
    head(text, "lance_query_seconds", "Time worked on one execution.", "histogram");
    queryTime.write(text, "lance_query_seconds", "");
    head(text, "lance_call_seconds", "Time of one call of a client.", "histogram");
    callTimes.forEach(
        (call, time) -> time.write(text, "lance_call_seconds", "call=\"" + call + "\""));
    return text.toString();
  }

  private static void head(StringBuilder text, String name, String help, String type) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private static void gauge(StringBuilder text, String name, String help, long value) {
    head(text, name, help, "gauge");
    text.append(name).append(' ').append(value).append('\n');
  }

  private static void counters(
      StringBuilder text, String name, String help, String label, Map<String, LongAdder> values) {
    head(text, name, help, "counter");
    values.forEach(
        (value, count) ->
            text.append(
                String.format(Locale.ROOT, "%s{%s=\"%s\"} %d\n", name, label, value, count.sum())));
  }
}
