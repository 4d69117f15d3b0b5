package io.github.lancecalcite.encoding;

import java.util.Arrays;

/**
 * Splits full-zip values of nested fixed-size lists: each value is, for every level whose items can
 * be null, outer first, {@code ceil(items / 8)} bytes of validity, then the items.
 */
public final class ZippedListSplitter {
  /** Items per value of each level, and whether they have validity bits. */
  private final int[] levelItems;

  private final boolean[] hasValidity;

  /** Level whose items are all null and have no bytes, nor have those below; −1 for none. */
  private final int nullLevel;

  private final long valueBits;
  private final int itemBytes;
  private final int valueBytes;
  private byte[] items = new byte[0];

  /**
   * @param dimensions items per list of each level, outer first
   * @param hasValidity whether the items of a level can be null
   * @param itemBits bits of the innermost item, a multiple of 8
   */
  public ZippedListSplitter(int[] dimensions, boolean[] hasValidity, long itemBits) {
    this(dimensions, hasValidity, itemBits, -1);
  }

  private ZippedListSplitter(
      int[] dimensions, boolean[] hasValidity, long itemBits, int nullLevel) {
    this.levelItems = new int[dimensions.length];
    this.hasValidity = Arrays.copyOf(hasValidity, dimensions.length);
    this.nullLevel = nullLevel;
    int product = 1;
    int bytes = 0;
    for (int level = 0; level < dimensions.length; level++) {
      product = Math.multiplyExact(product, dimensions[level]);
      levelItems[level] = product;
      if (this.hasValidity[level]) {
        bytes = Math.addExact(bytes, (product + 7) >>> 3);
      }
    }
    this.valueBits = product * itemBits;
    this.itemBytes = nullLevel < 0 ? Math.toIntExact(valueBits / 8) : 0;
    this.valueBytes = Math.addExact(bytes, itemBytes);
  }

  /**
   * Values whose lists of one level have nothing but null items, for which there are no bytes.
   *
   * @param hasValidity of the levels outside of that one
   * @param nullLevel that level, 0 for the outermost
   * @param itemBits bits of the innermost item
   */
  public static ZippedListSplitter ofNullItems(
      int[] dimensions, boolean[] hasValidity, int nullLevel, long itemBits) {
    return new ZippedListSplitter(dimensions, hasValidity, itemBits, nullLevel);
  }

  /** Bytes of a whole value. */
  public int valueBytes() {
    return valueBytes;
  }

  /** Replaces zipped values by their items and validity. */
  public void split(ValueBlock block) {
    int n = block.count;
    if (valueBytes == itemBytes && nullLevel < 0) {
      return; // no level has validity
    }
    int size =
        nullLevel < 0
            ? Math.multiplyExact(n, itemBytes)
            : Math.toIntExact((Math.multiplyExact(n, valueBits) + 7) >>> 3); // stays zero
    if (items.length < size) {
      items = new byte[size];
    }
    byte[][] bits = new byte[levelItems.length][];
    for (int level = 0; level < bits.length; level++) {
      bits[level] =
          new byte[isKnown(level) ? Math.toIntExact(((long) n * levelItems[level] + 7) >>> 3) : 0];
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
    block.fixed(n, valueBits, items, 0);
    block.itemValidity = new Bytes[bits.length];
    for (int level = 0; level < bits.length; level++) {
      block.itemValidity[level] = isKnown(level) ? Bytes.of(bits[level]) : null;
    }
  }

  /** Whether the level has validity bits, be they all zero. */
  private boolean isKnown(int level) {
    return hasValidity[level] || level == nullLevel;
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
