package io.github.lancecalcite.interop;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Hands rows given as Java values to lance-core, batch by batch, without going through Arrow IPC.
 *
 * <p>Close it after lance-core has consumed the stream that was exported from it.
 */
final class RowsReader extends ArrowReader {
  private final Schema schema;
  private final List<Object[]> rows;
  private final int batchRows;
  private final Map<Long, List<Object>> dictionaryValues;
  private int next;

  RowsReader(BufferAllocator allocator, Schema schema, List<Object[]> rows, int batchRows) {
    this(allocator, schema, rows, batchRows, Map.of());
  }

  /**
   * @param dictionaries by id the values of the dictionaries of the schema; rows hold places in
   *     them
   */
  RowsReader(
      BufferAllocator allocator,
      Schema schema,
      List<Object[]> rows,
      int batchRows,
      Map<Long, List<Object>> dictionaries) {
    super(allocator);
    this.dictionaryValues = dictionaries;
    this.schema = schema;
    this.rows = rows;
    this.batchRows = batchRows;
  }

  @Override
  protected void initialize() throws IOException {
    super.initialize();
    dictionaries.forEach(
        (id, dictionary) -> {
          List<Object> values = dictionaryValues.getOrDefault(id, List.of());
          for (int i = 0; i < values.size(); i++) {
            VectorFiller.set(dictionary.getVector(), i, values.get(i));
          }
          dictionary.getVector().setValueCount(values.size());
        });
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    prepareLoadNextBatch();
    if (next >= rows.size()) {
      return false;
    }
    VectorSchemaRoot root = getVectorSchemaRoot();
    root.getFieldVectors().forEach(v -> v.allocateNew());
    int count = Math.min(batchRows, rows.size() - next);
    for (int i = 0; i < count; i++) {
      Object[] row = rows.get(next + i);
      for (int c = 0; c < row.length; c++) {
        VectorFiller.set(root.getVector(c), i, row[c]);
      }
    }
    root.setRowCount(count);
    next += count;
    return true;
  }

  @Override
  public long bytesRead() {
    return 0;
  }

  @Override
  protected void closeReadSource() {}

  @Override
  protected Schema readSchema() {
    return schema;
  }
}
