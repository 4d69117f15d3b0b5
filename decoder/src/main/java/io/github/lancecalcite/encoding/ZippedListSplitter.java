package io.github.lancecalcite.encoding;

/**
 * Splits full-zip values of nested fixed-size lists: each value is, for every level whose items can
 * be null, outer first, {@code ceil(items / 8)} bytes of validity, then the items.
 */
public final class ZippedListSplitter {
  /** Items per value of each level, and whether they have validity bits. */
  private final int[] levelItems;

  private final boolean[] hasValidity;
  private final int itemBytes;
  private final int valueBytes;
  private byte[] items = new byte[0];

  /**
   * @param dimensions items per list of each level, outer first
   * @param hasValidity whether the items of a level can be null
   * @param itemBits bits of the innermost item, a multiple of 8
   */
  public ZippedListSplitter(int[] dimensions, boolean[] hasValidity, long itemBits) {
    this.levelItems = new int[dimensions.length];
    this.hasValidity = hasValidity.clone();
    int product = 1;
    int bytes = 0;
    for (int level = 0; level < dimensions.length; level++) {
      product = Math.multiplyExact(product, dimensions[level]);
      levelItems[level] = product;
      if (hasValidity[level]) {
        bytes = Math.addExact(bytes, (product + 7) >>> 3);
      }
    }
    this.itemBytes = Math.toIntExact(product * itemBits / 8);
    this.valueBytes = Math.addExact(bytes, itemBytes);
  }

  /** Bytes of a whole value. */
  public int valueBytes() {
    return valueBytes;
  }

  /** Replaces zipped values by their items and validity. */
  public void split(ValueBlock block) {
    int n = block.count;
    if (valueBytes == itemBytes) {
      return; // no level has validity
    }
    int size = Math.multiplyExact(n, itemBytes);
    if (items.length < size) {
      items = new byte[size];
    }
    byte[][] bits = new byte[levelItems.length][];
    for (int level = 0; level < bits.length; level++) {
      bits[level] =
          new byte
              [hasValidity[level] ? Math.toIntExact(((long) n * levelItems[level] + 7) >>> 3) : 0];
    }
    for (int value = 0; value < n; value++) {
      int at = block.dataOffset + value * valueBytes;
      for (int level = 0; level < bits.length; level++) {
        if (hasValidity[level]) {
          int count = levelItems[level];
          copyBits(block.data, at, bits[level], (long) value * count, count);
          at += (count + 7) >>> 3;
        }
      }
      System.arraycopy(block.data, at, items, value * itemBytes, itemBytes);
    }
    block.fixed(n, itemBytes * 8L, items, 0);
    block.itemValidity = new Bytes[bits.length];
    for (int level = 0; level < bits.length; level++) {
      block.itemValidity[level] = hasValidity[level] ? Bytes.of(bits[level]) : null;
    }
  }

  private static void copyBits(byte[] from, int at, byte[] to, long bit, int count) {
    if ((bit & 7) == 0 && (count & 7) == 0) {
      System.arraycopy(from, at, to, (int) (bit >>> 3), count >>> 3);
      return;
    }
    for (int i = 0; i < count; i++) {
      if ((from[at + (i >>> 3)] >>> (i & 7) & 1) != 0) {
        long target = bit + i;
        to[(int) (target >>> 3)] |= (byte) (1 << (target & 7));
      }
    }
  }
}
