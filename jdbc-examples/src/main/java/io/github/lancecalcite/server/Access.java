package io.github.lancecalcite.server;

import io.github.lancecalcite.server.UserFile.User;
import java.io.IOException;
import java.nio.file.Path;
import org.eclipse.jetty.security.Authenticator;
import org.eclipse.jetty.security.ConstraintMapping;
import org.eclipse.jetty.security.ConstraintSecurityHandler;
import org.eclipse.jetty.security.HashLoginService;
import org.eclipse.jetty.security.UserStore;
import org.eclipse.jetty.security.authentication.BasicAuthenticator;
import org.eclipse.jetty.security.authentication.DigestAuthenticator;
import org.eclipse.jetty.server.handler.HandlerWrapper;
import org.eclipse.jetty.util.security.Constraint;
import org.jspecify.annotations.Nullable;

/**
 * Who may use the server.
 *
 * @param scheme how clients say who they are
 * @param users the file that knows them; null exactly when the scheme is {@link Scheme#NONE}
 */
public record Access(Scheme scheme, @Nullable Path users) {
  /** Everybody who reaches the port. */
  public static final Access ANYBODY = new Access(Scheme.NONE, null);

  private static final String REALM = "lance";
  private static final String[] NO_ROLES = {};

  /** How clients say who they are. */
  public enum Scheme {
    /** Not at all. */
    NONE,
    /** Name and password with each request, readable by whoever reads the traffic. */
    BASIC,
    /** A proof that the client knows the password, which itself does not travel. */
    DIGEST,
    /** A token with each request, readable by whoever reads the traffic. */
    BEARER;

    /** Whether whoever reads the traffic can log in afterwards. */
    boolean needsEncryption() {
      return this == BASIC || this == BEARER;
    }
  }

  /**
   * Lets only requests of known users pass to the handlers beneath; null when there is nothing to
   * check.
   *
   * @throws IOException if the file of users cannot be read, or says something that is not
   *     understood
   */
  @Nullable HandlerWrapper gate() throws IOException {
    if (scheme == Scheme.NONE || users == null) {
      if (scheme != Scheme.NONE) {
        throw new IOException("authentication needs a file of users: --users FILE");
      }
      return null;
    }
    UserFile file = UserFile.read(users);
    Constraint anyUser = new Constraint(REALM, Constraint.ANY_AUTH);
    anyUser.setAuthenticate(true);
    ConstraintMapping everywhere = new ConstraintMapping();
    everywhere.setPathSpec("/*");
    everywhere.setConstraint(anyUser);
    ConstraintSecurityHandler gate = new ConstraintSecurityHandler();
    gate.addConstraintMapping(everywhere);
    gate.setRealmName(REALM);
    HashLoginService logins = logins(file);
    gate.setLoginService(logins);
    gate.setIdentityService(logins.getIdentityService());
    gate.setAuthenticator(authenticator(file));
    return gate;
  }

  private Authenticator authenticator(UserFile file) throws IOException {
    return switch (scheme) {
      case NONE -> throw new IllegalStateException();
      case BASIC -> new BasicAuthenticator();
      case DIGEST -> {
        for (User user : file.users()) {
          if (user.hashed()) {
            throw new IOException(
                users
                    + ": digest authentication needs the password itself, that of "
                    + user.name()
                    + " is hashed");
          }
        }
        yield new DigestAuthenticator();
      }
      case BEARER -> new BearerAuthenticator(REALM, file);
    };
  }

  private static HashLoginService logins(UserFile file) {
    UserStore store = new UserStore();
    for (User user : file.users()) {
      store.addUser(user.name(), user.secret(), NO_ROLES);
    }
    HashLoginService logins = new HashLoginService(REALM);
    logins.setUserStore(store);
    return logins;
  }
}
