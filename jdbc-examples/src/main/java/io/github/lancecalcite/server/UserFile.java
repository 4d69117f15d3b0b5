package io.github.lancecalcite.server;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;
import org.eclipse.jetty.util.security.Credential;
import org.eclipse.jetty.util.security.Password;
import org.jspecify.annotations.Nullable;

/**
 * A properties file of users: {@code name=secret}. A secret is a password or token as it is, or
 * hashed as {@link HashedSecret} writes it.
 */
final class UserFile {
  /**
   * One line of the file.
   *
   * @param hashed whether the file holds a hash of the secret, not the secret
   */
  record User(String name, Credential secret, boolean hashed) {}

  private final List<User> users;

  private UserFile(List<User> users) {
    this.users = users;
  }

  /**
   * @throws IOException if there is no such file, nobody is in it, or a hash in it is malformed;
   *     the message holds no secret
   */
  static UserFile read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException("not a file: " + file);
    }
    Properties lines = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      lines.load(reader);
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": not a properties file", e);
    }
    List<User> users = new ArrayList<>();
    for (String name : new TreeSet<>(lines.stringPropertyNames())) {
      String secret = lines.getProperty(name);
      if (name.isEmpty() || secret.isEmpty()) {
        throw new IOException(file + ": a name or a secret is empty: '" + name + "'");
      }
      if (HashedSecret.isHash(secret)) {
        try {
          users.add(new User(name, HashedSecret.parse(secret), true));
        } catch (IllegalArgumentException e) {
          throw new IOException(file + ": the hash of " + name + " is malformed", e);
        }
      } else {
        users.add(new User(name, new Password(secret), false));
      }
    }
    if (users.isEmpty()) {
      throw new IOException(file + ": no users in it; one line each: name=secret");
    }
    return new UserFile(List.copyOf(users));
  }

  List<User> users() {
    return users;
  }

  /** Name of the user whose secret this is; null when it is nobody's. */
  @Nullable String userOf(String secret) {
    String found = null;
    for (User user : users) { // all of them, so that the time taken tells nothing
      if (user.secret().check(secret)) {
        found = user.name();
      }
    }
    return found;
  }
}
