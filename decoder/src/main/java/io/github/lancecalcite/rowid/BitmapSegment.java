package io.github.lancecalcite.rowid;

import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.format.U64Segment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * {@code start + i} for every set bit i. The bytes are copied into 64-bit words (bit i is {@code
 * words[i / 64] >>> i % 64 & 1}) with the bits past the length cleared, so that no loop needs to
 * think of the tail and nobody can change them.
 */
final class BitmapSegment extends IdSegment {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Words between two entries of {@link #ranks}. */
  static final int WORDS_PER_RANK = 8;

  private final long start;
  private final long slots;
  private final long[] words;

  /** Set bits before word {@code i * WORDS_PER_RANK}. */
  private final int[] ranks;

  private final long min;
  private final long max;

  BitmapSegment(U64Segment.RangeWithBitmap range) {
    this(range.start(), slots(range), words(range.bitmap(), slots(range)));
  }

  private static long slots(U64Segment.RangeWithBitmap range) {
    long slots = range.end() - range.start();
    if (slots < 0 || slots > Integer.MAX_VALUE) {
      throw new DecodeException(
          -1, "bitmap of row ids", "at most 2^31 - 1 slots", Long.toUnsignedString(slots));
    }
    if (range.bitmap().length != (slots + Byte.SIZE - 1) / Byte.SIZE) {
      throw new DecodeException(
          -1,
          "bitmap of row ids",
          (slots + Byte.SIZE - 1) / Byte.SIZE + " bytes for " + slots + " slots",
          range.bitmap().length);
    }
    return slots;
  }

  /** Takes the words, whose bits from {@code slots} on are clear. */
  BitmapSegment(long start, long slots, long[] words) {
    this(start, slots, words, ranks(words));
  }

  private BitmapSegment(long start, long slots, long[] words, int[] ranks) {
    super(ranks[ranks.length - 1]);
    this.start = start;
    this.slots = slots;
    this.words = words;
    this.ranks = ranks;
    this.min = length() == 0 ? start : get(0);
    this.max = length() == 0 ? start : get(length() - 1);
  }

  private static long[] words(byte[] bitmap, long slots) {
    long[] words = new long[(int) ((slots + Long.SIZE - 1) / Long.SIZE)];
    int full = bitmap.length / Long.BYTES;
    for (int i = 0; i < full; i++) {
      words[i] = (long) LONG.get(bitmap, i * Long.BYTES);
    }
    for (int i = full * Long.BYTES; i < bitmap.length; i++) {
      words[full] |= (bitmap[i] & 0xFFL) << (i % Long.BYTES * Byte.SIZE);
    }
    int tail = (int) (slots % Long.SIZE);
    if (tail != 0) {
      words[words.length - 1] &= -1L >>> Long.SIZE - tail;
    }
    return words;
  }

  /** The last entry is the number of all set bits. */
  private static int[] ranks(long[] words) {
    int[] ranks = new int[words.length / WORDS_PER_RANK + 2];
    int rank = 0;
    for (int i = 0; i < words.length; i++) {
      if (i % WORDS_PER_RANK == 0) {
        ranks[i / WORDS_PER_RANK] = rank;
      }
      rank += Long.bitCount(words[i]);
    }
    for (int i = (words.length + WORDS_PER_RANK - 1) / WORDS_PER_RANK; i < ranks.length; i++) {
      ranks[i] = rank;
    }
    return ranks;
  }

  /** Id of slot 0. */
  long start() {
    return start;
  }

  /** Width of the range, clear bits included. */
  long slots() {
    return slots;
  }

  /** The bits; not to be written. */
  long[] words() {
    return words;
  }

  @Override
  long get(long index) {
    return start + select(index);
  }

  /** Slot of the set bit number {@code index}; {@code slots} when there is no such bit. */
  long select(long index) {
    if (index >= length()) {
      return slots;
    }
    int low = 0;
    int high = ranks.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (ranks[middle] <= index) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    int left = (int) (index - ranks[low]);
    int word = low * WORDS_PER_RANK;
    int bits = Long.bitCount(words[word]);
    while (left >= bits) {
      left -= bits;
      bits = Long.bitCount(words[++word]);
    }
    return (long) word * Long.SIZE + selectInWord(words[word], left);
  }

  /** Position of the set bit number {@code index} of a word that has it. */
  static int selectInWord(long word, int index) {
    int position = 0;
    for (int width = Integer.SIZE; width > 0; width >>>= 1) {
      int bits = Long.bitCount(word >>> position & (1L << width) - 1);
      if (index >= bits) {
        index -= bits;
        position += width;
      }
    }
    return position;
  }

  /** Number of set bits in slots {@code [0, slot)}, {@code slot ≤ slots}. */
  private long rank(long slot) {
    int word = (int) (slot / Long.SIZE);
    long rank = ranks[word / WORDS_PER_RANK];
    for (int i = word / WORDS_PER_RANK * WORDS_PER_RANK; i < word; i++) {
      rank += Long.bitCount(words[i]);
    }
    int bits = (int) (slot % Long.SIZE);
    return bits == 0 ? rank : rank + Long.bitCount(words[word] & (1L << bits) - 1);
  }

  @Override
  long indexOf(long id) {
    long slot = id - start;
    boolean present =
        Long.compareUnsigned(slot, slots) < 0
            && (words[(int) (slot / Long.SIZE)] >>> slot & 1) != 0;
    return present ? rank(slot) : -1;
  }

  @Override
  long min() {
    return min;
  }

  @Override
  long max() {
    return max;
  }

  @Override
  void collect(long low, long high, long base, RowRanges into) {
    if (mayHold(low, high)) {
      long first = Long.compareUnsigned(low, start) <= 0 ? 0 : low - start;
      long last = Long.compareUnsigned(high - start, slots) >= 0 ? slots - 1 : high - start;
      into.add(base + rank(first), base + rank(last + 1));
    }
  }

  /** Whether expanding runs beats expanding bits: at least six of eight slots are set. */
  boolean isDense() {
    return length() >= slots / 8 * 6;
  }

  @Override
  IdStream stream() {
    return new SparseBitmapStream(this);
  }
}
