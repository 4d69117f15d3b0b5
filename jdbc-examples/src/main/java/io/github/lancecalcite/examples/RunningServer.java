package io.github.lancecalcite.examples;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.apache.calcite.avatica.remote.Driver.Serialization;
import org.apache.calcite.avatica.remote.LocalService;
import org.apache.calcite.avatica.server.HttpServer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * An Avatica HTTP server over one JDBC URL; closing it also closes every connection that a client
 * left open.
 */
public final class RunningServer implements AutoCloseable {
  private final HttpServer http;
  private final ServedMeta meta;
  private final String clientUrl;

  private RunningServer(HttpServer http, ServedMeta meta, String clientUrl) {
    this.http = http;
    this.meta = meta;
    this.clientUrl = clientUrl;
  }

  /**
   * Listens on {@code host} and {@code port} (0: any free one) for clients of {@code jdbcUrl}.
   *
   * @throws SQLException if the URL itself cannot be connected to
   * @throws IOException if the port is taken
   */
  public static RunningServer start(
      String jdbcUrl, InetAddress host, int port, Serialization serialization)
      throws SQLException, IOException {
    ServedMeta meta = new ServedMeta(jdbcUrl, new Properties());
    meta.checkUrl();
    int listenOn = freePort(host, port);
    HttpServer http =
        new HttpServer.Builder<Server>()
            .withPort(listenOn)
            .withHandler(new LocalService(PlainErrors.around(meta)), serialization)
            .withServerCustomizers(
                List.of(
                    jetty -> {
                      for (var connector : jetty.getConnectors()) {
                        ((ServerConnector) connector).setHost(host.getHostAddress());
                      }
                    }),
                Server.class)
            .build();
    http.start();
    String clientUrl =
        String.format(
            Locale.ROOT,
            "jdbc:avatica:remote:url=http://%s:%d;serialization=%s",
            urlHost(host),
            http.getPort(),
            serialization.name().toLowerCase(Locale.ROOT));
    return new RunningServer(http, meta, clientUrl);
  }

  /** What a client passes to {@code DriverManager.getConnection}. */
  public String clientUrl() {
    return clientUrl;
  }

  /** The port that is listened on. */
  public int port() {
    return http.getPort();
  }

  /** How many statements of clients are open on this side. */
  public int openStatements() {
    return meta.openStatements();
  }

  /** How many connections of clients are open on this side. */
  public int openConnections() {
    return meta.openConnections();
  }

  /** Stops listening, then closes what clients left open. */
  @Override
  public void close() {
    http.stop();
    meta.closeAll();
  }

  /**
   * The port itself if it can be listened on; tells a taken port in plain words, which Jetty does
   * not.
   */
  private static int freePort(InetAddress host, int port) throws IOException {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(host, port));
      return port;
    } catch (IOException e) {
      throw new IOException(
          "cannot listen on " + host.getHostAddress() + ":" + port + ": " + e.getMessage(), e);
    }
  }

  private static String urlHost(InetAddress host) {
    String address = host.isAnyLocalAddress() ? "127.0.0.1" : host.getHostAddress();
    return address.contains(":") ? "[" + address + "]" : address;
  }
}
