package io.github.lancecalcite.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.servlet.http.HttpServletResponse;

/** Answers {@code /metrics}. */
final class MetricsHandler extends PathHandler {
  static final String PATH = "/metrics";

  private final ServedMeta meta;
  private final ServerMetrics metrics;

  MetricsHandler(ServedMeta meta, ServerMetrics metrics) {
    super(PATH);
    this.meta = meta;
    this.metrics = metrics;
  }

  @Override
  void answer(HttpServletResponse response) throws IOException {
    response.setContentType(ServerMetrics.CONTENT_TYPE);
    int results = meta.openResults();
    String text =
        metrics.text(meta.openConnections(), meta.openStatements(), results, meta.scanUse());
    response.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }
}
