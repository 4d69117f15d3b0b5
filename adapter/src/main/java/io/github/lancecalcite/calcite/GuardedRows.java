package io.github.lancecalcite.calcite;

import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;

/**
 * The rows of a statement, computed when they are moved to and then kept, so that what goes wrong
 * in computing one goes wrong in {@code ResultSet.next()}, once, and as a SQLException.
 */
final class GuardedRows<T> extends AbstractEnumerable<T> {
  private final Enumerable<T> rows;
  private final DataContext context;

  GuardedRows(Enumerable<T> rows, DataContext context) {
    this.rows = rows;
    this.context = context;
  }

  @Override
  public Enumerator<T> enumerator() {
    return new GuardedEnumerator<>(rows.enumerator(), context);
  }

  private static final class GuardedEnumerator<T> implements Enumerator<T> {
    private final Enumerator<T> rows;
    private final DataContext context;
    private T current;

    @SuppressWarnings("NullAway") // there is no row before the first
    GuardedEnumerator(Enumerator<T> rows, DataContext context) {
      this.rows = rows;
      this.context = context;
    }

    @Override
    public T current() {
      return current;
    }

    @Override
    public boolean moveNext() {
      try {
        CancelFlag.check(context);
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
