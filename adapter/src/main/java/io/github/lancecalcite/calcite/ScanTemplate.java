package io.github.lancecalcite.calcite;

import io.github.lancecalcite.dataset.ScanRequest;
import io.github.lancecalcite.dataset.SystemColumn;
import io.github.lancecalcite.dataset.SystemPredicate;
import java.util.List;
import org.apache.calcite.DataContext;

/**
 * A scan request with conditions whose values every execution of a statement brings along.
 *
 * @param fixed the request without those conditions
 * @param open the conditions; all must hold
 */
record ScanTemplate(ScanRequest fixed, List<OpenCondition> open) {
  /** A condition with parameters on one system column. */
  record OpenCondition(SystemColumn column, AllowedValues values) {
    @Override
    public String toString() {
      return values.text(column.columnName());
    }
  }

  ScanTemplate {
    open = List.copyOf(open);
  }

  /** The request for one execution. */
  ScanRequest bind(DataContext context) {
    SystemPredicate predicate = fixed.predicate();
    for (OpenCondition condition : open) {
      predicate = predicate.and(condition.column(), condition.values().bind(context));
    }
    return fixed.withPredicate(predicate);
  }
}
