package io.github.lancecalcite.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.calcite.avatica.remote.Driver.Serialization;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** TLS, with the stock client and keys that the JDK's keytool makes. */
@Timeout(120)
class TlsTest {
  private static final String PASSWORD = "changeit";

  @TempDir static Path folder;

  private static Path key;
  private static Path trust;
  private static Path otherTrust;

  @BeforeAll
  static void makeKeys() throws Exception {
    key = folder.resolve("key.p12");
    trust = trustStore(key, "trust.p12");
    otherTrust = trustStore(folder.resolve("other.p12"), "other-trust.p12");
  }

  /** Makes a key for this machine, and a trust store that holds its certificate. */
  private static Path trustStore(Path keystore, String name) throws Exception {
    keytool(
        keystore,
        "-genkeypair",
        "-keyalg",
        "EC",
        "-groupname",
        "secp256r1",
        "-dname",
        "CN=localhost",
        "-ext",
        "san=dns:localhost,ip:127.0.0.1",
        "-validity",
        "2");
    Path certificate = folder.resolve(name + ".crt");
    keytool(keystore, "-exportcert", "-file", certificate.toString());
    Path store = folder.resolve(name);
    keytool(store, "-importcert", "-noprompt", "-file", certificate.toString());
    return store;
  }

  private static void keytool(Path store, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(
        List.of(
            "-alias",
            "lance",
            "-keystore",
            store.toString(),
            "-storetype",
            "PKCS12",
            "-storepass",
            PASSWORD));
    File log = folder.resolve("keytool.log").toFile();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(log.toPath())).isZero();
  }

  private static RunningServer start(Serialization serialization) throws Exception {
    return Clients.start(ServerSettings.local(serialization).withTls(new Tls(key, PASSWORD)));
  }

  private static String trusting(Path store) {
    return String.format(
        Locale.ROOT, ";truststore=%s;truststore_password=%s;keystore_type=PKCS12", store, PASSWORD);
  }

  @ParameterizedTest
  @EnumSource
  void aClientThatTrustsTheServerReads(Serialization serialization) throws Exception {
    try (RunningServer server = start(serialization)) {
      assertThat(server.clientUrl()).contains(":url=https://127.0.0.1:");
      assertThat(Clients.countRows(server.clientUrl() + trusting(trust))).isEqualTo(48);
    }
  }

  @Test
  void aClientThatTrustsSomebodyElseDoesNotConnect() throws Exception {
    try (RunningServer server = start(Serialization.PROTOBUF)) {
      assertThatThrownBy(() -> Clients.countRows(server.clientUrl() + trusting(otherTrust)))
          .hasStackTraceContaining("SSLHandshakeException");
      assertThatThrownBy(() -> Clients.countRows(server.clientUrl()))
          .hasStackTraceContaining("SSLHandshakeException");
      assertThat(server.openConnections()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPlainClientIsToldToSpeakTls(Serialization serialization) throws Exception {
    try (RunningServer server = start(serialization)) {
      String plain = server.clientUrl().replace("https://", "http://");
      assertThatThrownBy(() -> Clients.countRows(plain)).hasStackTraceContaining("got HTTP/400");
      assertThat(server.openConnections()).isZero();
    }
  }

  @Test
  void aTlsClientOfAPlainServerGetsAnError() throws Exception {
    try (RunningServer server = Clients.start(Serialization.PROTOBUF)) {
      String encrypted = server.clientUrl().replace("http://", "https://");
      assertThatThrownBy(() -> Clients.countRows(encrypted + trusting(trust)))
          .hasStackTraceContaining("SSLException");
    }
  }

  @Test
  void anUnusableKeystoreIsToldWhenTheServerStarts() throws Exception {
    ServerSettings plain = ServerSettings.local(Serialization.PROTOBUF);
    assertThatThrownBy(() -> Clients.start(plain.withTls(new Tls(key, "wrong"))))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("cannot open the keystore " + key + ": ");
    assertThatThrownBy(() -> Clients.start(plain.withTls(new Tls(trust, PASSWORD))))
        .isInstanceOf(IOException.class)
        .hasMessage("no private key in the keystore " + trust);
    assertThatThrownBy(
            () -> Clients.start(plain.withTls(new Tls(folder.resolve("none"), PASSWORD))))
        .isInstanceOf(IOException.class)
        .hasMessage("not a file: " + folder.resolve("none"));
  }
}
