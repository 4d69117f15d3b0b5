package io.github.lancecalcite.dataset;

import io.github.lancecalcite.UnsupportedFormatException;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.StructVector;

/** Rows of nothing but nulls; a type of a fixed width has its bytes all the same. */
final class NullRows {
  private static final double MAX_BITS = 8.0 * Integer.MAX_VALUE;

  private NullRows() {}

  /**
   * Gives a new vector so many nulls.
   *
   * @param path the dataset or file, for errors
   * @throws UnsupportedFormatException if the type is so wide that they do not fit 2 GiB
   */
  static void fill(FieldVector vector, int count, String path) throws UnsupportedFormatException {
    double bits = bits(vector) * count;
    if (bits > MAX_BITS) { // a double: the widths of nested lists multiply beyond any long
      throw new UnsupportedFormatException(
          path,
          "size of column '" + vector.getName() + "' in a batch",
          String.format("%.0f bytes", bits / 8),
          "below 2 GiB; ask for smaller batches");
    }
    vector.setInitialCapacity(count);
    vector.allocateNew(); // zeroed validity: null
    vector.setValueCount(count);
  }

  private static double bits(FieldVector vector) {
    if (vector instanceof FixedSizeListVector list) {
      return 1 + (double) list.getListSize() * bits(list.getDataVector());
    } else if (vector instanceof StructVector struct) {
      return 1 + struct.getChildrenFromFields().stream().mapToDouble(NullRows::bits).sum();
    } else if (vector instanceof BaseFixedWidthVector fixed && !(vector instanceof BitVector)) {
      return 1 + 8.0 * fixed.getTypeWidth();
    }
    return 1 + Long.SIZE; // offsets, if any
  }
}
