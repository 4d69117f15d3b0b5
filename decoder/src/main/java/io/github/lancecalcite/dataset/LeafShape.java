package io.github.lancecalcite.dataset;

import io.github.lancecalcite.format.LogicalType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the values of a leaf are stored, whatever they mean.
 *
 * @param kind fixed width, variable width or no bytes at all
 * @param itemBits width of a fixed value, or of the innermost item of fixed-size lists
 * @param dimensions items per list of each level of nested fixed-size lists, outer first; empty
 *     otherwise
 * @param large whether Arrow offsets of variable values have 64 bits
 */
record LeafShape(Kind kind, int itemBits, List<Integer> dimensions, boolean large) {
  /** Width of the values. */
  enum Kind {
    FIXED,
    VARIABLE,
    NONE
  }

  LeafShape {
    dimensions = List.copyOf(dimensions);
  }

  /** Items of the innermost level per value; 1 without lists. */
  int itemsPerValue() {
    int product = 1;
    for (int dimension : dimensions) {
      product = Math.multiplyExact(product, dimension);
    }
    return product;
  }

  /** The shape of a type's values, or null when the type is not a leaf. */
  static @Nullable LeafShape of(LogicalType type) {
    if (type instanceof LogicalType.FixedSizeList) {
      List<Integer> dimensions = new ArrayList<>();
      LogicalType inner = type;
      while (inner instanceof LogicalType.FixedSizeList list) {
        dimensions.add(list.size());
        inner = list.inner();
      }
      LeafShape item = of(inner);
      return item == null || item.kind() != Kind.FIXED
          ? null
          : new LeafShape(Kind.FIXED, item.itemBits(), dimensions, false);
    }
    if (type instanceof LogicalType.Utf8 utf8) {
      return variable(utf8.large());
    }
    if (type instanceof LogicalType.Binary binary) {
      return variable(binary.large());
    }
    if (type instanceof LogicalType.Json) {
      return variable(true);
    }
    if (type instanceof LogicalType.Dictionary dictionary) {
      return of(dictionary.value());
    }
    if (type instanceof LogicalType.Null) {
      return new LeafShape(Kind.NONE, 0, List.of(), false);
    }
    int bits = bits(type);
    return bits == 0 ? null : new LeafShape(Kind.FIXED, bits, List.of(), false);
  }

  private static LeafShape variable(boolean large) {
    return new LeafShape(Kind.VARIABLE, 0, List.of(), large);
  }

  private static int bits(LogicalType type) {
    if (type instanceof LogicalType.Bool) {
      return 1;
    } else if (type instanceof LogicalType.Int t) {
      return t.bits();
    } else if (type instanceof LogicalType.FloatingPoint t) {
      return t.bits();
    } else if (type instanceof LogicalType.BFloat16) {
      return 16;
    } else if (type instanceof LogicalType.Decimal t) {
      return t.bits();
    } else if (type instanceof LogicalType.FixedSizeBinary t) {
      return Math.multiplyExact(t.byteWidth(), 8);
    } else if (type instanceof LogicalType.Date t) {
      return t.bits();
    } else if (type instanceof LogicalType.Time t) {
      return t.bits();
    } else if (type instanceof LogicalType.Timestamp || type instanceof LogicalType.Duration) {
      return 64;
    }
    return 0;
  }
}
