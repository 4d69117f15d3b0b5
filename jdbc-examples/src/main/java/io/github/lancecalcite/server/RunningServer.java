package io.github.lancecalcite.server;

import java.io.IOException;
import java.net.InetAddress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
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
  private static final int POLL_MILLIS = 10;

  /**
   * How long clients of ended queries get to be told so; a statement is not ended while it is
   * planned.
   */
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(10);

  /** Avatica's JSON clients may send a whole request in a header. */
  private static final int MAX_HEADER_BYTES = 64 << 10;

  private final Server http;
  private final ServerConnector connector;
  private final ResponseCounter requests;
  private final ServedMeta meta;
  private final ServerSettings settings;

  private RunningServer(
      Server http,
      ServerConnector connector,
      ResponseCounter requests,
      ServedMeta meta,
      ServerSettings settings) {
    this.http = http;
    this.connector = connector;
    this.requests = requests;
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
    ServerMetrics metrics = new ServerMetrics();
    ServedMeta meta = new ServedMeta(jdbcUrl, sessions, settings.limits(), metrics, settings.log());
    meta.checkUrl();
    AvaticaHandler avatica =
        new HandlerFactory()
            .getHandler(
                new LocalService(MetaCalls.around(meta, sessions, metrics)),
                settings.serialization());
    QueuedThreadPool threads = new QueuedThreadPool();
    threads.setName("avatica");
    Server http = new Server(threads);
    ServerConnector connector = connector(http, settings);
    http.addConnector(connector);
    ResponseCounter counter = new ResponseCounter(metrics, settings.log());
    counter.setHandler(handlers(avatica, meta, metrics, settings));
    http.setHandler(counter);
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
    return new RunningServer(http, connector, counter, meta, settings);
  }

  /**
   * What a request passes: the health check, the gate, metrics, queries. Metrics are before the
   * gate where only programs of this machine can reach them.
   */
  private static Handler handlers(
      AvaticaHandler avatica, ServedMeta meta, ServerMetrics metrics, ServerSettings settings)
      throws IOException {
    List<HandlerWrapper> chain = new ArrayList<>();
    chain.add(new HealthHandler(meta));
    HandlerWrapper gate = settings.access().gate();
    if (gate != null) {
      chain.add(gate);
    }
    chain.add(
        settings.host().isLoopbackAddress() ? 1 : chain.size(), new MetricsHandler(meta, metrics));
    Handler next = new RequestHandler(avatica);
    for (int i = chain.size() - 1; i >= 0; i--) {
      chain.get(i).setHandler(next);
      next = chain.get(i);
    }
    return next;
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

  /** How many results of clients have rows to come. */
  public int openResults() {
    return meta.openResults();
  }

  /**
   * Takes no more connections and queries, lets clients fetch the results that they have begun, and
   * closes.
   *
   * @param grace how long to wait for them; what is open then is ended with an error
   */
  public void stop(Duration grace) {
    connector.close();
    meta.startNoMore();
    await(grace, () -> meta.openResults() == 0 && requests.inside() == 0);
    close();
  }

  /** Ends what runs, stops listening, and closes what clients left open. */
  @Override
  public void close() {
    meta.stopAll();
    await(LAST_ANSWERS, () -> requests.inside() == 0);
    try {
      http.stop();
    } catch (Exception e) {
      throw new IllegalStateException("cannot stop: " + e.getMessage(), e);
    } finally {
      meta.closeAll();
    }
  }

  private static void await(Duration longest, BooleanSupplier condition) {
    long end = System.nanoTime() + longest.toNanos();
    try {
      while (!condition.getAsBoolean() && System.nanoTime() - end < 0) {
        Thread.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // whoever waits for us wants an end at once
    }
  }

  private static String urlHost(InetAddress host) {
    String address = host.isAnyLocalAddress() ? "127.0.0.1" : host.getHostAddress();
    return address.contains(":") ? "[" + address + "]" : address;
  }
}
