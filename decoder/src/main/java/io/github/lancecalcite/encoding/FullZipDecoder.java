package io.github.lancecalcite.encoding;

import io.github.lancecalcite.DecodeException;
import java.util.Arrays;

/**
 * Walks the entries of a full-zip page: a control word with the levels, then the value.
 *
 * <pre>
 * control word  0, 1, 2 or 4 bytes for bitsRep + bitsDef = 0, 1–8, 9–16, 17–32; (rep &lt;&lt; bitsDef) | def
 * value         fixed: its bytes, if def ≤ maxVisible; variable: length and bytes, only if def = 0
 * </pre>
 *
 * Holds scratch; not safe for threads.
 */
public final class FullZipDecoder {
  private final int bitsDef;
  private final int controlBytes;
  private final int maxVisible;
  private final int lengthBytes;
  private final int valueBytes;
  private byte[] values = new byte[0];

  /**
   * @param maxVisible greatest definition level that owns a value
   * @param lengthBits width of the length of variable values, or 0 when values are fixed
   * @param valueBits width of fixed values, a multiple of 8; 0 when there are no values
   */
  public FullZipDecoder(int bitsRep, int bitsDef, int maxVisible, int lengthBits, long valueBits) {
    int bits = bitsRep + bitsDef;
    this.bitsDef = bitsDef;
    this.controlBytes = bits == 0 ? 0 : bits <= 8 ? 1 : bits <= 16 ? 2 : 4;
    this.maxVisible = maxVisible;
    if (lengthBits != 0
        && lengthBits != 8
        && lengthBits != 16
        && lengthBits != 32
        && lengthBits != 64) {
      throw new IllegalArgumentException("lengths of " + lengthBits + " bits");
    }
    if (lengthBits == 0 && (valueBits < 0 || (valueBits & 7) != 0)) {
      throw new IllegalArgumentException("values of " + valueBits + " bits");
    }
    this.lengthBytes = lengthBits / 8;
    this.valueBytes = (int) (valueBits / 8);
  }

  /** Bytes of an entry with a fixed value; 0 when entries have neither levels nor values. */
  public int entryBytes() {
    return controlBytes + valueBytes;
  }

  /**
   * Decodes all entries of a stretch, which holds whole entries. Levels are appended to {@code
   * levels}, definition levels as the page has them; values are those of the visible entries.
   */
  public void decode(Bytes in, Levels levels, ValueBlock out) {
    if (lengthBytes == 0) {
      fixed(in, levels, out);
    } else {
      variable(in, levels, out);
    }
  }

  /** What {@code n} entries of no bytes decode to. */
  public void decodeNothing(int n, Levels levels, ValueBlock out) {
    addZeros(n, levels);
    out.fixed(n, 0, values, 0);
  }

  private static void addZeros(int n, Levels levels) {
    levels.reserve(n);
    Arrays.fill(levels.rep, levels.count, levels.count + n, (short) 0);
    Arrays.fill(levels.def, levels.count, levels.count + n, (short) 0);
    levels.count += n;
  }

  private void fixed(Bytes in, Levels levels, ValueBlock out) {
    int size = in.length();
    if (controlBytes == 0) {
      int n = size / valueBytes;
      if (n * valueBytes != size) {
        throw new DecodeException(0, "fixed entries", "whole entries of " + valueBytes, size);
      }
      addZeros(n, levels);
      out.fixed(n, valueBytes * 8L, in.array(), in.offset());
      return;
    }
    if (values.length < size) {
      values = new byte[size];
    }
    int at = 0;
    int visible = 0;
    while (at < size) {
      int def = control(in, at, levels);
      at += controlBytes;
      if (def <= maxVisible) {
        in.require(at, valueBytes, "value of an entry");
        System.arraycopy(in.array(), in.offset() + at, values, visible * valueBytes, valueBytes);
        visible++;
        at += valueBytes;
      }
    }
    out.fixed(visible, valueBytes * 8L, values, 0);
  }

  private void variable(Bytes in, Levels levels, ValueBlock out) {
    int size = in.length();
    if (values.length < size) {
      values = new byte[size];
    }
    int[] offsets = out.variable(Math.max(64, size / (controlBytes + lengthBytes + 16)), values);
    int visible = 0;
    int end = 0;
    offsets[0] = 0;
    int at = 0;
    while (at < size) {
      int def = control(in, at, levels);
      at += controlBytes;
      if (def == 0) {
        long length =
            switch (lengthBytes) {
              case 1 -> in.u8(at);
              case 2 -> in.u16(at);
              case 4 -> in.u32(at);
              default -> in.i64(at);
            };
        at += lengthBytes;
        in.require(at, length, "value of an entry");
        System.arraycopy(in.array(), in.offset() + at, values, end, (int) length);
        at += (int) length;
        end += (int) length;
      }
      if (def <= maxVisible) {
        if (visible + 1 >= offsets.length) {
          offsets = Arrays.copyOf(offsets, offsets.length * 2);
          out.offsets = offsets;
        }
        offsets[++visible] = end;
      }
    }
    out.count = visible;
  }

  private int control(Bytes in, int at, Levels levels) {
    if (controlBytes == 0) {
      levels.add(0, 0);
      return 0;
    }
    int word =
        switch (controlBytes) {
          case 1 -> in.u8(at);
          case 2 -> in.u16(at);
          default -> in.i32(at);
        };
    int def = word & ((1 << bitsDef) - 1);
    levels.add(word >>> bitsDef, def);
    return def;
  }
}
