package io.github.lancecalcite.format;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the values, levels or dictionary of a 2.1+ page are compressed: a tree. */
public sealed interface CompressiveEncoding {
  /** General compression schemes of Lance. */
  enum Scheme {
    LZ4,
    ZSTD
  }

  /** Compression of a single buffer; level is informative. */
  record BufferCompression(Scheme scheme) {}

  /** Fixed-width values back to back. */
  record Flat(long bitsPerValue, @Nullable BufferCompression data) implements CompressiveEncoding {}

  /** Offsets (a {@link Flat} of 32 or 64 bits) and bytes. */
  record Variable(CompressiveEncoding offsets, @Nullable BufferCompression values)
      implements CompressiveEncoding {}

  /** One value for all. */
  record Constant(byte @Nullable [] value) implements CompressiveEncoding {}

  /**
   * FastLanes blocks whose width stands in the encoding: {@code values} is a Flat of that width.
   */
  record OutOfLineBitpacking(long uncompressedBits, CompressiveEncoding values)
      implements CompressiveEncoding {}

  /** One FastLanes block whose width stands in its first word. */
  record InlineBitpacking(long uncompressedBits, @Nullable BufferCompression values)
      implements CompressiveEncoding {}

  /** Values compressed one by one against a symbol table. */
  record Fsst(byte[] symbolTable, CompressiveEncoding values) implements CompressiveEncoding {}

  /** Indices into items. */
  record Dictionary(CompressiveEncoding indices, CompressiveEncoding items, long numItems)
      implements CompressiveEncoding {}

  /** Run values and run lengths. */
  record Rle(CompressiveEncoding values, CompressiveEncoding runLengths)
      implements CompressiveEncoding {}

  /** Byte planes. */
  record ByteStreamSplit(CompressiveEncoding values) implements CompressiveEncoding {}

  /** General compression around another encoding. */
  record General(Scheme scheme, CompressiveEncoding values) implements CompressiveEncoding {}

  /** {@code itemsPerValue} items per value. */
  record FixedSizeList(long itemsPerValue, CompressiveEncoding values, boolean hasValidity)
      implements CompressiveEncoding {}

  /** Row-major fixed-width children. */
  record PackedStruct(List<Long> bitsPerValue, CompressiveEncoding values)
      implements CompressiveEncoding {
    public PackedStruct {
      bitsPerValue = List.copyOf(bitsPerValue);
    }
  }

  /** Row-major children of which some have a length prefix. */
  record VariablePackedStruct(List<Child> fields) implements CompressiveEncoding {
    public VariablePackedStruct {
      fields = List.copyOf(fields);
    }

    /**
     * @param bits width of the value, or of its length prefix when {@code variable}
     */
    public record Child(CompressiveEncoding value, boolean variable, long bits) {}
  }
}
