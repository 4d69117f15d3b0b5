package io.github.lancecalcite.server;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A client's connection as the server knows it: whose it is, and its statements.
 *
 * @param user who opened it
 * @param statements by id
 */
record Session(String user, Map<Integer, OpenStatement> statements) {
  Session(String user) {
    this(user, new ConcurrentHashMap<>());
  }
}
