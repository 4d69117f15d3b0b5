package io.github.lancecalcite.calcite;

/** What went wrong beneath, on its way through Calcite; the cause keeps path and offset. */
final class LanceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String sqlState;

  LanceException(String message, String sqlState, Throwable cause) {
    super(message, cause);
    this.sqlState = sqlState;
  }

  LanceException(String message, String sqlState) {
    super(message);
    this.sqlState = sqlState;
  }

  String sqlState() {
    return sqlState;
  }
}
