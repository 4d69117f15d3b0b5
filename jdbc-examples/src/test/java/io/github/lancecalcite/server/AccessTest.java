package io.github.lancecalcite.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.server.Access.Scheme;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.remote.Driver.Serialization;
import org.apache.calcite.avatica.remote.Service;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who gets in, with the stock client. */
class AccessTest {
  private static final String SECRET = "right-one";

  @TempDir Path folder;

  private ServerSettings settings(Scheme scheme, String... lines) throws IOException {
    Path users = Files.write(folder.resolve("users.properties"), java.util.List.of(lines));
    return ServerSettings.local(Serialization.PROTOBUF).withAccess(new Access(scheme, users));
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void onlyTheRightSecretLetsIn(Scheme scheme) throws Exception {
    try (RunningServer server = Clients.start(settings(scheme, "ann=" + SECRET, "bob=his-own"))) {
      String url = server.clientUrl();
      assertThat(Clients.countRows(url + Clients.as(scheme, "ann", SECRET))).isEqualTo(48);
      assertThat(Clients.countRows(url + Clients.as(scheme, "bob", "his-own"))).isEqualTo(48);

      assertRefused(url + Clients.as(scheme, "ann", "wrong-one"));
      assertRefused(url + Clients.as(scheme, "ann", SECRET + "x"));
      assertRefused(url);
      if (scheme != Scheme.BEARER) { // there the token alone says who it is
        assertRefused(url + Clients.as(scheme, "bob", SECRET));
        assertRefused(url + Clients.as(scheme, "nobody", SECRET));
      }
      assertThat(server.openConnections()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BASIC", "BEARER"})
  void theFileMayHoldAHashInsteadOfTheSecret(Scheme scheme) throws Exception {
    try (RunningServer server = Clients.start(settings(scheme, "ann=" + HashedSecret.of(SECRET)))) {
      String url = server.clientUrl();
      assertThat(Clients.countRows(url + Clients.as(scheme, "ann", SECRET))).isEqualTo(48);
      assertRefused(url + Clients.as(scheme, "ann", "wrong-one"));
      assertThat(Clients.countRows(url + Clients.as(scheme, "ann", SECRET))).isEqualTo(48);
    }
  }

  @Test
  void anotherSchemeThanTheServersDoesNotLetIn() throws Exception {
    try (RunningServer server = Clients.start(settings(Scheme.DIGEST, "ann=" + SECRET))) {
      assertRefused(server.clientUrl() + Clients.as(Scheme.BASIC, "ann", SECRET));
      assertRefused(server.clientUrl() + Clients.as(Scheme.BEARER, "ann", SECRET));
    }
  }

  @Test
  void everyPathAndMethodIsBehindTheGate() throws Exception {
    try (RunningServer server = Clients.start(settings(Scheme.BASIC, "ann=" + SECRET))) {
      HttpClient http = HttpClient.newHttpClient();
      for (String path : new String[] {"/", "/x", "/metrics/", "//", "/%2e%2e/", "/;a=b"}) {
        for (String method : new String[] {"GET", "POST", "PUT", "OPTIONS", "HEAD"}) {
          HttpRequest request =
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                  .method(method, HttpRequest.BodyPublishers.ofString("{}"))
                  .build();
          assertThat(http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
              .as("%s %s", method, path)
              .isIn(400, 401);
        }
      }
    }
  }

  @Test
  void aUserCannotReachTheStatementOfAnother() throws Exception {
    try (RunningServer server =
            Clients.start(settings(Scheme.BASIC, "ann=" + SECRET, "bob=his-own"));
        Connection ann = connect(server, "ann", SECRET);
        Connection bob = connect(server, "bob", "his-own");
        AvaticaStatement annsStatement = (AvaticaStatement) ann.createStatement();
        AvaticaStatement bobs = (AvaticaStatement) bob.createStatement()) {
      assertThat(annsStatement.executeQuery("SELECT * FROM data").next()).isTrue();
      assertThat(bobs.executeQuery("SELECT * FROM data").next()).isTrue();
      String annsConnection = annsStatement.handle.connectionId;
      Service asBob = ((AvaticaConnection) bob).getService();

      assertThatThrownBy(
              () ->
                  asBob.apply(
                      new Service.FetchRequest(annsConnection, annsStatement.handle.id, 48, 10)))
          .hasMessageContaining("there is no such connection");
      assertThatThrownBy(
              () ->
                  asBob.apply(
                      new Service.FetchRequest(
                          bobs.handle.connectionId, annsStatement.handle.id, 48, 10)))
          .hasMessageContaining("the result of this statement is gone");
      asBob.apply(new Service.CloseStatementRequest(annsConnection, annsStatement.handle.id));
      asBob.apply(new Service.CloseConnectionRequest(annsConnection));
      assertThat(server.openConnections()).isEqualTo(2);
      assertThat(server.openStatements()).isEqualTo(2);
    }
  }

  private static Connection connect(RunningServer server, String user, String secret)
      throws Exception {
    return DriverManager.getConnection(server.clientUrl() + Clients.as(Scheme.BASIC, user, secret));
  }

  @Test
  void listeningBeyondThisMachineNeedsAuthenticationOrAFlag() throws Exception {
    InetAddress anywhere = InetAddress.getByName("0.0.0.0");
    ServerSettings open = ServerSettings.local(Serialization.JSON);
    assertThatThrownBy(() -> Clients.start(open.withHost(anywhere, false)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "listening on 0.0.0.0 without authentication lets everybody who reaches it read the"
                + " datasets; give --auth and --users, or --insecure if that is meant");
    ServerSettings basic = settings(Scheme.BASIC, "ann=" + SECRET);
    assertThatThrownBy(() -> Clients.start(basic.withHost(anywhere, false)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("listening on 0.0.0.0 without TLS shows passwords");
    ServerSettings digest = settings(Scheme.DIGEST, "ann=" + SECRET);
    try (RunningServer server = Clients.start(digest.withHost(anywhere, false))) {
      assertThat(Clients.countRows(server.clientUrl() + Clients.as(Scheme.DIGEST, "ann", SECRET)))
          .isEqualTo(48);
    }
    try (RunningServer server = Clients.start(open.withHost(anywhere, true))) {
      assertThat(Clients.countRows(server.clientUrl())).isEqualTo(48);
    }
  }

  @Test
  void anUnusableFileOfUsersIsToldWhenTheServerStarts() throws Exception {
    assertThatThrownBy(() -> Clients.start(settings(Scheme.BASIC)))
        .hasMessageEndingWith("users.properties: no users in it; one line each: name=secret");
    assertThatThrownBy(() -> Clients.start(settings(Scheme.BASIC, "ann=")))
        .hasMessageEndingWith("a name or a secret is empty: 'ann'");
    assertThatThrownBy(() -> Clients.start(settings(Scheme.BASIC, "ann=pbkdf2:12:zz")))
        .hasMessageEndingWith("the hash of ann is malformed");
    assertThatThrownBy(
            () -> Clients.start(settings(Scheme.DIGEST, "ann=" + HashedSecret.of(SECRET))))
        .hasMessageEndingWith(
            "digest authentication needs the password itself, that of ann is hashed");
    assertThatThrownBy(
            () ->
                Clients.start(
                    ServerSettings.local(Serialization.JSON)
                        .withAccess(new Access(Scheme.BASIC, folder.resolve("none")))))
        .hasMessageStartingWith("not a file: ");
  }

  private static void assertRefused(String url) {
    assertThatThrownBy(() -> Clients.countRows(url)).hasStackTraceContaining("got HTTP/401");
  }
}
