package io.github.lancecalcite.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.HandlerWrapper;

/** Answers {@code /metrics}. */
final class MetricsHandler extends HandlerWrapper {
  static final String PATH = "/metrics";

  private final ServedMeta meta;
  private final ServerMetrics metrics;

  MetricsHandler(ServedMeta meta, ServerMetrics metrics) {
    this.meta = meta;
    this.metrics = metrics;
  }

  @Override
  public void handle(
      String target, Request base, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    if (!target.equals(PATH)) {
      super.handle(target, base, request, response);
      return;
    }
    base.setHandled(true);
    response.setContentType(ServerMetrics.CONTENT_TYPE);
    int results = meta.openResults();
    String text =
        metrics.text(meta.openConnections(), meta.openStatements(), results, meta.scanUse());
    response.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }
}
