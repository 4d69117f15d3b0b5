package io.github.lancecalcite.format;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Encoding tree of a page of a 2.0 file. Arms that 2.0 never used are refused while parsing. */
public sealed interface ArrayEncoding extends PageEncoding {
  /**
   * A reference to bytes.
   *
   * @param index index into the buffers of the page, the column or the file
   */
  record Buffer(int index, Kind kind) {
    /** Whose buffer list the index counts in. */
    public enum Kind {
      PAGE,
      COLUMN,
      FILE
    }
  }

  /**
   * Fixed-width values back to back.
   *
   * @param compression scheme over the whole buffer: null, {@code "zstd"} or {@code "lz4"}
   */
  record Flat(long bitsPerValue, Buffer buffer, @Nullable String compression)
      implements ArrayEncoding {}

  /** All values are valid. */
  record NoNulls(ArrayEncoding values) implements ArrayEncoding {}

  /** A validity bitmap (1 = valid) beside values that also have a slot for each null. */
  record SomeNulls(ArrayEncoding validity, ArrayEncoding values) implements ArrayEncoding {}

  /** No value is valid; no bytes. */
  record AllNulls() implements ArrayEncoding {}

  /** {@code dimension} items per value, flattened. */
  record FixedSizeList(long dimension, ArrayEncoding items, boolean hasValidity)
      implements ArrayEncoding {}

  /** Offsets column of a list. */
  record ListOffsets(ArrayEncoding offsets, long nullOffsetAdjustment, long numItems)
      implements ArrayEncoding {}

  /** Header column of a struct; no bytes. */
  record SimpleStruct() implements ArrayEncoding {}

  /** Variable-length bytes with end offsets that also carry the nulls. */
  record Binary(ArrayEncoding indices, ArrayEncoding bytes, long nullAdjustment)
      implements ArrayEncoding {}

  /** Indices into {@code numItems} distinct items. */
  record Dictionary(ArrayEncoding indices, ArrayEncoding items, long numItems)
      implements ArrayEncoding {}

  /** Binary values that are FSST-compressed one by one. */
  record Fsst(ArrayEncoding binary, byte[] symbolTable) implements ArrayEncoding {}

  /** Row-major fixed-width children in one buffer. */
  record PackedStruct(List<ArrayEncoding> inner, Buffer buffer) implements ArrayEncoding {
    public PackedStruct {
      inner = List.copyOf(inner);
    }
  }

  /** Values packed back to back, least significant bit first. */
  record Bitpacked(long compressedBits, long uncompressedBits, Buffer buffer, boolean signed)
      implements ArrayEncoding {}

  /** FastLanes chunks of 1,024 non-negative values. */
  record BitpackedForNonNeg(long compressedBits, long uncompressedBits, Buffer buffer)
      implements ArrayEncoding {}

  /** Strings or binaries that all have the same width. */
  record FixedSizeBinary(ArrayEncoding bytes, long byteWidth) implements ArrayEncoding {}
}
