package io.github.lancecalcite.server;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A client's connection as the server knows it: whose it is, and its statements.
 *
 * @param user who opened it
 * @param statementTimeout how long the server may work on one statement of it; zero for ever
 * @param statements by id
 */
record Session(String user, Duration statementTimeout, Map<Integer, OpenStatement> statements) {
  Session(String user, Duration statementTimeout) {
    this(user, statementTimeout, new ConcurrentHashMap<>());
  }
}
