package io.github.lancecalcite.server;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.HandlerWrapper;

/** Sees every request and its answer: counts them, and has failed logins logged. */
final class ResponseCounter extends HandlerWrapper {
  private final ServerMetrics metrics;
  private final QueryLog log;
  private final AtomicInteger inside = new AtomicInteger();

  ResponseCounter(ServerMetrics metrics, QueryLog log) {
    this.metrics = metrics;
    this.log = log;
  }

  /** Requests that have not been answered yet. */
  int inside() {
    return inside.get();
  }

  @Override
  public void handle(
      String target, Request base, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    inside.incrementAndGet();
    try {
      super.handle(target, base, request, response);
      if (base.isHandled() && isAvaticas(response.getStatus())) {
        base.getResponse().closeOutput(); // an answer is on its way before it counts as given
      }
    } finally {
      inside.decrementAndGet();
      metrics.answered(response.getStatus(), base.getResponse().getHttpOutput().getWritten());
      // a client's first request has no secret: it asks what kind is wanted
      if (response.getStatus() == HttpServletResponse.SC_UNAUTHORIZED
          && request.getHeader(HttpHeader.AUTHORIZATION.asString()) != null) {
        log.refused(request.getRemoteAddr());
      }
    }
  }

  /** A result or an error; what is refused unread is Jetty's, which may have to close. */
  private static boolean isAvaticas(int status) {
    return status == HttpServletResponse.SC_OK
        || status == HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
  }
}
