package io.github.lancecalcite.examples;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Runs one query on a server started by {@link io.github.lancecalcite.server.AvaticaServer}; needs
 * only Avatica's client on the class path.
 *
 * <p>Arguments: the JDBC URL that the server printed, and the SQL text.
 */
public final class RemoteClientExample {
  private RemoteClientExample() {}

  /** Connects, prints the rows, closes everything, also on the server. */
  public static void main(String[] args) throws SQLException {
    if (args.length != 2) {
      System.err.println(
          "usage: RemoteClientExample"
              + " \"jdbc:avatica:remote:url=http://127.0.0.1:8765;serialization=protobuf\" SQL");
      System.exit(2);
    }
    try (Connection connection = DriverManager.getConnection(args[0]);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(args[1])) {
      ResultPrinter.print(rows, System.out);
    }
  }
}
