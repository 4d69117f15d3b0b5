package io.github.lancecalcite.format;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Layout of a page of a 2.1 or later file: values and structure of one leaf. */
public sealed interface PageLayout extends PageEncoding {
  /** What one layer of a leaf's structure can contain in this page. */
  enum Layer {
    ALL_VALID_ITEM,
    ALL_VALID_LIST,
    NULLABLE_ITEM,
    NULLABLE_LIST,
    EMPTYABLE_LIST,
    NULL_AND_EMPTY_LIST
  }

  /** The page's layers, innermost first. */
  List<Layer> layers();

  /** Chunks of a few KiB that are decoded whole. */
  record MiniBlock(
      @Nullable CompressiveEncoding repCompression,
      @Nullable CompressiveEncoding defCompression,
      CompressiveEncoding valueCompression,
      @Nullable CompressiveEncoding dictionary,
      long numDictionaryItems,
      List<Layer> layers,
      int numBuffers,
      int repetitionIndexDepth,
      long numItems,
      boolean hasLargeChunk)
      implements PageLayout {
    public MiniBlock {
      layers = List.copyOf(layers);
    }
  }

  /** One value for all visible entries, or none: every leaf value is null. */
  record Constant(
      List<Layer> layers,
      byte @Nullable [] inlineValue,
      @Nullable CompressiveEncoding repCompression,
      @Nullable CompressiveEncoding defCompression,
      long numRepValues,
      long numDefValues)
      implements PageLayout {
    public Constant {
      layers = List.copyOf(layers);
    }
  }

  /**
   * Entries one after the other.
   *
   * @param variable whether values carry a length of {@code bits} bits; otherwise every value has
   *     {@code bits} bits
   */
  record FullZip(
      int bitsRep,
      int bitsDef,
      boolean variable,
      int bits,
      long numItems,
      long numVisibleItems,
      CompressiveEncoding valueCompression,
      List<Layer> layers)
      implements PageLayout {
    public FullZip {
      layers = List.copyOf(layers);
    }
  }

  /** Descriptors of values that lie elsewhere in the file. */
  record Blob(PageLayout inner, List<Layer> layers) implements PageLayout {
    public Blob {
      layers = List.copyOf(layers);
    }
  }
}
