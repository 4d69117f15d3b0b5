package io.github.lancecalcite.encoding;

import org.jspecify.annotations.Nullable;

/**
 * Fixed-size lists, nested to any depth: for every level whose items can be null, outer first, a
 * buffer of validity bits (1 = valid), then the items of all levels flattened.
 */
public final class FixedSizeListValues extends ValueDecoder {
  private final int[] dimensions;
  private final boolean[] hasValidity;
  private final ValueDecoder items;
  private final int validityBuffers;

  /**
   * @param dimensions items per list of each level, outer first
   * @param hasValidity whether the items of a level can be null
   * @param items decodes the flattened items, fixed-width
   */
  public FixedSizeListValues(int[] dimensions, boolean[] hasValidity, ValueDecoder items) {
    this.dimensions = dimensions.clone();
    this.hasValidity = hasValidity.clone();
    this.items = items;
    int n = 0;
    for (boolean has : hasValidity) {
      n += has ? 1 : 0;
    }
    this.validityBuffers = n;
  }

  @Override
  public int buffers() {
    return validityBuffers + items.buffers();
  }

  @Override
  public void decode(Bytes[] buffers, int first, int count, ValueBlock out) {
    int total = count;
    long product = 1;
    @Nullable Bytes[] validity = new Bytes[dimensions.length];
    int at = 0;
    for (int level = 0; level < dimensions.length; level++) {
      total = Math.multiplyExact(total, dimensions[level]);
      product *= dimensions[level];
      if (hasValidity[level]) {
        Bytes bits = buffers[first + at];
        bits.require(0, (total + 7L) >>> 3, "validity of list items");
        validity[level] = bits;
        at++;
      }
    }
    items.decode(buffers, first + at, total, out);
    out.count = count;
    out.bits = Math.multiplyExact(out.bits, product);
    out.itemValidity = validity;
  }
}
