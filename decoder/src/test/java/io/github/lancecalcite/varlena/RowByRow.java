package io.github.lancecalcite.varlena;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthViewVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TinyIntVector;

/**
 * The union oracle: rows one at a time, as values. A row is null or its bytes, and grouped or not.
 */
final class RowByRow {
  private RowByRow() {}

  /** A row's value, or null. */
  static byte[] value(FieldVector vector, int row) {
    if (vector.isNull(row)) {
      return null;
    }
    Object object = vector.getObject(row);
    if (object instanceof byte[] b) {
      return b;
    }
    if (object instanceof org.apache.arrow.vector.util.Text text) {
      return text.copyBytes();
    }
    return String.valueOf(object).getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  /** One row as text that can be compared. */
  static String row(FieldVector vector, GroupingBits grouping, int row) {
    byte[] value = value(vector, row);
    String shown =
        value == null
            ? "null"
            : value.length > 40
                ? value.length + "#" + Arrays.hashCode(value)
                : Arrays.toString(value);
    return shown + (grouping != null && grouping.isGrouped(row) ? " grouped" : "");
  }

  /** All rows. */
  static List<String> rows(FieldVector vector, GroupingBits grouping) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < vector.getValueCount(); i++) {
      rows.add(row(vector, grouping, i));
    }
    return rows;
  }

  /** Writes a value through the vector's own safe setter. */
  static void set(FieldVector vector, int row, byte[] value) {
    if (value == null) {
      vector.setNull(row);
    } else if (vector instanceof BaseVariableWidthVector v) {
      v.setSafe(row, value);
    } else if (vector instanceof BaseLargeVariableWidthVector v) {
      v.setSafe(row, value);
    } else if (vector instanceof BaseVariableWidthViewVector v) {
      v.setSafe(row, value);
    } else if (vector instanceof IntVector v) {
      v.setSafe(row, Arrays.hashCode(value));
    } else if (vector instanceof BigIntVector v) {
      v.setSafe(row, Arrays.hashCode(value) * 0x100000001L);
    } else if (vector instanceof TinyIntVector v) {
      v.setSafe(row, value.length);
    } else if (vector instanceof BitVector v) {
      v.setSafe(row, value.length & 1);
    } else if (vector instanceof FixedSizeBinaryVector v) {
      v.setSafe(row, Arrays.copyOf(value, v.getByteWidth()));
    } else {
      throw new IllegalArgumentException(vector.getField().toString());
    }
  }
}
