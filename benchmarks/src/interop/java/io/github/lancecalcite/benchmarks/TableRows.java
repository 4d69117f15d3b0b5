package io.github.lancecalcite.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The rows of the benchmark tables, in batches of 65,536: every column is a formula of the id, so
 * that any writer can make the same rows.
 */
final class TableRows extends ArrowReader {
  static final Schema SCHEMA =
      new Schema(
          List.of(
              Field.nullable("id", new ArrowType.Int(64, true)),
              Field.nullable("k", new ArrowType.Int(32, true)),
              Field.nullable("s", ArrowType.Utf8.INSTANCE),
              Field.nullable("x", new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE)),
              Field.nullable("ts", new ArrowType.Timestamp(TimeUnit.MICROSECOND, null))));

  private static final int BATCH = 65_536;

  private final long[] ids;
  private final long count;
  private final long shift;
  private long next;

  /** Ids 0 … rows − 1. */
  TableRows(BufferAllocator allocator, long rows) {
    this(allocator, new long[0], rows, 0);
  }

  /** These ids, with the values the formula gives for {@code id + shift}. */
  TableRows(BufferAllocator allocator, long[] ids, long shift) {
    this(allocator, ids, ids.length, shift);
  }

  private TableRows(BufferAllocator allocator, long[] ids, long count, long shift) {
    super(allocator);
    this.ids = ids.clone();
    this.count = count;
    this.shift = shift;
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    prepareLoadNextBatch();
    int rows = (int) Math.min(BATCH, count - next);
    if (rows <= 0) {
      return false;
    }
    VectorSchemaRoot root = getVectorSchemaRoot();
    root.getFieldVectors().forEach(vector -> vector.allocateNew());
    BigIntVector id = (BigIntVector) root.getVector("id");
    IntVector k = (IntVector) root.getVector("k");
    VarCharVector s = (VarCharVector) root.getVector("s");
    Float8Vector x = (Float8Vector) root.getVector("x");
    TimeStampMicroVector ts = (TimeStampMicroVector) root.getVector("ts");
    for (int i = 0; i < rows; i++) {
      long key = ids.length == 0 ? next + i : ids[(int) next + i];
      long v = key + shift;
      long h = v * 6364136223846793005L + 1442695040888963407L;
      id.setSafe(i, key);
      k.setSafe(i, (int) ((h >>> 40) % 100));
      s.setSafe(i, text(h));
      x.setSafe(i, (h >>> 11) * 0x1p-53);
      if (v % 10 == 3) {
        ts.setNull(i);
      } else {
        ts.setSafe(i, 1_600_000_000_000_000L + v * 1_000_000);
      }
    }
    root.setRowCount(rows);
    next += rows;
    return true;
  }

  private static byte[] text(long h) {
    String hex = Long.toHexString(h);
    return ("u_" + "0".repeat(16 - hex.length()) + hex + "_z").getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public long bytesRead() {
    return 0;
  }

  @Override
  protected void closeReadSource() {}

  @Override
  protected Schema readSchema() {
    return SCHEMA;
  }
}
