package io.github.lancecalcite.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Collections;
import java.util.List;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.OptionalSslConnectionFactory;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * The server's key and certificate.
 *
 * @param keystore a PKCS12 or JKS file that holds one private key with its certificate
 * @param password of the file and of the key in it
 */
public record Tls(Path keystore, String password) {
  private static final String PLAIN_REFUSED = "This port speaks TLS only; use https://.\n";
  private static final byte[] PLAIN_ANSWER =
      ("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: "
              + PLAIN_REFUSED.length()
              + "\r\n\r\n"
              + PLAIN_REFUSED)
          .getBytes(StandardCharsets.US_ASCII);

  /**
   * Connections begin with TLS; whoever speaks plain HTTP is told so and let go. (Closed without an
   * answer, Avatica's client would try again for ever.)
   *
   * @param next protocol inside TLS
   * @throws IOException if the file cannot be opened with the password or holds no key
   */
  List<ConnectionFactory> connections(String next) throws IOException {
    check();
    SslContextFactory.Server ssl = new SslContextFactory.Server();
    ssl.setKeyStorePath(keystore.toAbsolutePath().toString());
    ssl.setKeyStorePassword(password);
    SslConnectionFactory encrypted = new SslConnectionFactory(ssl, next);
    ConnectionFactory first =
        new OptionalSslConnectionFactory(encrypted, next) {
          @Override
          protected void nextProtocol(Connector connector, EndPoint endPoint, ByteBuffer buffer) {
            endPoint.write(Callback.from(endPoint::close), ByteBuffer.wrap(PLAIN_ANSWER));
          }
        };
    return List.of(first, encrypted);
  }

  private void check() throws IOException {
    if (!Files.isRegularFile(keystore)) {
      throw new IOException("not a file: " + keystore);
    }
    KeyStore store;
    try {
      store = KeyStore.getInstance(keystore.toFile(), password.toCharArray());
      for (String alias : Collections.list(store.aliases())) {
        if (store.isKeyEntry(alias)) {
          return;
        }
      }
    } catch (GeneralSecurityException | IOException e) {
      throw new IOException("cannot open the keystore " + keystore + ": " + e.getMessage(), e);
    }
    throw new IOException("no private key in the keystore " + keystore);
  }
}
