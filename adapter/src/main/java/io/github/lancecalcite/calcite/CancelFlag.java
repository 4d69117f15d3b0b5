package io.github.lancecalcite.calcite;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.calcite.DataContext;

/** {@code Statement.cancel()} as a running scan sees it. */
final class CancelFlag {
  private CancelFlag() {}

  /**
   * @throws java.sql.SQLException unchecked, if the statement was cancelled or its time is over
   */
  static void check(DataContext context) {
    AtomicBoolean flag = DataContext.Variable.CANCEL_FLAG.get(context);
    if (flag != null && flag.get()) {
      throw LanceFailure.cancelled();
    }
    if (context instanceof SessionZone session) {
      session.deadline().check();
    }
  }
}
