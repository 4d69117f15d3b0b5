package io.github.lancecalcite.calcite;

import io.github.lancecalcite.dataset.ScanRequest;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerator;

/** Rows of a scan; every enumerator is a scan of its own. */
final class BatchEnumerable extends AbstractEnumerable<Object> {
  private final LanceSource source;
  private final ScanRequest request;
  private final List<TableColumn> columns;
  private final DataContext context;

  /**
   * @param columns whose sources are all in the request; some may share one
   */
  BatchEnumerable(
      LanceSource source, ScanRequest request, List<TableColumn> columns, DataContext context) {
    this.source = source;
    this.request = request;
    this.columns = columns;
    this.context = context;
  }

  @Override
  public Enumerator<Object> enumerator() {
    return new BatchEnumerator(() -> source.scan(request), this::readers, context);
  }

  private ValueReaders.ValueReader[] readers(VectorSchemaRoot batch) {
    ValueReaders.ValueReader[] readers = new ValueReaders.ValueReader[columns.size()];
    for (int i = 0; i < readers.length; i++) {
      int vector = request.columns().indexOf(columns.get(i).source());
      readers[i] = columns.get(i).reader(batch.getVector(vector));
    }
    return readers;
  }
}
