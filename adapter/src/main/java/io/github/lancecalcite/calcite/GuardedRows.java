package io.github.lancecalcite.calcite;

import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;

/**
 * The rows of a statement, computed when they are moved to and then kept, so that what goes wrong
 * in computing one goes wrong in {@code ResultSet.next()}, once, and as a SQLException.
 */
final class GuardedRows<T> extends AbstractEnumerable<T> {
  private final Enumerable<T> rows;

  GuardedRows(Enumerable<T> rows) {
    this.rows = rows;
  }

  @Override
  public Enumerator<T> enumerator() {
    return new GuardedEnumerator<>(rows.enumerator());
  }

  private static final class GuardedEnumerator<T> implements Enumerator<T> {
    private final Enumerator<T> rows;
    private T current;

    @SuppressWarnings("NullAway") // there is no row before the first
    GuardedEnumerator(Enumerator<T> rows) {
      this.rows = rows;
    }

    @Override
    public T current() {
      return current;
    }

    @Override
    public boolean moveNext() {
      try {
        if (!rows.moveNext()) {
          return false;
        }
        current = rows.current();
        return true;
      } catch (RuntimeException e) {
        rows.close(); // Avatica reads the first row before there is anything a caller could close
        throw LanceFailure.computing(e);
      }
    }

    @Override
    public void reset() {
      rows.reset();
    }

    @Override
    public void close() {
      rows.close();
    }
  }
}
