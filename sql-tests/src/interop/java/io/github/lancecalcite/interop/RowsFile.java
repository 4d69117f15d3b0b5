package io.github.lancecalcite.interop;

import io.github.lancecalcite.sqltests.ArrowCells;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.jspecify.annotations.Nullable;

/** An Arrow IPC file of rows on their way to the process that lance-core runs in. */
final class RowsFile {
  private RowsFile() {}

  /**
   * Writes all batches of a reader.
   *
   * @return the rows as {@link ArrowCells}, read from the vectors that were written
   */
  static List<@Nullable Object[]> write(Path file, ArrowReader reader) throws IOException {
    List<@Nullable Object[]> rows = new ArrayList<>();
    VectorSchemaRoot root = reader.getVectorSchemaRoot();
    try (FileChannel channel =
            FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
        ArrowFileWriter writer = new ArrowFileWriter(root, reader, channel)) {
      writer.start();
      while (reader.loadNextBatch()) {
        writer.writeBatch();
        addRows(reader, root, rows);
      }
      writer.end();
    }
    return rows;
  }

  private static void addRows(
      ArrowReader reader, VectorSchemaRoot root, List<@Nullable Object[]> rows) {
    List<FieldVector> vectors = root.getFieldVectors();
    for (int i = 0; i < root.getRowCount(); i++) {
      @Nullable Object[] row = new Object[vectors.size()];
      for (int c = 0; c < row.length; c++) {
        FieldVector vector = vectors.get(c);
        DictionaryEncoding encoding = vector.getField().getDictionary();
        Object cell = ArrowCells.get(vector, i);
        row[c] =
            encoding == null || cell == null
                ? cell
                : ArrowCells.get(
                    reader.lookup(encoding.getId()).getVector(), ((Long) cell).intValue());
      }
      rows.add(row);
    }
  }
}
