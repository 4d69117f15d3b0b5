package io.github.lancecalcite.server;

/** A client's statement: how many rows of its result have been sent. Guarded by itself. */
final class OpenStatement {
  private long sent;

  /** A new result, of which nothing has been sent. */
  void restart() {
    sent = 0;
  }

  /** Rows of the current result that have been sent; also the offset of the next one. */
  long sent() {
    return sent;
  }

  void send(long rows) {
    sent += rows;
  }
}
