package io.github.lancecalcite.server;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A client's connection as the server knows it: whose it is, and its statements.
 *
 * @param number counted from 1 when the server started
 * @param user who opened it
 * @param statementTimeout how long the server may work on one statement of it; zero for ever
 * @param statements by id
 */
record Session(
    long number, String user, Duration statementTimeout, Map<Integer, OpenStatement> statements) {
  Session(long number, String user, Duration statementTimeout) {
    this(number, user, statementTimeout, new ConcurrentHashMap<>());
  }
}
