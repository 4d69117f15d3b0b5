package io.github.lancecalcite.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import javax.servlet.http.HttpServletResponse;

/**
 * Answers {@code /healthz}, to everybody: 200 when a client could connect and list the tables, 503
 * when not. It names no folder and no reason.
 */
final class HealthHandler extends PathHandler {
  static final String PATH = "/healthz";

  private final ServedMeta meta;

  HealthHandler(ServedMeta meta) {
    super(PATH);
    this.meta = meta;
  }

  @Override
  void answer(HttpServletResponse response) throws IOException {
    response.setContentType("text/plain");
    String answer = "ok\n";
    if (meta.isStopping()) {
      response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
      answer = "stopping\n";
    } else {
      try {
        meta.checkFolders();
      } catch (SQLException | RuntimeException e) {
        response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        answer = "cannot list the datasets\n";
      }
    }
    response.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
  }
}
