package io.github.lancecalcite.encoding;

import org.jspecify.annotations.Nullable;

/**
 * Decoded values: what a value decoder fills and a column takes from. Scratch that is reused, and
 * whose arrays may belong to the decoder; valid until the next decode.
 *
 * <p>Fixed width: value i is {@link #bits} bits at bit {@code i·bits} of {@link #data} from byte
 * {@link #dataOffset} on, little-endian, least significant bit first. Variable width ({@code bits}
 * = 0): value i is {@code data[offsets[i], offsets[i + 1])}.
 */
public final class ValueBlock {
  /** Number of values. */
  public int count;

  /** Bits per value, or 0 when values vary in width. A fixed-size list counts all its items. */
  public long bits;

  /** The bytes. */
  public byte[] data = new byte[0];

  /** First byte of fixed-width values. */
  public int dataOffset;

  /** Ends of variable-width values, absolute in {@link #data}; {@code count + 1} entries. */
  public int[] offsets = new int[0];

  /**
   * Validity bits of list items, outer level first, null for a level whose items are all valid;
   * empty when no level has any.
   */
  public @Nullable Bytes[] itemValidity = NO_VALIDITY;

  void fixed(int newCount, long newBits, byte[] newData, int newOffset) {
    count = newCount;
    bits = newBits;
    data = newData;
    dataOffset = newOffset;
    itemValidity = NO_VALIDITY;
  }

  private static final @Nullable Bytes[] NO_VALIDITY = new Bytes[0];

  /** Makes room for the ends of {@code newCount} variable-width values of {@code newData}. */
  int[] variable(int newCount, byte[] newData) {
    count = newCount;
    bits = 0;
    data = newData;
    dataOffset = 0;
    itemValidity = NO_VALIDITY;
    if (offsets.length <= newCount) {
      offsets = new int[Math.max(newCount + 1, offsets.length * 2)];
    }
    return offsets;
  }
}
