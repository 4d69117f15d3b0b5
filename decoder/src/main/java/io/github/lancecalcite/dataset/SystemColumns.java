package io.github.lancecalcite.dataset;

import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.rowid.LongCursor;
import io.github.lancecalcite.rowid.RowIdSequence;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/** The system columns of one fragment's stream of batches. One thread; batches in row order. */
final class SystemColumns {
  private final BufferAllocator allocator;
  private final long fragmentId;
  private final long firstOrdinal;
  private final DeletionVector deletions;
  private final Map<SystemColumn, LongCursor> cursors = new EnumMap<>(SystemColumn.class);

  /** Rows seen and those of them that are deleted, for the ordinals. */
  private long passedRows;

  private long passedDeleted;

  /**
   * @param wanted columns that will be asked for
   * @param firstOrdinal live rows in the fragments before this one
   */
  static SystemColumns open(
      Iterable<SystemColumn> wanted,
      FragmentSequences sequences,
      DataFragment fragment,
      long physicalRows,
      DeletionVector deletions,
      long firstOrdinal,
      BufferAllocator allocator)
      throws IOException {
    SystemColumns columns = new SystemColumns(fragment.id(), deletions, firstOrdinal, allocator);
    for (SystemColumn column : wanted) {
      @Nullable LongCursor cursor =
          switch (column) {
            case ROW_ID -> sequences.rowIds().cursor();
            case ROW_ADDR -> RowIdSequence.range(fragment.id() << 32, physicalRows).cursor();
            case ROW_CREATED_AT_VERSION -> sequences.createdAt().cursor();
            case ROW_LAST_UPDATED_AT_VERSION -> sequences.lastUpdatedAt().cursor();
            case ROW_OFFSET, FRAGMENT_ID -> null;
          };
      if (cursor != null) {
        columns.cursors.put(column, cursor);
      }
    }
    return columns;
  }

  private SystemColumns(
      long fragmentId, DeletionVector deletions, long firstOrdinal, BufferAllocator allocator) {
    this.fragmentId = fragmentId;
    this.deletions = deletions;
    this.firstOrdinal = firstOrdinal;
    this.allocator = allocator;
  }

  /** The Arrow field of a system column: unsigned 64 bits, nullable in type only. */
  static Field field(SystemColumn column) {
    return Field.nullable(column.columnName(), new ArrowType.Int(64, false));
  }

  /** A new vector with the column's values for the rows of a batch, owned by the caller. */
  FieldVector read(SystemColumn column, BatchRows rows) {
    long[] values = new long[rows.count()];
    LongCursor cursor = cursors.get(column);
    if (cursor != null) {
      read(cursor, rows, values);
    } else if (column == SystemColumn.ROW_OFFSET) {
      readOrdinals(rows, values);
    } else {
      Arrays.fill(values, fragmentId);
    }
    return vector(column, values);
  }

  private static void read(LongCursor cursor, BatchRows rows, long[] values) {
    long[] words = rows.words();
    if (words == null) {
      cursor.seek(rows.first());
      cursor.next(values, 0, values.length);
      return;
    }
    Runs runs = Runs.ofBits(words, rows.span());
    int at = 0;
    for (int i = 0; i < runs.count(); i++) {
      cursor.seek(rows.first() + runs.start(i));
      at += cursor.next(values, at, runs.length(i));
    }
  }

  private void readOrdinals(BatchRows rows, long[] values) {
    // batches come in row order, so the rows before this one are counted on from the last one
    int at = 0;
    for (int i = 0; i < rows.span(); i++) {
      long[] words = rows.words();
      if (words == null || (words[i >>> 6] >>> i & 1) != 0) {
        long row = rows.first() + i;
        passTo(row);
        values[at++] = firstOrdinal + row - passedDeleted;
      }
    }
  }

  private void passTo(long row) {
    if (deletions.cardinality() == 0) {
      return;
    }
    for (; passedRows < row; passedRows++) {
      if (deletions.isDeleted(passedRows)) {
        passedDeleted++;
      }
    }
  }

  private UInt8Vector vector(SystemColumn column, long[] values) {
    UInt8Vector vector = new UInt8Vector(field(column), allocator);
    try {
      vector.allocateNew(values.length);
      long address = vector.getDataBufferAddress();
      for (int i = 0; i < values.length; i++) {
        MemoryUtil.putLong(address + (long) i * Long.BYTES, values[i]);
      }
      vector.getValidityBuffer().setOne(0, vector.getValidityBuffer().capacity());
      vector.setValueCount(values.length);
      return vector;
    } catch (RuntimeException | Error e) {
      vector.close();
      throw e;
    }
  }
}
