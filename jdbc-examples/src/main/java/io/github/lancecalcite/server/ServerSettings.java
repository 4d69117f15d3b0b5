package io.github.lancecalcite.server;

import java.net.InetAddress;
import org.apache.calcite.avatica.remote.Driver.Serialization;
import org.jspecify.annotations.Nullable;

/**
 * How a server listens, and to whom.
 *
 * @param host address to listen on
 * @param port port, 0 for any free one
 * @param insecure whether to listen beyond this machine also where that is not safe
 * @param serialization what clients have to send
 * @param access who may use it
 * @param tls key and certificate; null for plain HTTP
 * @param limits what clients may take of it
 * @param log where it says what clients did
 */
public record ServerSettings(
    InetAddress host,
    int port,
    boolean insecure,
    Serialization serialization,
    Access access,
    @Nullable Tls tls,
    Limits limits,
    QueryLog log) {

  /** Any free port of this machine, for programs on this machine, without authentication. */
  public static ServerSettings local(Serialization serialization) {
    return new ServerSettings(
        InetAddress.getLoopbackAddress(),
        0,
        false,
        serialization,
        Access.ANYBODY,
        null,
        Limits.NONE,
        QueryLog.NONE);
  }

  /** The same, but for these users only. */
  public ServerSettings withAccess(Access newAccess) {
    return new ServerSettings(host, port, insecure, serialization, newAccess, tls, limits, log);
  }

  /** The same, but encrypted. */
  public ServerSettings withTls(Tls newTls) {
    return new ServerSettings(host, port, insecure, serialization, access, newTls, limits, log);
  }

  /** The same, but with these limits. */
  public ServerSettings withLimits(Limits newLimits) {
    return new ServerSettings(host, port, insecure, serialization, access, tls, newLimits, log);
  }

  /** The same, but with this log. */
  public ServerSettings withLog(QueryLog newLog) {
    return new ServerSettings(host, port, insecure, serialization, access, tls, limits, newLog);
  }

  /** The same, but on another address. */
  public ServerSettings withHost(InetAddress newHost, boolean newInsecure) {
    return new ServerSettings(newHost, port, newInsecure, serialization, access, tls, limits, log);
  }

  /** The same, but on another port. */
  public ServerSettings withPort(int newPort) {
    return new ServerSettings(host, newPort, insecure, serialization, access, tls, limits, log);
  }

  /**
   * @throws IllegalArgumentException if somebody else than the users could get at the data, and
   *     {@link #insecure} does not say that this is meant
   */
  void checkSafe() {
    if (host.isLoopbackAddress() || insecure) {
      return;
    }
    if (access.scheme() == Access.Scheme.NONE) {
      throw new IllegalArgumentException(
          "listening on "
              + host.getHostAddress()
              + " without authentication lets everybody who reaches it read the datasets;"
              + " give --auth and --users, or --insecure if that is meant");
    }
    if (access.scheme().needsEncryption() && tls == null) {
      throw new IllegalArgumentException(
          "listening on "
              + host.getHostAddress()
              + " without TLS shows passwords and tokens to whoever reads the traffic;"
              + " give --keystore, or --auth=digest, or --insecure if that is meant");
    }
  }
}
