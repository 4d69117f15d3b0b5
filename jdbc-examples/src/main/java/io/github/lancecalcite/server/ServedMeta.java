package io.github.lancecalcite.server;

import io.github.lancecalcite.server.EndedQuery.Outcome;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.MissingResultsException;
import org.apache.calcite.avatica.NoSuchStatementException;
import org.apache.calcite.avatica.QueryState;
import org.apache.calcite.avatica.jdbc.JdbcMeta;
import org.apache.calcite.avatica.jdbc.StatementInfo;
import org.apache.calcite.avatica.proto.Requests;
import org.apache.calcite.avatica.remote.TypedValue;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of each client connection: a JDBC connection to the served URL, for reading.
 *
 * <p>Connection properties that a client sends are not passed on. Calcite would take some of them
 * (model, schema factory, type system) as names of files and classes to load, and a reader of data
 * must not be able to do that.
 *
 * <p>A frame of rows is sent once. A client that asks for it again (its connection broke before the
 * answer came) gets an error: the rows have gone, and the next ones are not those it asked for. In
 * the same way a result that is gone is not computed again, because the tables may have changed.
 */
final class ServedMeta extends JdbcMeta {
  private static final String LOST_STATE = "24000"; // invalid cursor state
  private static final String READ_ONLY_STATE = "25006";
  private static final int NOT_PREPARED = -1;
  private static final int MAX_FRAME_ROWS = 4_096;

  private final String url;
  private final Sessions sessions;
  private final Limits limits;
  private final ServerMetrics metrics;
  private final QueryLog log;
  private final TimeLimit timeLimit = new TimeLimit();

  /** Nothing new is started. */
  private volatile boolean stopping;

  /** What runs ends. */
  private volatile boolean ending;

  /** Statements about to be made. */
  private final AtomicInteger coming = new AtomicInteger();

  ServedMeta(String url, Sessions sessions, Limits limits, ServerMetrics metrics, QueryLog log)
      throws SQLException {
    super(url, caches(limits));
    this.url = url;
    this.limits = limits;
    this.sessions = sessions;
    this.metrics = metrics;
    this.log = log;
    // no id of an earlier server that a client still holds should mean another statement here
    getStatementIdGenerator().set(new SecureRandom().nextInt(1 << 30));
  }

  /** Statements live as long as their connections. */
  private static Properties caches(Limits limits) {
    Properties caches = new Properties();
    caches.setProperty(
        ConnectionCacheSettings.EXPIRY_DURATION.key(),
        Long.toString(limits.connectionExpiry().toSeconds()));
    caches.setProperty(ConnectionCacheSettings.EXPIRY_UNIT.key(), "SECONDS");
    String unlimited = Long.toString(Long.MAX_VALUE);
    caches.setProperty(ConnectionCacheSettings.MAX_CAPACITY.key(), unlimited);
    caches.setProperty(StatementCacheSettings.MAX_CAPACITY.key(), unlimited);
    caches.setProperty(StatementCacheSettings.EXPIRY_DURATION.key(), "100000");
    caches.setProperty(StatementCacheSettings.EXPIRY_UNIT.key(), "DAYS");
    return caches;
  }

  /**
   * Connects once and lets go, so that a bad URL is told when the server starts, not to its first
   * client.
   */
  void checkUrl() throws SQLException {
    DriverManager.getConnection(url).close();
  }

  /**
   * Does what a client needs before its first query: connects, and lists the tables.
   *
   * @throws SQLException if that fails
   */
  void checkFolders() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        ResultSet tables =
            connection.getMetaData().getTables(null, null, "%", new String[] {"TABLE"})) {
      tables.next();
    }
  }

  @Override
  public void openConnection(ConnectionHandle handle, @Nullable Map<String, String> info) {
    checkNotStopping();
    forgetExpired();
    Duration timeout =
        limits.statementTimeout(info == null ? null : info.get(Limits.TIMEOUT_PROPERTY));
    super.openConnection(handle, Map.of());
    sessions.opened(handle.id, timeout);
  }

  @Override
  protected Connection createConnection(String ofUrl, Properties info) throws SQLException {
    return WireJdbc.around(DriverManager.getConnection(ofUrl));
  }

  @Override
  public StatementHandle createStatement(ConnectionHandle connection) {
    try {
      limits.checkStatements(openStatements() + coming.incrementAndGet());
      StatementHandle created = super.createStatement(connection);
      sessions.made(created, null, cancelFlag(created));
      return created;
    } finally {
      coming.decrementAndGet();
    }
  }

  @Override
  public StatementHandle prepare(ConnectionHandle connection, String sql, long maxRowCount) {
    checkNotStopping();
    OpenStatement attempt =
        new OpenStatement(sessions.session(connection.id), NOT_PREPARED, sql, null);
    attempt.start(null);
    StatementHandle prepared;
    try {
      int open = openStatements() + coming.incrementAndGet();
      checkQuery(connection.id, sql);
      limits.checkStatements(open);
      prepared = super.prepare(connection, sql, maxRowCount);
    } catch (RuntimeException e) {
      failed(attempt, e);
      throw e;
    } finally {
      coming.decrementAndGet();
    }
    sessions.made(prepared, sql, cancelFlag(prepared));
    prepared.signature = WireTypes.complete(prepared.signature);
    return prepared;
  }

  /** What the scans of a statement poll. Unlike {@code Statement.cancel()} it waits for nothing. */
  private @Nullable AtomicBoolean cancelFlag(StatementHandle handle) {
    StatementInfo info = getStatementCache().getIfPresent(handle.id);
    Statement local = info == null ? null : AvaticaInside.statement(info);
    if (local == null) {
      return null;
    }
    try {
      AvaticaConnection connection =
          getConnection(handle.connectionId).unwrap(AvaticaConnection.class);
      return connection.getCancelFlag(local.unwrap(AvaticaStatement.class).handle);
    } catch (SQLException | NoSuchStatementException e) {
      throw new IllegalStateException("a statement that cannot be cancelled", e);
    }
  }

  @Override
  public ExecuteResult prepareAndExecute(
      StatementHandle statement,
      String sql,
      long maxRowCount,
      int maxRowsInFirstFrame,
      PrepareCallback callback)
      throws NoSuchStatementException {
    OpenStatement open = sessions.statement(statement);
    synchronized (open) {
      start(open, sql);
      return work(
          statement,
          open,
          () -> {
            checkQuery(statement.connectionId, sql);
            return started(
                open,
                super.prepareAndExecute(
                    statement,
                    sql,
                    maxRowCount,
                    limits.frameRows(0, frame(maxRowsInFirstFrame)),
                    callback));
          },
          ServedMeta::isDone);
    }
  }

  @Override
  public ExecuteResult execute(
      StatementHandle statement, List<TypedValue> parameterValues, int maxRowsInFirstFrame)
      throws NoSuchStatementException {
    OpenStatement open = sessions.statement(statement);
    synchronized (open) {
      start(open, null);
      return work(
          statement,
          open,
          () ->
              started(
                  open,
                  super.execute(
                      statement, parameterValues, limits.frameRows(0, frame(maxRowsInFirstFrame)))),
          ServedMeta::isDone);
    }
  }

  private static boolean isDone(ExecuteResult result) {
    return result.resultSets.stream()
        .allMatch(rows -> rows.firstFrame == null || rows.firstFrame.done);
  }

  private void start(OpenStatement open, @Nullable String sql) {
    checkNotStopping();
    if (open.isExecuting()) {
      ended(open.end(Outcome.CLOSED, null, null));
    }
    open.start(sql);
  }

  private interface Work<T> {
    T run() throws NoSuchStatementException, MissingResultsException;
  }

  /** Works on a statement, within its time; the statement is held. */
  private <T> T work(StatementHandle handle, OpenStatement open, Work<T> work, Predicate<T> isLast)
      throws NoSuchStatementException {
    T result;
    metrics.workStarted();
    try {
      result = watched(handle, open, work);
    } catch (RuntimeException e) {
      endResult(handle);
      Stop stop = open.stopped();
      RuntimeException told = stop == null ? e : stop.error();
      if (open.isExecuting()) {
        if (stop == Stop.CLOSED) {
          ended(open.end(Outcome.CLOSED, null, null));
        } else {
          failed(open, told);
        }
      }
      throw told;
    } catch (NoSuchStatementException e) {
      if (open.isExecuting()) {
        ended(open.end(Outcome.CLOSED, null, null));
      }
      throw e;
    } finally {
      metrics.workEnded();
    }
    if (open.isExecuting() && isLast.test(result)) {
      ended(open.end(Outcome.OK, null, null));
    }
    return result;
  }

  private <T> T watched(StatementHandle handle, OpenStatement open, Work<T> work)
      throws NoSuchStatementException {
    Duration limit = sessions.session(handle.connectionId).statementTimeout();
    try (TimeLimit.Watch watch = timeLimit.watch(open, limit)) {
      if (ending) {
        open.stop(Stop.SERVER_STOPS);
      }
      Stop early = open.stopped();
      if (early != null) {
        throw early.error();
      }
      return work.run();
    } catch (MissingResultsException e) {
      throw lost();
    }
  }

  private void failed(OpenStatement open, RuntimeException failure) {
    Throwable plain = PlainErrors.plain(failure);
    ended(
        open.end(
            Outcome.ERROR,
            PlainErrors.sqlState(plain),
            plain.getMessage() == null ? plain.toString() : plain.getMessage()));
  }

  private void ended(EndedQuery query) {
    metrics.ended(query);
    log.ended(query);
  }

  private void checkNotStopping() {
    if (stopping) {
      throw Stop.SERVER_STOPS.error();
    }
  }

  /** Releases what the result of a statement holds, after a failure from which it has no way on. */
  private void endResult(StatementHandle handle) {
    StatementInfo info = getStatementCache().getIfPresent(handle.id);
    ResultSet rows = info == null ? null : info.getResultSet();
    if (rows != null) {
      try {
        rows.close();
      } catch (SQLException e) {
        // the failure that led here is the one to tell
      }
    }
  }

  /** Rows of a frame that a client asks for; whatever it asks, a frame is bounded. */
  private static int frame(int asked) {
    return asked < 0 ? MAX_FRAME_ROWS : Math.min(asked, MAX_FRAME_ROWS);
  }

  private ExecuteResult started(OpenStatement open, ExecuteResult result) {
    List<MetaResultSet> completed = new ArrayList<>();
    for (MetaResultSet rows : result.resultSets) {
      if (rows.firstFrame != null) {
        limits.checkRows(size(rows.firstFrame));
        open.send(size(rows.firstFrame));
      }
      completed.add(
          rows.signature == null
              ? rows
              : MetaResultSet.create(
                  rows.connectionId,
                  rows.statementId,
                  rows.ownStatement,
                  WireTypes.complete(rows.signature),
                  rows.firstFrame,
                  rows.updateCount));
    }
    return new ExecuteResult(completed);
  }

  @Override
  public Frame fetch(StatementHandle statement, long offset, int fetchMaxRowCount)
      throws NoSuchStatementException {
    OpenStatement open = sessions.statement(statement);
    synchronized (open) {
      if (offset != open.sent()) {
        throw PlainErrors.error(
            "rows from "
                + offset
                + " on cannot be sent again, those from "
                + open.sent()
                + " on are next; run the statement again",
            LOST_STATE);
      }
      int rows = limits.frameRows(open.sent(), frame(fetchMaxRowCount));
      return work(
          statement,
          open,
          () -> {
            Frame frame = super.fetch(statement, offset, rows);
            limits.checkRows(open.sent() + size(frame));
            open.send(size(frame));
            return frame;
          },
          frame -> frame.done);
    }
  }

  private static long size(Frame frame) {
    return frame.rows instanceof Collection<?> rows ? rows.size() : 0;
  }

  @Override
  public boolean syncResults(StatementHandle statement, QueryState state, long offset) {
    throw lost();
  }

  /** What a client is told whose result is gone. */
  static RuntimeException lost() {
    return PlainErrors.error(
        "the result of this statement is gone (expired, closed or lost with the server);"
            + " run the statement again",
        LOST_STATE);
  }

  @Override
  public ExecuteBatchResult prepareAndExecuteBatch(StatementHandle statement, List<String> sql) {
    throw readOnly();
  }

  @Override
  public ExecuteBatchResult executeBatch(
      StatementHandle statement, List<List<TypedValue>> parameterValues) {
    throw readOnly();
  }

  @Override
  public ExecuteBatchResult executeBatchProtobuf(
      StatementHandle statement, List<Requests.UpdateBatch> parameterValues) {
    throw readOnly();
  }

  private static RuntimeException readOnly() {
    return PlainErrors.error("this server is read-only; a batch is no query", READ_ONLY_STATE);
  }

  private void checkQuery(String connectionId, String sql) {
    try {
      ReadOnly.check(getConnection(connectionId), sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends what runs for the statement first, which takes a batch at most. */
  @Override
  public void closeStatement(StatementHandle handle) {
    OpenStatement open = sessions.find(handle);
    if (open == null) {
      super.closeStatement(handle);
      return;
    }
    open.close();
    synchronized (open) {
      if (open.isExecuting()) {
        ended(open.end(Outcome.CLOSED, null, null));
      }
      super.closeStatement(handle);
    }
  }

  /** Ends what runs on the connection first; also forgets its statements. */
  @Override
  public void closeConnection(ConnectionHandle connection) {
    endStatements(connection.id);
    try {
      super.closeConnection(connection);
    } finally {
      getStatementCache().invalidateAll(sessions.closed(connection.id));
    }
  }

  /** Closes connections that have been idle for too long, and forgets their statements. */
  private void forgetExpired() {
    getConnectionCache().cleanUp();
    for (String expired : sessions.without(getConnectionCache().asMap().keySet())) {
      endStatements(expired);
      getStatementCache().invalidateAll(sessions.closed(expired));
    }
  }

  /** Ends what runs on a connection; afterwards nobody reads from its scans any more. */
  private void endStatements(String connectionId) {
    List<OpenStatement> statements = sessions.statements(connectionId);
    statements.forEach(OpenStatement::close);
    for (OpenStatement statement : statements) {
      synchronized (statement) {
        if (statement.isExecuting()) {
          ended(statement.end(Outcome.CLOSED, null, null));
        }
      }
    }
  }

  /** What the scans of all clients hold. */
  ScanUse scanUse() {
    return getConnectionCache().asMap().values().stream()
        .map(ScanUse::of)
        .reduce(ScanUse.NONE, ScanUse::plus);
  }

  int openConnections() {
    return getConnectionCache().asMap().size();
  }

  int openStatements() {
    return getStatementCache().asMap().size();
  }

  /** Results of which rows may be to come. */
  int openResults() {
    forgetExpired();
    return (int) sessions.statements().stream().filter(OpenStatement::isExecuting).count();
  }

  boolean isStopping() {
    return stopping;
  }

  /** From now on nothing new is started; results that are open can be fetched to their end. */
  void startNoMore() {
    stopping = true;
  }

  /** Ends everything that runs, and starts nothing more. */
  void stopAll() {
    stopping = true;
    ending = true;
    sessions.statements().forEach(statement -> statement.stop(Stop.SERVER_STOPS));
  }

  /** Closes every connection, which closes its statements and their scans. */
  void closeAll() {
    timeLimit.close();
    for (String id : List.copyOf(getConnectionCache().asMap().keySet())) {
      closeConnection(new Meta.ConnectionHandle(id));
    }
  }
}
