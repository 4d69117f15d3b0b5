package io.github.lancecalcite.server;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code avatica-server hash}: what to write into the file of users instead of a password. */
@Command(
    name = "hash",
    mixinStandardHelpOptions = true,
    description = {
      "Reads a password or token, from the terminal or else from standard input, and prints its",
      "salted hash for the file of users (--auth basic or bearer)."
    })
final class HashCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the spec
  HashCommand() {}

  @Override
  public Integer call() throws IOException {
    Console console = System.console();
    String secret;
    if (console == null) {
      secret =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
    } else {
      char[] typed = console.readPassword("password or token: ");
      secret = typed == null ? null : new String(typed);
    }
    if (secret == null || secret.isEmpty()) {
      throw new IOException("nothing was given to hash");
    }
    spec.commandLine().getOut().println(HashedSecret.of(secret));
    return 0;
  }
}
