package io.github.lancecalcite.server;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.HandlerWrapper;

/** Remembers whose request it is while Avatica's handler beneath works on it. */
final class RequestHandler extends HandlerWrapper {
  RequestHandler(Handler avatica) {
    setHandler(avatica);
  }

  @Override
  public void handle(
      String target, Request base, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    String user = request.getRemoteUser();
    Caller.enter(user == null ? Caller.ANYBODY : user);
    try {
      super.handle(target, base, request, response);
    } finally {
      Caller.leave();
    }
  }
}
