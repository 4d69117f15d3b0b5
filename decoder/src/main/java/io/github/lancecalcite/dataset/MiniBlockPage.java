package io.github.lancecalcite.dataset;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.encoding.Bytes;
import io.github.lancecalcite.encoding.LevelDecoder;
import io.github.lancecalcite.encoding.Levels;
import io.github.lancecalcite.encoding.MiniBlockLayout;
import io.github.lancecalcite.encoding.ValueBlock;
import io.github.lancecalcite.encoding.ValueDecoder;
import io.github.lancecalcite.format.PageLayout;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A mini-block page: chunks of a few KiB, each decoded whole and kept until another is needed, so
 * that a forward scan decodes each once. Only the chunks that hold wanted rows are read, in pieces
 * of up to {@value #WINDOW_BYTES} bytes.
 *
 * <p>Buffers: 0 chunk words, 1 chunks, then the dictionary and the repetition index if there are
 * any.
 */
final class MiniBlockPage implements PageReader {
  private static final int WINDOW_BYTES = 1 << 18; // with what is decoded from it, it stays in L2
  private static final int WORDS = 0;
  private static final int CHUNKS = 1;

  private final PageBytes bytes;
  private final PageLayout.MiniBlock layout;
  private final LevelMap map;
  private final int lists;
  private final MiniBlockLayout chunks;
  private final @Nullable LevelDecoder repDecoder;
  private final @Nullable LevelDecoder defDecoder;
  private final ValueDecoder valueDecoder;
  private final @Nullable ValueBlock dictionary;

  /** Rows that begin before chunk i, as far as known; only with lists. */
  private final long[] rowStarts;

  private int knownRowStarts;

  private Bytes window = Bytes.EMPTY;
  private byte[] windowArray = new byte[0];
  private long windowStart;

  private int decoded = -1;
  private final Levels levels = new Levels();
  private final ValueBlock values = new ValueBlock();
  private final Bytes[] buffers;

  MiniBlockPage(PageBytes bytes, PageLayout.MiniBlock layout) throws IOException {
    this.bytes = bytes;
    this.layout = layout;
    this.map = new LevelMap(layout.layers());
    int n = 0;
    for (PageLayout.Layer layer : layout.layers()) {
      n += LevelMap.isList(layer) ? 1 : 0;
    }
    this.lists = n;
    ValueDecoders decoders = new ValueDecoders(bytes.file().path(), bytes.where());
    this.repDecoder =
        layout.repCompression() == null ? null : decoders.levels(layout.repCompression());
    this.defDecoder =
        layout.defCompression() == null ? null : decoders.levels(layout.defCompression());
    if (lists > 0 && repDecoder == null) {
      throw new CorruptFileException(
          bytes.file().path(), -1, "repetition levels of " + bytes.where(), "some", "none");
    }
    try {
      this.valueDecoder = decoders.chunk(layout.valueCompression());
      if (valueDecoder.buffers() != layout.numBuffers()) {
        throw new DecodeException(
            -1, "buffers of a chunk", valueDecoder.buffers(), layout.numBuffers());
      }
      this.chunks =
          new MiniBlockLayout(
              bytes.read(WORDS),
              layout.hasLargeChunk(),
              layout.numItems(),
              bytes.location(CHUNKS).size());
      this.dictionary = layout.dictionary() == null ? null : dictionary(decoders);
    } catch (RuntimeException e) {
      throw translated(WORDS, e);
    }
    this.buffers = new Bytes[layout.numBuffers()];
    this.rowStarts = new long[lists > 0 ? chunks.count() + 1 : 0];
    if (lists > 0) {
      readRepetitionIndex();
    }
  }

  private ValueBlock dictionary(ValueDecoders decoders) throws IOException {
    Bytes in = bytes.read(2);
    long items = layout.numDictionaryItems();
    // an item takes at least a bit, so compressed or not this bounds nonsense
    if (items > Integer.MAX_VALUE - 8 || items > (in.length() + 1L) << 20) {
      throw new DecodeException(-1, "dictionary items", "fewer than the buffer could hold", items);
    }
    ValueBlock block = new ValueBlock();
    decoders.block(Objects.requireNonNull(layout.dictionary())).decode(in, (int) items, block);
    return block;
  }

  private void readRepetitionIndex() throws IOException {
    if (layout.repetitionIndexDepth() != 1) {
      return; // none, or one that serves inner lists too and was never written: not needed
    }
    int buffer = layout.dictionary() == null ? 2 : 3;
    Bytes index = bytes.read(buffer);
    long ended = 0;
    boolean open = false;
    try {
      for (int chunk = 0; chunk < chunks.count(); chunk++) {
        rowStarts[chunk] = Math.addExact(ended, open ? 1 : 0);
        ended = Math.addExact(ended, index.i64(16L * chunk));
        open = index.i64(16L * chunk + 8) != 0;
        if (ended < 0 || ended > bytes.page().length()) {
          throw new DecodeException(
              16L * chunk, "rows in the repetition index", bytes.page().length(), ended);
        }
      }
    } catch (RuntimeException e) {
      throw translated(buffer, e);
    }
    rowStarts[chunks.count()] = ended;
    knownRowStarts = chunks.count();
  }

  private CorruptFileException translated(int buffer, RuntimeException e) {
    if (PageBytes.isDecodeFailure(e)) {
      return bytes.corrupt(buffer, e);
    }
    throw e;
  }

  @Override
  public void read(long first, long count, LeafRows into) throws IOException {
    try {
      if (lists == 0) {
        readFlat(first, count, into);
      } else {
        readLists(first, count, into);
      }
    } catch (RuntimeException e) {
      throw translated(CHUNKS, e);
    }
  }

  private void readFlat(long first, long count, LeafRows into) throws IOException {
    long end = first + count;
    if (end > chunks.items()) {
      throw new DecodeException(-1, "rows", "at most " + chunks.items(), end);
    }
    long at = first;
    int chunk = chunks.chunkOf(first);
    int last = count == 0 ? chunk : chunks.chunkOf(end - 1);
    while (at < end) {
      decode(chunk, last);
      long start = chunks.firstValue(chunk);
      int from = (int) (at - start);
      int to = (int) (Math.min(end, chunks.firstValue(chunk + 1)) - start);
      if (repDecoder == null && defDecoder == null) {
        into.appendValid(to - from, values, from, dictionary);
      } else {
        into.append(levels, from, to, map, values, from, dictionary);
      }
      at = start + to;
      chunk++;
    }
  }

  private void readLists(long first, long count, LeafRows into) throws IOException {
    if (count == 0) {
      return;
    }
    int chunk = chunkOfRow(first);
    int last = knownRowStarts == chunks.count() ? chunkOfRow(first + count - 1) : chunk;
    long toSkip = first - rowStarts[chunk];
    long toTake = count;
    boolean taking = false;
    while (true) {
      if (chunk >= chunks.count()) {
        if (taking && toTake == 0) {
          return; // the last row ended with the page
        }
        throw new DecodeException(-1, "rows of the page", "row " + (first + count - 1), "the end");
      }
      decode(chunk, Math.max(chunk, last));
      int from = 0;
      if (!taking) {
        from = levels.skipRows(0, toSkip, lists);
        taking = from < levels.count;
        toSkip -= levels.passed;
      }
      int entry = levels.skipRows(from, toTake, lists);
      toTake -= levels.passed;
      boolean done = entry < levels.count;
      if (taking && entry > from) {
        into.append(levels, from, entry, map, values, visibleBefore(from), dictionary);
      }
      if (done) {
        return;
      }
      chunk++;
    }
  }

  private int visibleBefore(int entry) {
    if (map.isTrivial()) {
      return entry;
    }
    int visible = 0;
    for (int i = 0; i < entry; i++) {
      visible += levels.def[i] <= map.maxVisible() ? 1 : 0;
    }
    return visible;
  }

  /** The chunk in which a row begins. */
  private int chunkOfRow(long row) throws IOException {
    while (knownRowStarts < chunks.count() && rowStarts[knownRowStarts] <= row) {
      int chunk = knownRowStarts;
      decode(chunk, chunk);
      rowStarts[chunk + 1] = rowStarts[chunk] + levels.rows(0, levels.count, lists);
      knownRowStarts = chunk + 1;
    }
    int low = 0;
    int high = Math.min(knownRowStarts, chunks.count() - 1);
    while (low < high) { // the last chunk before which at most `row` rows begin
      int middle = (low + high + 1) >>> 1;
      if (rowStarts[middle] <= row) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private void decode(int chunk, int lastWanted) throws IOException {
    if (chunk == decoded) {
      return;
    }
    decoded = -1;
    Bytes in = chunkBytes(chunk, lastWanted);
    int valueCount = (int) (chunks.firstValue(chunk + 1) - chunks.firstValue(chunk));
    boolean hasRep = repDecoder != null;
    boolean hasDef = defDecoder != null;
    MiniBlockLayout.Header header =
        MiniBlockLayout.header(in, hasRep, hasDef, layout.hasLargeChunk(), buffers);
    int levelCount = hasRep || hasDef ? header.levels() : valueCount;
    if (levelCount < valueCount) {
      throw new DecodeException(0, "levels of a chunk", "at least " + valueCount, levelCount);
    }
    if (hasRep || hasDef) {
      decodeLevels(header, levelCount);
    }
    valueDecoder.decode(buffers, 0, valueCount, values);
    decoded = chunk;
  }

  private void decodeLevels(MiniBlockLayout.Header header, int levelCount) {
    levels.count = 0;
    levels.reserve(levelCount);
    if (repDecoder != null) {
      repDecoder.decode(header.rep(), levelCount, levels.rep, 0);
    } else {
      Arrays.fill(levels.rep, 0, levelCount, (short) 0);
    }
    if (defDecoder != null) {
      defDecoder.decode(header.def(), levelCount, levels.def, 0);
    } else {
      Arrays.fill(levels.def, 0, levelCount, (short) 0);
    }
    levels.count = levelCount;
  }

  private Bytes chunkBytes(int chunk, int lastWanted) throws IOException {
    long start = chunks.firstByte(chunk);
    long end = chunks.firstByte(chunk + 1);
    if (start < windowStart || end > windowStart + window.length()) {
      int last = chunk;
      while (last < lastWanted && chunks.firstByte(last + 2) - start <= WINDOW_BYTES) {
        last++;
      }
      window = Bytes.EMPTY;
      // no decoded chunk refers to the old window any more
      window = bytes.read(CHUNKS, start, chunks.firstByte(last + 1) - start, windowArray);
      windowArray = window.array();
      windowStart = start;
    }
    return window.slice(start - windowStart, end - start, "chunk");
  }
}
