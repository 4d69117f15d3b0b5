package io.github.lancecalcite.server;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.apache.calcite.avatica.ConnectStringParser;
import org.apache.calcite.avatica.remote.Driver.Serialization;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Command line of the server: {@code ./avatica-server --dir FOLDER}. Runs until it is interrupted.
 */
@Command(
    name = "avatica-server",
    mixinStandardHelpOptions = true,
    version = "lance-calcite 0.1.0-SNAPSHOT",
    sortOptions = false,
    description = "Serves the Lance datasets of folders to remote JDBC clients, over HTTP.",
    subcommands = HashCommand.class,
    footer = {
      "",
      "A client connects to the URL that is printed when the server is ready. Clients only read.",
      "GET /healthz tells, to everybody, whether datasets can be listed; GET /metrics gives"
          + " figures",
      "for Prometheus, to whoever may query, and on a loopback address to every program.",
      "",
      "Examples:",
      "  avatica-server --dir /data",
      "  avatica-server --schema sales=/data/sales --schema web=/data/web",
      "  avatica-server --dir /data --auth digest --users users.properties",
      "  avatica-server --dir /data --host 0.0.0.0 --keystore key.p12 \\",
      "      --keystore-password-file key.password --auth basic --users users.properties"
    })
public final class AvaticaServer implements Callable<Integer> {
  private static final String PASSWORD_VARIABLE = "LANCE_KEYSTORE_PASSWORD";

  @Option(names = "--dir", paramLabel = "FOLDER", description = "a folder of Lance datasets")
  @Nullable Path dir;

  @Option(
      names = "--schema",
      paramLabel = "NAME=FOLDER",
      description = {
        "a folder of Lance datasets as a schema of this name; repeatable, also beside --dir, whose",
        "schema is called lance"
      })
  Map<String, Path> schemas = new LinkedHashMap<>();

  @Option(names = "--model", paramLabel = "FILE", description = "a Calcite model (JSON or YAML)")
  @Nullable Path model;

  @Option(
      names = "--host",
      defaultValue = "127.0.0.1",
      description = "address to listen on (default: ${DEFAULT-VALUE}, this machine only)")
  InetAddress host = InetAddress.getLoopbackAddress();

  @Option(
      names = "--port",
      defaultValue = "8765",
      description = "port, 0 for any free one (default: ${DEFAULT-VALUE})")
  int port;

  @Option(
      names = "--serialization",
      defaultValue = "PROTOBUF",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  Serialization serialization = Serialization.PROTOBUF;

  @Option(
      names = "--auth",
      defaultValue = "NONE",
      description = "how clients say who they are: ${COMPLETION-CANDIDATES} (default: none)")
  Access.Scheme scheme = Access.Scheme.NONE;

  @Option(
      names = "--users",
      paramLabel = "FILE",
      description = {
        "properties file of users, name=secret; a secret is a password or token, or its hash",
        "as 'avatica-server hash' prints it"
      })
  @Nullable Path users;

  @Option(
      names = "--keystore",
      paramLabel = "FILE",
      description = "PKCS12 or JKS file with the server's key and certificate; turns TLS on")
  @Nullable Path keystore;

  @Option(
      names = "--keystore-password-file",
      paramLabel = "FILE",
      description = {
        "file with the password of the keystore in its first line",
        "(default: environment variable LANCE_KEYSTORE_PASSWORD)"
      })
  @Nullable Path keystorePasswordFile;

  @Option(
      names = "--max-rows",
      paramLabel = "N",
      description = "rows of one result; a longer one is an error (default: no limit)")
  long maxRows = Long.MAX_VALUE;

  @Option(
      names = "--max-statements",
      paramLabel = "N",
      description = "statements open at the same time, of all clients (default: no limit)")
  int maxStatements = Integer.MAX_VALUE;

  @Option(
      names = "--statement-timeout",
      paramLabel = "SECONDS",
      defaultValue = "3600",
      description = {
        "ends a statement on which the server has worked for as long, fetches included, the",
        "client's pauses not; 0 for no limit (default: ${DEFAULT-VALUE}). A client may ask for",
        "less: connection property statement_timeout; its setQueryTimeout is not sent here"
      })
  long statementTimeout;

  @Option(
      names = "--connection-expiry",
      paramLabel = "SECONDS",
      defaultValue = "3600",
      description = "closes connections idle for as long (default: ${DEFAULT-VALUE})")
  long connectionExpiry;

  @Option(
      names = "--shutdown-grace",
      paramLabel = "SECONDS",
      defaultValue = "20",
      description = {
        "how long a server that is told to stop (SIGTERM, Ctrl-C) lets clients fetch results that",
        "they have begun, before it ends them (default: ${DEFAULT-VALUE})"
      })
  long shutdownGrace;

  @Option(
      names = "--log",
      paramLabel = "FORMAT",
      defaultValue = "TEXT",
      description = {
        "one line on standard error for each statement and each failed login:",
        "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})"
      })
  QueryLog.Format logFormat = QueryLog.Format.TEXT;

  @Option(
      names = "--log-sql",
      description = "also write the text of statements and of errors, which may hold secrets")
  boolean logSql;

  @Option(
      names = "--insecure",
      description = {
        "listen beyond this machine also without authentication, or with passwords that are",
        "not encrypted on their way"
      })
  boolean insecure;

  /** Starts the server and prints its URL. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new AvaticaServer())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setExecutionExceptionHandler(
                (e, command, parsed) -> {
                  command.getErr().println("avatica-server: " + e.getMessage());
                  return 1;
                })
            .execute(args));
  }

  @Override
  public Integer call() throws IOException, SQLException, InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    RunningServer server = RunningServer.start(jdbcUrl(), settings());
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  int status = stop(server);
                  stopped.countDown();
                  Runtime.getRuntime().halt(status); // else it would be that of the signal
                }));
    System.out.printf(Locale.ROOT, "ready: %s%n", server.clientUrl());
    stopped.await();
    return 0;
  }

  /** Stops as gently as asked; returns the exit code. */
  private int stop(RunningServer server) {
    try {
      System.out.printf(
          Locale.ROOT,
          "stopping: %d results are open, waiting for them up to %d s%n",
          server.openResults(),
          shutdownGrace);
      server.stop(Duration.ofSeconds(shutdownGrace));
      return 0;
    } catch (RuntimeException e) {
      System.err.println("avatica-server: " + e.getMessage());
      return 1;
    }
  }

  /** What is served, as a JDBC URL. */
  private String jdbcUrl() throws IOException {
    if (model != null) {
      if (dir != null || !schemas.isEmpty()) {
        throw new IOException("--model stands alone, without --dir and --schema");
      }
      if (!Files.isRegularFile(model)) {
        throw new IOException("not a file: " + model);
      }
      return "jdbc:calcite:model=" + model.toAbsolutePath();
    }
    Map<String, Path> folders = new LinkedHashMap<>();
    if (dir != null) {
      folders.put("dir", dir);
    }
    schemas.forEach((name, folder) -> folders.put("schema." + name, folder));
    if (folders.isEmpty()) {
      throw new IOException("nothing to serve: give --dir, --schema or --model");
    }
    Properties parts = new Properties();
    for (Map.Entry<String, Path> folder : folders.entrySet()) {
      if (!Files.isDirectory(folder.getValue())) {
        throw new IOException("not a folder: " + folder.getValue());
      }
      parts.setProperty(folder.getKey(), folder.getValue().toAbsolutePath().toString());
    }
    return "jdbc:lance:" + ConnectStringParser.getParamString(parts);
  }

  private ServerSettings settings() throws IOException {
    if (scheme == Access.Scheme.NONE && users != null) {
      throw new IOException("--users needs --auth: basic, digest or bearer");
    }
    Tls tls = keystore == null ? null : new Tls(keystore, keystorePassword());
    Limits limits =
        new Limits(
            maxRows,
            maxStatements,
            Duration.ofSeconds(connectionExpiry),
            Duration.ofSeconds(statementTimeout));
    return new ServerSettings(
        host,
        port,
        insecure,
        serialization,
        new Access(scheme, users),
        tls,
        limits,
        new QueryLog(logFormat, logSql, System.err));
  }

  private String keystorePassword() throws IOException {
    if (keystorePasswordFile == null) {
      String password = System.getenv(PASSWORD_VARIABLE);
      if (password == null) {
        throw new IOException(
            "--keystore needs its password: --keystore-password-file or " + PASSWORD_VARIABLE);
      }
      return password;
    }
    if (!Files.isRegularFile(keystorePasswordFile)) {
      throw new IOException("not a file: " + keystorePasswordFile);
    }
    return Files.readString(keystorePasswordFile).lines().findFirst().orElse("");
  }
}
