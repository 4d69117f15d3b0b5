package io.github.lancecalcite.server;

import java.io.IOException;
import java.security.Principal;
import java.util.Locale;
import javax.security.auth.Subject;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.security.Authenticator;
import org.eclipse.jetty.security.DefaultIdentityService;
import org.eclipse.jetty.security.ServerAuthException;
import org.eclipse.jetty.security.UserAuthentication;
import org.eclipse.jetty.server.Authentication;
import org.jspecify.annotations.Nullable;

/**
 * Bearer tokens (RFC 6750), which Avatica's client sends and its server does not know. A token is
 * the secret of one user of the file.
 */
final class BearerAuthenticator implements Authenticator {
  private static final String METHOD = "BEARER";
  private static final String SCHEME = "bearer ";

  private final String realm;
  private final UserFile users;

  BearerAuthenticator(String realm, UserFile users) {
    this.realm = realm;
    this.users = users;
  }

  @Override
  public void setConfiguration(AuthConfiguration configuration) {}

  @Override
  public String getAuthMethod() {
    return METHOD;
  }

  @Override
  public void prepareRequest(ServletRequest request) {}

  @Override
  public Authentication validateRequest(
      ServletRequest request, ServletResponse response, boolean mandatory)
      throws ServerAuthException {
    String header = ((HttpServletRequest) request).getHeader(HttpHeader.AUTHORIZATION.asString());
    String user = header == null ? null : user(header);
    if (user != null) {
      Principal principal = () -> user;
      Subject subject = new Subject();
      subject.getPrincipals().add(principal);
      return new UserAuthentication(
          METHOD, new DefaultIdentityService().newUserIdentity(subject, principal, new String[0]));
    }
    try {
      HttpServletResponse answer = (HttpServletResponse) response;
      answer.setHeader(HttpHeader.WWW_AUTHENTICATE.asString(), "Bearer realm=\"" + realm + "\"");
      answer.sendError(HttpServletResponse.SC_UNAUTHORIZED);
      return Authentication.SEND_CONTINUE;
    } catch (IOException e) {
      throw new ServerAuthException(e);
    }
  }

  private @Nullable String user(String header) {
    return header.toLowerCase(Locale.ROOT).startsWith(SCHEME)
        ? users.userOf(header.substring(SCHEME.length()).strip())
        : null;
  }

  @Override
  public boolean secureResponse(
      ServletRequest request,
      ServletResponse response,
      boolean mandatory,
      Authentication.User validated) {
    return true;
  }
}
