package io.github.lancecalcite.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.calcite.avatica.Meta.ConnectionHandle;
import org.apache.calcite.avatica.Meta.ExecuteResult;
import org.apache.calcite.avatica.Meta.MetaResultSet;
import org.apache.calcite.avatica.Meta.StatementHandle;
import org.apache.calcite.avatica.NoSuchConnectionException;
import org.apache.calcite.avatica.NoSuchStatementException;
import org.jspecify.annotations.Nullable;

/**
 * Who may touch which connection and statement. Connections belong to the user who opened them, and
 * statements to their connection; Avatica itself would give any statement to whoever counts up to
 * its id. Thread-safe.
 */
final class Sessions {
  private final Map<String, Session> byConnection = new ConcurrentHashMap<>();
  private final AtomicLong opened = new AtomicLong();

  /** The current caller has opened this connection. */
  void opened(String connectionId, Duration statementTimeout) {
    byConnection.put(
        connectionId, new Session(opened.incrementAndGet(), Caller.current(), statementTimeout));
  }

  /** Connections known here that are not among these: they have expired. */
  List<String> without(Set<String> open) {
    return byConnection.keySet().stream().filter(id -> !open.contains(id)).toList();
  }

  /** A statement, whoever asks; null if there is none. */
  @Nullable OpenStatement find(StatementHandle handle) {
    Session session = byConnection.get(handle.connectionId);
    return session == null ? null : session.statements().get(handle.id);
  }

  /** Statements of all connections. */
  List<OpenStatement> statements() {
    return byConnection.values().stream()
        .flatMap(session -> session.statements().values().stream())
        .toList();
  }

  /** Statements of a connection. */
  List<OpenStatement> statements(String connectionId) {
    Session session = byConnection.get(connectionId);
    return session == null ? List.of() : List.copyOf(session.statements().values());
  }

  /** Forgets a connection; returns the ids of its statements. */
  Set<Integer> closed(String connectionId) {
    Session session = byConnection.remove(connectionId);
    return session == null ? Set.of() : session.statements().keySet();
  }

  /**
   * @throws NoSuchConnectionException if there is no such connection, or it is somebody else's
   */
  Session session(String connectionId) {
    Session session = byConnection.get(connectionId);
    if (session == null || !session.user().equals(Caller.current())) {
      throw new UnknownConnection(connectionId);
    }
    return session;
  }

  /**
   * @throws NoSuchConnectionException if its connection does not exist for the caller
   * @throws NoSuchStatementException if the connection has no such statement
   */
  OpenStatement statement(StatementHandle handle) throws NoSuchStatementException {
    OpenStatement statement = session(handle.connectionId).statements().get(handle.id);
    if (statement == null) {
      throw new NoSuchStatementException(handle);
    }
    return statement;
  }

  /** Whether the caller has a connection with this statement. */
  boolean has(StatementHandle handle) {
    Session session = byConnection.get(handle.connectionId);
    return session != null
        && session.user().equals(Caller.current())
        && session.statements().containsKey(handle.id);
  }

  boolean has(ConnectionHandle handle) {
    Session session = byConnection.get(handle.id);
    return session != null && session.user().equals(Caller.current());
  }

  /** Takes note of the statements that a call has made. */
  void made(@Nullable Object result) {
    if (result instanceof StatementHandle statement) {
      made(statement.connectionId, statement.id);
    } else if (result instanceof MetaResultSet rows) {
      made(rows.connectionId, rows.statementId);
    } else if (result instanceof ExecuteResult executed) {
      executed.resultSets.forEach(this::made);
    }
  }

  private void made(String connectionId, int statementId) {
    Session session = session(connectionId);
    session
        .statements()
        .computeIfAbsent(statementId, id -> new OpenStatement(session, id, null, null));
  }

  /**
   * Takes note of a statement that can be stopped.
   *
   * @param prepared its text, if it is a prepared one
   * @param cancelFlag what stops it
   */
  void made(StatementHandle handle, @Nullable String prepared, @Nullable AtomicBoolean cancelFlag) {
    Session session = session(handle.connectionId);
    session
        .statements()
        .put(handle.id, new OpenStatement(session, handle.id, prepared, cancelFlag));
  }

  void closed(StatementHandle handle) {
    Session session = byConnection.get(handle.connectionId);
    if (session != null) {
      session.statements().remove(handle.id);
    }
  }

  /** Avatica's own has no message, and its client would show {@code null}. */
  private static final class UnknownConnection extends NoSuchConnectionException {
    private static final long serialVersionUID = 1;

    UnknownConnection(String connectionId) {
      super(connectionId);
    }

    @Override
    public String getMessage() {
      return "there is no such connection: it was closed, has expired, or was lost with the server";
    }
  }
}
