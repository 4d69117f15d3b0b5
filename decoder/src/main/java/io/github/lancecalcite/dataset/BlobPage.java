package io.github.lancecalcite.dataset;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.encoding.Bytes;
import io.github.lancecalcite.encoding.Levels;
import io.github.lancecalcite.encoding.ValueBlock;
import io.github.lancecalcite.format.PageLayout;
import io.github.lancecalcite.format.PageLayout.Layer;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FixedSizeBinaryVector;

/**
 * A page of blob descriptors: an inner page of (u64 position, u64 size), one per row. A size of 0
 * with a position other than 0 is no value: the position holds the definition level above bit 16.
 */
final class BlobPage implements PageReader {
  /** Shape of a stored descriptor. */
  static final LeafShape DESCRIPTOR = PackedShape.blob().rows();

  private static final int BYTES = 16;

  private final PageBytes bytes;
  private final PageReader inner;
  private final LevelMap map;
  private final BufferAllocator allocator;

  /**
   * @param inner reads the descriptors
   */
  BlobPage(PageBytes bytes, PageLayout.Blob layout, PageReader inner, BufferAllocator allocator)
      throws IOException {
    if (layout.layers().stream().anyMatch(LevelMap::isList)) {
      throw new UnsupportedFormatException(
          bytes.file().path(), "blobs of " + bytes.where(), "in a list", "in no list");
    }
    if (layout.inner().layers().size() != 1) {
      throw new CorruptFileException(
          bytes.file().path(),
          -1,
          "layers of the descriptors of " + bytes.where(),
          1,
          layout.inner().layers().size());
    }
    this.bytes = bytes;
    this.inner = inner;
    // lance-core takes the layers from one batch of a page: others may have nulls all the same
    this.map =
        new LevelMap(layout.layers().size() == 1 ? List.of(Layer.NULLABLE_ITEM) : layout.layers());
    this.allocator = allocator;
  }

  @Override
  public void read(long first, long count, LeafRows into) throws IOException {
    int n = Math.toIntExact(count);
    byte[] descriptors = descriptors(first, n);
    try {
      Levels levels = new Levels();
      levels.reserve(n);
      Bytes from = Bytes.of(descriptors);
      for (int i = 0; i < n; i++) {
        levels.def[i] = (short) level(from, i);
      }
      levels.count = n;
      ValueBlock block = new ValueBlock();
      block.count = n;
      block.bits = BYTES * 8L;
      block.data = descriptors;
      into.append(levels, 0, n, map, block, 0, null);
    } catch (DecodeException e) {
      throw bytes.corrupt(0, e);
    }
  }

  private byte[] descriptors(long first, int n) throws IOException {
    byte[] data = new byte[Math.multiplyExact(n, BYTES)];
    try (LeafRows rows = new LeafRows(DESCRIPTOR, allocator, n);
        FixedSizeBinaryVector vector = new FixedSizeBinaryVector("blobs", allocator, BYTES)) {
      inner.read(first, n, rows);
      if (rows.values.count() != n) {
        throw bytes.corrupt(0, new DecodeException(-1, "blob descriptors", n, rows.values.count()));
      }
      rows.values.finish(vector, null);
      vector.getDataBuffer().getBytes(0, data);
    }
    return data;
  }

  /** The definition level of a descriptor, whose bytes are cleared if it is not a value. */
  private int level(Bytes descriptors, int i) {
    long position = descriptors.i64((long) i * BYTES);
    long size = descriptors.i64((long) i * BYTES + 8);
    if (size != 0 || position == 0) {
      return 0;
    }
    long level = position >>> 16;
    if ((position & 0xffff) != 0 || level > map.maxVisible()) {
      throw new DecodeException(
          -1, "level of blob " + i, "at most " + map.maxVisible() + ", no repetition", position);
    }
    java.util.Arrays.fill(descriptors.array(), i * BYTES, (i + 1) * BYTES, (byte) 0);
    return (int) level;
  }
}
