package io.github.lancecalcite.server;

import java.io.IOException;
import java.net.InetAddress;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.avatica.remote.LocalService;
import org.apache.calcite.avatica.remote.Service.RpcMetadataResponse;
import org.apache.calcite.avatica.server.AvaticaHandler;
import org.apache.calcite.avatica.server.HandlerFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.HandlerWrapper;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * An Avatica HTTP server over one JDBC URL; closing it also closes every connection that a client
 * left open.
 */
public final class RunningServer implements AutoCloseable {
  private static final int IDLE_MILLIS = 60_000;

  /** Avatica's JSON clients may send a whole request in a header. */
  private static final int MAX_HEADER_BYTES = 64 << 10;

  private final Server http;
  private final ServerConnector connector;
  private final ServedMeta meta;
  private final ServerSettings settings;

  private RunningServer(
      Server http, ServerConnector connector, ServedMeta meta, ServerSettings settings) {
    this.http = http;
    this.connector = connector;
    this.meta = meta;
    this.settings = settings;
  }

  /**
   * Listens for clients of {@code jdbcUrl}.
   *
   * @throws SQLException if the URL itself cannot be connected to
   * @throws IOException if the port is taken, or a file of the settings is unusable
   * @throws IllegalArgumentException if the settings are not safe
   */
  public static RunningServer start(String jdbcUrl, ServerSettings settings)
      throws SQLException, IOException {
    settings.checkSafe();
    Sessions sessions = new Sessions();
    ServedMeta meta = new ServedMeta(jdbcUrl, sessions, settings.limits());
    meta.checkUrl();
    AvaticaHandler avatica =
        new HandlerFactory()
            .getHandler(
                new LocalService(MetaCalls.around(meta, sessions)), settings.serialization());
    QueuedThreadPool threads = new QueuedThreadPool();
    threads.setName("avatica");
    Server http = new Server(threads);
    ServerConnector connector = connector(http, settings);
    http.addConnector(connector);
    http.setHandler(handlers(avatica, settings));
    try {
      connector.open(); // so that a taken port is told as such
    } catch (IOException e) {
      throw new IOException(
          "cannot listen on "
              + settings.host().getHostAddress()
              + ":"
              + settings.port()
              + ": "
              + (e.getCause() == null ? e : e.getCause()).getMessage(),
          e);
    }
    try {
      http.start();
    } catch (Exception e) {
      connector.close();
      throw new IOException("cannot start: " + e.getMessage(), e);
    }
    avatica.setServerRpcMetadata(
        new RpcMetadataResponse(urlHost(settings.host()) + ":" + connector.getLocalPort()));
    return new RunningServer(http, connector, meta, settings);
  }

  private static Handler handlers(AvaticaHandler avatica, ServerSettings settings)
      throws IOException {
    Handler requests = new RequestHandler(avatica);
    HandlerWrapper gate = settings.access().gate();
    if (gate == null) {
      return requests;
    }
    gate.setHandler(requests);
    return gate;
  }

  private static ServerConnector connector(Server http, ServerSettings settings)
      throws IOException {
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.setSendServerVersion(false);
    configuration.setRequestHeaderSize(MAX_HEADER_BYTES);
    HttpConnectionFactory plain = new HttpConnectionFactory(configuration);
    List<ConnectionFactory> protocols = new ArrayList<>();
    Tls tls = settings.tls();
    if (tls != null) {
      protocols.addAll(tls.connections(plain.getProtocol()));
    }
    protocols.add(plain);
    ServerConnector connector =
        new ServerConnector(http, protocols.toArray(ConnectionFactory[]::new));
    connector.setHost(settings.host().getHostAddress());
    connector.setPort(settings.port());
    connector.setIdleTimeout(IDLE_MILLIS);
    return connector;
  }

  /** What a client passes to {@code DriverManager.getConnection}, besides what proves who it is. */
  public String clientUrl() {
    return String.format(
        Locale.ROOT,
        "jdbc:avatica:remote:url=%s://%s:%d;serialization=%s",
        settings.tls() == null ? "http" : "https",
        urlHost(settings.host()),
        port(),
        settings.serialization().name().toLowerCase(Locale.ROOT));
  }

  /** The port that is listened on. */
  public int port() {
    return connector.getLocalPort();
  }

  /** How many statements of clients are open on this side. */
  public int openStatements() {
    return meta.openStatements();
  }

  /** How many connections of clients are open on this side. */
  public int openConnections() {
    return meta.openConnections();
  }

  /** What the scans of clients hold on this side. */
  public ScanUse scanUse() {
    return meta.scanUse();
  }

  /** Ends what runs, stops listening, and closes what clients left open. */
  @Override
  public void close() {
    meta.stopAll();
    try {
      http.stop();
    } catch (Exception e) {
      throw new IllegalStateException("cannot stop: " + e.getMessage(), e);
    } finally {
      meta.closeAll();
    }
  }

  private static String urlHost(InetAddress host) {
    String address = host.isAnyLocalAddress() ? "127.0.0.1" : host.getHostAddress();
    return address.contains(":") ? "[" + address + "]" : address;
  }
}
