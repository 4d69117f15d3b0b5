package io.github.lancecalcite.server;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.HandlerWrapper;

/** Answers one path and hands on every other request. */
abstract class PathHandler extends HandlerWrapper {
  private final String path;

  PathHandler(String path) {
    this.path = path;
  }

  abstract void answer(HttpServletResponse response) throws IOException;

  @Override
  public final void handle(
      String target, Request base, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    if (target.equals(path)) {
      base.setHandled(true);
      answer(response);
    } else {
      super.handle(target, base, request, response);
    }
  }
}
