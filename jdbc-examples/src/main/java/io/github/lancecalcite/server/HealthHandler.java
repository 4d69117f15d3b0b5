package io.github.lancecalcite.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.HandlerWrapper;

/**
 * Answers {@code /healthz}, to everybody: 200 when a client could connect and list the tables, 503
 * when not. It names no folder and no reason.
 */
final class HealthHandler extends HandlerWrapper {
  static final String PATH = "/healthz";

  private final ServedMeta meta;

  HealthHandler(ServedMeta meta) {
    this.meta = meta;
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
