package io.github.lancecalcite.dataset;

import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.encoding.Bytes;
import io.github.lancecalcite.encoding.Compression;
import io.github.lancecalcite.encoding.FastLanes;
import io.github.lancecalcite.encoding.Fsst;
import io.github.lancecalcite.encoding.PackedBits;
import io.github.lancecalcite.encoding.ValueBlock;
import io.github.lancecalcite.format.ArrayEncoding;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decodes stretches of one 2.0 page by walking its encoding tree. Fixed-width data is read by
 * range; what must be whole (compressed buffers, dictionaries) is decoded once and kept. One
 * thread.
 */
final class Array20Page {
  private final PageBytes bytes;
  private final LeafShape shape;
  private final boolean arrowDictionary;
  private final Map<Integer, Bytes> decompressed = new HashMap<>();
  private @Nullable Decoded20 dictionary;

  /**
   * @param shape of the column's values
   * @param arrowDictionary whether indices count from 0 and nulls are items, as in Arrow dictionary
   *     columns; in plain string columns index 0 is null and k is item k − 1
   */
  Array20Page(PageBytes bytes, LeafShape shape, boolean arrowDictionary) {
    this.bytes = bytes;
    this.shape = shape;
    this.arrowDictionary = arrowDictionary;
  }

  /** Values {@code [from, from + count)} of the page. */
  Decoded20 decode(ArrayEncoding node, long from, int count) throws IOException {
    return decode(node, from, count, 0);
  }

  /**
   * @param level fixed-size lists around the node
   */
  private Decoded20 decode(ArrayEncoding node, long from, int count, int level) throws IOException {
    if (node instanceof ArrayEncoding.Flat e) {
      return plain(flat(e, from, count));
    } else if (node instanceof ArrayEncoding.NoNulls e) {
      return decode(e.values(), from, count, level);
    } else if (node instanceof ArrayEncoding.SomeNulls e) {
      ValueBlock validity = values(decode(e.validity(), from, count), "validity");
      if (validity.bits != 1) {
        throw new DecodeException(-1, "width of validity", 1, validity.bits);
      }
      Bytes bits =
          new Bytes(validity.data, validity.dataOffset, validity.data.length - validity.dataOffset);
      Decoded20 inner = decode(e.values(), from, count, level);
      Bytes innerBits = inner.validity();
      return new Decoded20(
          inner.values(), innerBits == null ? bits : PackedBits.and(bits, innerBits, count));
    } else if (node instanceof ArrayEncoding.AllNulls) {
      return Decoded20.ALL_NULL;
    } else if (node instanceof ArrayEncoding.FixedSizeList e) {
      return list(e, from, count, level);
    } else if (node instanceof ArrayEncoding.Binary e) {
      return binary(e, from, count);
    } else if (node instanceof ArrayEncoding.Fsst e) {
      return fsst(e, from, count);
    } else if (node instanceof ArrayEncoding.Dictionary e) {
      return dictionary(e, from, count);
    } else if (node instanceof ArrayEncoding.FixedSizeBinary e) {
      return fixedBinary(e, from, count);
    } else if (node instanceof ArrayEncoding.Bitpacked e) {
      return plain(bitpacked(e, from, count));
    } else if (node instanceof ArrayEncoding.BitpackedForNonNeg e) {
      return plain(fastLanes(e, from, count));
    }
    throw new UnsupportedFormatException(
        bytes.file().path(),
        "array encoding of " + bytes.where(),
        node.getClass().getSimpleName(),
        "a leaf's encoding");
  }

  private static Decoded20 plain(ValueBlock block) {
    return new Decoded20(block, null);
  }

  private static ValueBlock values(Decoded20 decoded, String what) {
    ValueBlock block = decoded.values();
    if (block == null || decoded.validity() != null) {
      throw new DecodeException(-1, what, "values", block == null ? "nothing but nulls" : "nulls");
    }
    return block;
  }

  private static ValueBlock fixed(int count, long bits, Bytes data) {
    ValueBlock block = new ValueBlock();
    block.count = count;
    block.bits = bits;
    block.data = data.array();
    block.dataOffset = data.offset();
    return block;
  }

  private ValueBlock flat(ArrayEncoding.Flat flat, long from, int count) throws IOException {
    long bits = flat.bitsPerValue();
    if (bits != 1 && (bits <= 0 || (bits & 7) != 0)) {
      throw new UnsupportedFormatException(
          bytes.file().path(), "flat width of " + bytes.where(), bits, "1 or whole bytes");
    }
    if (bits == 1) {
      long firstByte = from >>> 3;
      long end = (from + count + 7) >>> 3;
      Bytes in = range(flat.buffer(), flat.compression(), firstByte, end - firstByte);
      return fixed(count, 1, PackedBits.align(in, from & 7, count));
    }
    long width = bits >>> 3;
    return fixed(
        count,
        bits,
        range(
            flat.buffer(),
            flat.compression(),
            Math.multiplyExact(from, width),
            Math.multiplyExact(count, width)));
  }

  /** A range of a buffer, decompressed if need be. */
  private Bytes range(
      ArrayEncoding.Buffer buffer, @Nullable String compression, long from, long size)
      throws IOException {
    int index = pageBuffer(buffer);
    if (compression == null) {
      return bytes.read(index, from, size);
    }
    Bytes whole = decompressed.get(index);
    if (whole == null) {
      Bytes stored = bytes.read(index);
      whole = compression.equals("zstd") ? Compression.zstd(stored) : Compression.lz4(stored);
      decompressed.put(index, whole);
    }
    return whole.slice(from, size, "decompressed values");
  }

  private int pageBuffer(ArrayEncoding.Buffer buffer) throws IOException {
    if (buffer.kind() != ArrayEncoding.Buffer.Kind.PAGE) {
      throw new UnsupportedFormatException(
          bytes.file().path(), "buffer of " + bytes.where(), buffer.kind(), "buffers of the page");
    }
    return buffer.index();
  }

  private Decoded20 list(ArrayEncoding.FixedSizeList list, long from, int count, int level)
      throws IOException {
    long most = (long) shape.itemBits() * shape.itemsPerValue();
    if (itemsPerValue(list) > most) { // before anything is allocated for so many items
      throw new DecodeException(
          -1, "items of a fixed-size list", "at most " + most, list.dimension());
    }
    List<Integer> dimensions = shape.dimensions();
    if (level < dimensions.size() && list.dimension() != dimensions.get(level)) {
      throw new DecodeException(
          -1, "size of a fixed-size list", dimensions.get(level), list.dimension());
    }
    int size = Math.toIntExact(list.dimension());
    int itemCount = Math.multiplyExact(count, size);
    Decoded20 items =
        decode(list.items(), Math.multiplyExact(from, (long) size), itemCount, level + 1);
    ValueBlock block = items.values();
    Bytes itemValidity = items.validity();
    if (block == null) { // all items are null: any bytes will do
      long bits = shape.itemBits();
      for (int below = level + 1; below < dimensions.size(); below++) {
        bits = Math.multiplyExact(bits, (long) dimensions.get(below));
      }
      int dataBytes = Math.toIntExact((itemCount * bits + 7) >>> 3);
      block = fixed(itemCount, bits, Bytes.of(new byte[dataBytes]));
      itemValidity = Bytes.of(new byte[(itemCount + 7) >>> 3]);
    }
    @Nullable Bytes[] below = block.itemValidity;
    @Nullable Bytes[] validity = new Bytes[below.length + 1];
    validity[0] = itemValidity;
    System.arraycopy(below, 0, validity, 1, below.length);
    block.count = count;
    block.bits = Math.multiplyExact(block.bits, (long) size);
    block.itemValidity = validity;
    return plain(block);
  }

  /** Items of all levels of nested lists. */
  private static long itemsPerValue(ArrayEncoding node) {
    if (node instanceof ArrayEncoding.FixedSizeList list) {
      return Math.multiplyExact(list.dimension(), itemsPerValue(list.items()));
    } else if (node instanceof ArrayEncoding.NoNulls nullable) {
      return itemsPerValue(nullable.values());
    } else if (node instanceof ArrayEncoding.SomeNulls nullable) {
      return itemsPerValue(nullable.values());
    }
    return 1;
  }

  /**
   * End offsets that also carry the nulls: an offset of at least the adjustment says that the value
   * is null, and the rest of it where the next value begins.
   */
  private Decoded20 binary(ArrayEncoding.Binary binary, long from, int count) throws IOException {
    long adjustment = binary.nullAdjustment();
    int earlier = from == 0 ? 0 : 1; // where the value before ends is where the first begins
    long[] ends = ends(binary.indices(), from - earlier, Math.addExact(count, earlier));
    long before = earlier == 0 ? 0 : ends[0];
    long start = adjustment != 0 && before >= adjustment ? before - adjustment : before;
    byte[] validity = new byte[(count + 7) >>> 3];
    int[] offsets = new int[count + 1];
    long previous = start;
    boolean anyNull = false;
    for (int i = 0; i < count; i++) {
      long end = ends[earlier + i];
      if (adjustment != 0 && Long.compareUnsigned(end, adjustment) >= 0) {
        end -= adjustment;
        anyNull = true;
      } else {
        validity[i >>> 3] |= (byte) (1 << (i & 7));
      }
      if (end < previous || end - start > Integer.MAX_VALUE - 8) {
        throw new DecodeException(
            -1, "end of value " + (from + i), "at least " + previous, Long.toUnsignedString(end));
      }
      offsets[i + 1] = (int) (end - start);
      previous = end;
    }
    ValueBlock data =
        values(decode(binary.bytes(), start, (int) (previous - start)), "bytes of values");
    if (data.bits != 8) {
      throw new DecodeException(-1, "width of the bytes of values", 8, data.bits);
    }
    for (int i = 0; i <= count; i++) {
      offsets[i] += data.dataOffset;
    }
    ValueBlock block = new ValueBlock();
    block.count = count;
    block.bits = 0;
    block.data = data.data;
    block.offsets = offsets;
    return new Decoded20(block, anyNull ? Bytes.of(validity) : null);
  }

  /** Unsigned numbers of any width up to 64 bits. */
  long[] ends(ArrayEncoding node, long from, int count) throws IOException {
    return numbers(values(decode(node, from, count), "offsets"), count);
  }

  private static long[] numbers(ValueBlock block, int count) {
    long[] numbers = new long[count];
    Bytes in = Bytes.of(block.data);
    for (int i = 0; i < count; i++) {
      long at = block.dataOffset + i * (block.bits >>> 3);
      numbers[i] =
          switch ((int) block.bits) {
            case 8 -> in.u8(at);
            case 16 -> in.u16(at);
            case 32 -> in.u32(at);
            case 64 -> in.i64(at);
            default -> throw new DecodeException(-1, "width of offsets", "8 to 64", block.bits);
          };
    }
    return numbers;
  }

  private Decoded20 fsst(ArrayEncoding.Fsst node, long from, int count) throws IOException {
    Fsst fsst = new Fsst(node.symbolTable());
    Decoded20 compressed = decode(node.binary(), from, count);
    ValueBlock block = compressed.values();
    if (block == null) {
      return compressed;
    }
    long size = fsst.bound((long) block.offsets[count] - block.offsets[0]);
    if (size > Integer.MAX_VALUE - 8) {
      throw new DecodeException(-1, "FSST values", "below 2 GiB", size);
    }
    byte[] out = new byte[(int) size];
    int[] offsets = new int[count + 1];
    fsst.decompress(block.data, block.offsets, count, out, offsets);
    block.data = out;
    block.offsets = offsets;
    return compressed;
  }

  private Decoded20 dictionary(ArrayEncoding.Dictionary node, long from, int count)
      throws IOException {
    Decoded20 items = dictionary;
    int itemCount = Math.toIntExact(node.numItems());
    if (items == null) {
      items = decode(node.items(), 0, itemCount);
      dictionary = items;
    }
    Decoded20 read = decode(node.indices(), from, count);
    if (read.values() == null) {
      return Decoded20.ALL_NULL;
    }
    long[] indices = numbers(read.values(), count);
    Bytes indexValidity = read.validity();
    byte[] validity = new byte[(count + 7) >>> 3];
    ValueBlock block = items.values();
    for (int i = 0; i < count; i++) {
      long index = arrowDictionary ? indices[i] : indices[i] - 1;
      indices[i] = index;
      if (index == -1 && !arrowDictionary) {
        continue;
      }
      if (indexValidity != null && (indexValidity.u8(i >>> 3) >>> (i & 7) & 1) == 0) {
        continue; // the index of a null may point anywhere
      }
      if (index < 0 || index >= itemCount) {
        throw new DecodeException(
            -1, "dictionary index of value " + (from + i), "below " + itemCount, index);
      }
      Bytes itemValidity = items.validity();
      boolean valid =
          block != null
              && (itemValidity == null || (itemValidity.u8(index >>> 3) >>> (index & 7) & 1) != 0);
      if (valid) {
        validity[i >>> 3] |= (byte) (1 << (i & 7));
      }
    }
    if (block == null) {
      return Decoded20.ALL_NULL;
    }
    return new Decoded20(lookUp(block, indices, validity), Bytes.of(validity));
  }

  private static ValueBlock lookUp(ValueBlock items, long[] indices, byte[] validity) {
    int count = indices.length;
    ValueBlock block = new ValueBlock();
    block.count = count;
    block.bits = items.bits;
    if (items.bits == 0) {
      int[] offsets = new int[count + 1];
      for (int i = 0; i < count; i++) {
        int k = (int) indices[i];
        int size = isSet(validity, i) ? items.offsets[k + 1] - items.offsets[k] : 0;
        offsets[i + 1] = Math.addExact(offsets[i], size);
      }
      byte[] data = new byte[offsets[count]];
      for (int i = 0; i < count; i++) {
        int size = offsets[i + 1] - offsets[i];
        if (size > 0) {
          System.arraycopy(items.data, items.offsets[(int) indices[i]], data, offsets[i], size);
        }
      }
      block.data = data;
      block.offsets = offsets;
      return block;
    }
    if ((items.bits & 7) != 0) {
      throw new DecodeException(-1, "width of dictionary items", "whole bytes", items.bits);
    }
    int width = (int) (items.bits >>> 3);
    byte[] data = new byte[Math.multiplyExact(count, width)];
    for (int i = 0; i < count; i++) {
      if (isSet(validity, i)) {
        System.arraycopy(
            items.data, items.dataOffset + (int) indices[i] * width, data, i * width, width);
      }
    }
    block.data = data;
    return block;
  }

  private static boolean isSet(byte[] bits, int i) {
    return (bits[i >>> 3] >>> (i & 7) & 1) != 0;
  }

  private Decoded20 fixedBinary(ArrayEncoding.FixedSizeBinary node, long from, int count)
      throws IOException {
    int width = Math.toIntExact(node.byteWidth());
    if (width == 0) { // would let a page claim any number of values
      throw new DecodeException(-1, "width of fixed-size binary values", "at least 1", 0);
    }
    int size = Math.multiplyExact(count, width);
    ValueBlock data =
        values(decode(node.bytes(), Math.multiplyExact(from, (long) width), size), "bytes");
    if (data.bits != 8) {
      throw new DecodeException(-1, "width of bytes", 8, data.bits);
    }
    data.count = count;
    if (shape.kind() == LeafShape.Kind.FIXED) {
      data.bits = width * 8L;
      return plain(data);
    }
    int[] offsets = new int[count + 1];
    for (int i = 0; i <= count; i++) {
      offsets[i] = data.dataOffset + i * width;
    }
    data.bits = 0;
    data.offsets = offsets;
    return plain(data);
  }

  private ValueBlock bitpacked(ArrayEncoding.Bitpacked node, long from, int count)
      throws IOException {
    long bits = node.compressedBits();
    long width = node.uncompressedBits();
    checkPacked(bits, width);
    long first = Math.multiplyExact(from, bits);
    long firstByte = first >>> 3;
    long end = (first + count * bits + 7) >>> 3;
    Bytes in = bytes.read(pageBuffer(node.buffer()), firstByte, end - firstByte);
    byte[] out =
        PackedBits.unpack(in, first & 7, (int) bits, count, (int) width / 8, node.signed());
    return fixed(count, width, Bytes.of(out));
  }

  private static void checkPacked(long bits, long width) {
    if (bits < 1 || bits > width || (width != 8 && width != 16 && width != 32 && width != 64)) {
      throw new DecodeException(
          -1, "widths of packed values", "1 ≤ packed ≤ 8, 16, 32 or 64", bits + " of " + width);
    }
  }

  private ValueBlock fastLanes(ArrayEncoding.BitpackedForNonNeg node, long from, int count)
      throws IOException {
    int bits = (int) Math.min(65, node.compressedBits());
    int width = (int) Math.min(65, node.uncompressedBits());
    checkPacked(bits, width);
    int blockBytes = FastLanes.packedBytes(bits);
    long firstBlock = from / FastLanes.BLOCK;
    long lastBlock = (from + Math.max(count, 1) - 1) / FastLanes.BLOCK;
    int blocks = (int) (lastBlock - firstBlock + 1);
    Bytes in =
        bytes.read(pageBuffer(node.buffer()), firstBlock * blockBytes, (long) blocks * blockBytes);
    int bytesPerBlock = FastLanes.BLOCK * width / 8;
    byte[] out = new byte[Math.multiplyExact(blocks, bytesPerBlock)];
    FastLanes lanes = new FastLanes();
    for (int i = 0; i < blocks; i++) {
      lanes.unpack(
          width,
          bits,
          in.array(),
          in.offset() + i * blockBytes,
          out,
          i * bytesPerBlock,
          FastLanes.BLOCK);
    }
    int skip = (int) (from % FastLanes.BLOCK) * (width / 8);
    return fixed(count, width, new Bytes(out, skip, out.length - skip));
  }

  /**
   * Rows of a packed struct: the children's bytes in order, row by row.
   *
   * @param children shapes that the schema gives the children
   */
  ValueBlock packedRows(
      ArrayEncoding.PackedStruct node, long from, int count, List<LeafShape> children)
      throws IOException {
    if (node.inner().size() != children.size()) {
      throw new UnsupportedFormatException(
          bytes.file().path(),
          "children of the packed struct of " + bytes.where(),
          node.inner().size(),
          children.size() + ", as in the schema");
    }
    long rowBytes = 0;
    for (int i = 0; i < children.size(); i++) {
      int width = PackedShape.bytes(children.get(i));
      long stored = packedBits(node.inner().get(i));
      if (stored != width * 8L) {
        throw new DecodeException(-1, "bits of child " + i + " of packed rows", width * 8L, stored);
      }
      rowBytes += width;
    }
    Bytes in =
        bytes.read(
            pageBuffer(node.buffer()),
            Math.multiplyExact(from, rowBytes),
            Math.multiplyExact(count, rowBytes));
    return fixed(count, rowBytes * 8L, in);
  }

  /** Bits of a packed child, which has no nulls. */
  private long packedBits(ArrayEncoding node) throws IOException {
    if (node instanceof ArrayEncoding.NoNulls e) {
      return packedBits(e.values());
    } else if (node instanceof ArrayEncoding.FixedSizeList e) {
      return Math.multiplyExact(e.dimension(), packedBits(e.items()));
    } else if (node instanceof ArrayEncoding.Flat e) {
      return e.bitsPerValue();
    }
    throw new UnsupportedFormatException(
        bytes.file().path(),
        "child of the packed struct of " + bytes.where(),
        node.getClass().getSimpleName(),
        "Flat, FixedSizeList");
  }
}
