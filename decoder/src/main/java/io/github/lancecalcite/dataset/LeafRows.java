package io.github.lancecalcite.dataset;

import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.encoding.Bytes;
import io.github.lancecalcite.encoding.Levels;
import io.github.lancecalcite.encoding.ValueBlock;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * What the pages of a leaf yield for a range of rows: levels in full form, and the values of the
 * visible entries. Close it in any case.
 */
final class LeafRows implements AutoCloseable {
  /** Level of a null leaf in full form. */
  private static final short NULL_LEAF = 1;

  final Levels levels;
  final LeafBuilder values;

  /** Scratch: the dictionary items of a piece. */
  private int[] chosen = new int[0];

  LeafRows(LeafShape shape, BufferAllocator allocator, int expected) {
    this(shape, allocator, expected, new Levels());
  }

  /**
   * @param levels emptied and filled; nobody else needs it meanwhile
   */
  LeafRows(LeafShape shape, BufferAllocator allocator, int expected, Levels levels) {
    levels.clear();
    this.levels = levels;
    this.values = new LeafBuilder(shape, allocator, expected);
  }

  /**
   * Appends entries {@code [from, to)} of a piece of a page, and the values that belong to them.
   *
   * @param piece levels as the page has them
   * @param map the page's definition levels to those of the full form
   * @param block values of the piece's visible entries
   * @param dictionary items that the values index, or null
   */
  void append(
      Levels piece,
      int from,
      int to,
      LevelMap map,
      ValueBlock block,
      int firstValue,
      @Nullable ValueBlock dictionary) {
    int before = levels.count;
    int visible = levels.append(piece, from, to, map.full(), map.maxVisible());
    if (dictionary == null) {
      values.append(block, firstValue, visible);
    } else {
      lookUp(before, block, firstValue, visible, dictionary, map.fullMaxVisible());
    }
  }

  /** Appends valid entries outside of any list, with the next {@code n} values of the block. */
  void appendValid(int n, ValueBlock block, int firstValue, @Nullable ValueBlock dictionary) {
    levels.appendZeros(n);
    if (dictionary == null) {
      values.append(block, firstValue, n);
      return;
    }
    int[] items = chosen(n);
    if (!readIndices(block, firstValue, n, dictionary.count, items)) {
      for (int i = 0; i < n; i++) {
        checkItem(i, items[i], block, firstValue, dictionary);
      }
    }
    values.appendChosen(dictionary, items, n);
  }

  private int[] chosen(int n) {
    if (chosen.length < n) {
      chosen = new int[n];
    }
    return chosen;
  }

  private static void checkItem(
      int value, int index, ValueBlock indices, int first, ValueBlock items) {
    if (index < 0 || index >= items.count) {
      throw new DecodeException(
          -1,
          "dictionary index " + value,
          "below " + items.count,
          Long.toUnsignedString(index(indices, first + value)));
    }
  }

  /** Appends entries that own no stored value: nulls of a page that has none but null leaves. */
  void appendNulls(Levels piece, int from, int to, LevelMap map) {
    int first = levels.count;
    int visible = levels.append(piece, from, to, map.full(), map.maxVisible());
    levels.replaceZeros(first, NULL_LEAF); // there is no value that they could have
    values.appendZero(visible);
  }

  private void lookUp(
      int entry, ValueBlock indices, int first, int n, ValueBlock items, int maxVisible) {
    int[] picks = chosen(n);
    if (!readIndices(indices, first, n, items.count, picks)) {
      int i = 0;
      while (i < n) {
        int def = levels.def[entry++];
        if (def > maxVisible) {
          continue; // an entry without a value
        }
        if (def == 0) {
          checkItem(i, picks[i], indices, first, items);
        } else if (picks[i] >= items.count) {
          picks[i] = -1; // the placeholder of a null may point anywhere
        }
        i++;
      }
    }
    values.appendChosen(items, picks, n);
  }

  /**
   * Reads unsigned numbers; those that no int holds are below 0.
   *
   * @return whether all are below {@code limit}
   */
  private static boolean readIndices(ValueBlock block, int first, int n, int limit, int[] out) {
    Bytes bytes = Bytes.of(block.data);
    switch ((int) block.bits) {
      case 8 -> bytes.u8s(block.dataOffset + (long) first, n, out);
      case 16 -> bytes.u16s(block.dataOffset + 2L * first, n, out);
      default -> {
        for (int i = 0; i < n; i++) {
          long index = index(block, first + i);
          out[i] = index == (int) index ? (int) index : -1;
        }
      }
    }
    int wrong = 0; // below 0 as soon as one of the terms was
    for (int i = 0; i < n; i++) {
      wrong |= out[i] | limit - 1 - out[i];
    }
    return wrong >= 0;
  }

  private static long index(ValueBlock block, int i) {
    Bytes bytes = Bytes.of(block.data);
    long at = block.dataOffset;
    return switch ((int) block.bits) {
      case 8 -> bytes.u8(at + i);
      case 16 -> bytes.u16(at + 2L * i);
      case 32 -> bytes.u32(at + 4L * i);
      case 64 -> bytes.i64(at + 8L * i);
      default ->
          throw new DecodeException(-1, "dictionary index width", "8, 16, 32 or 64", block.bits);
    };
  }

  @Override
  public void close() {
    values.close();
  }
}
