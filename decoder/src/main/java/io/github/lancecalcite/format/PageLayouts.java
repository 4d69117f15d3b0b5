package io.github.lancecalcite.format;

import com.google.protobuf.InvalidProtocolBufferException;
import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.proto.Encodings21Proto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bytes of a 2.1+ page's layout to records. */
final class PageLayouts {
  private final String path;
  private final String where;
  private final CompressiveEncodings encodings;

  private PageLayouts(String path, String where) {
    this.path = path;
    this.where = where;
    this.encodings = new CompressiveEncodings(path, where);
  }

  /**
   * @param path the data file, for errors
   * @param where the column and page, for errors
   * @throws CorruptFileException if the bytes are no such message or lack a required part
   * @throws UnsupportedFormatException for a layout or encoding not known here, by name
   */
  static PageLayout parse(byte[] message, String path, String where) throws IOException {
    try {
      return new PageLayouts(path, where).layout(Encodings21Proto.PageLayout.parseFrom(message), 0);
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(
          path, -1, "layout of " + where, "a protobuf message", String.valueOf(e.getMessage()), e);
    }
  }

  private PageLayout layout(Encodings21Proto.PageLayout layout, int depth) throws IOException {
    return switch (layout.getLayoutCase()) {
      case MINI_BLOCK -> miniBlock(layout.getMiniBlock());
      case CONSTANT -> constant(layout.getConstant());
      case FULL_ZIP -> fullZip(layout.getFullZip());
      case BLOB -> {
        if (depth > 0) {
          throw corrupt("blob layout", "a layout of values inside", "another blob layout");
        }
        yield new PageLayout.Blob(
            layout(layout.getBlob().getInnerLayout(), depth + 1),
            layers(layout.getBlob().getLayersList()));
      }
      case SPARSE, LAYOUT_NOT_SET ->
          throw new UnsupportedFormatException(
              path,
              "page layout of " + where,
              layout.getLayoutCase() == Encodings21Proto.PageLayout.LayoutCase.SPARSE
                  ? "sparse"
                  : "an arm that is not known here, or none",
              "mini-block, constant, full-zip, blob");
    };
  }

  private PageLayout miniBlock(Encodings21Proto.MiniBlockLayout m) throws IOException {
    // more value buffers than any encoding has would only serve to hurt
    if (m.getNumBuffers() < 0 || m.getNumBuffers() > 64) {
      throw corrupt("value buffers", "at most 64", Long.toUnsignedString(m.getNumBuffers()));
    }
    return new PageLayout.MiniBlock(
        m.hasRepCompression() ? encodings.parse(m.getRepCompression()) : null,
        m.hasDefCompression() ? encodings.parse(m.getDefCompression()) : null,
        encodings.parse(m.getValueCompression()),
        m.hasDictionary() ? encodings.parse(m.getDictionary()) : null,
        nonNegative("dictionary items", m.getNumDictionaryItems()),
        layers(m.getLayersList()),
        (int) m.getNumBuffers(),
        m.getRepetitionIndexDepth(),
        nonNegative("items", m.getNumItems()),
        m.getHasLargeChunk());
  }

  // NullAway 0.12 does not see the nullness of an array in a record's compact constructor
  @SuppressWarnings("NullAway")
  private PageLayout constant(Encodings21Proto.ConstantLayout c) throws IOException {
    return new PageLayout.Constant(
        layers(c.getLayersList()),
        c.hasInlineValue() ? c.getInlineValue().toByteArray() : null,
        optional(c.hasRepCompression(), c.getRepCompression()),
        optional(c.hasDefCompression(), c.getDefCompression()),
        nonNegative("repetition levels", c.getNumRepValues()),
        nonNegative("definition levels", c.getNumDefValues()));
  }

  private @Nullable CompressiveEncoding optional(
      boolean present, Encodings21Proto.CompressiveEncoding encoding) throws IOException {
    return present ? encodings.parse(encoding) : null;
  }

  private PageLayout fullZip(Encodings21Proto.FullZipLayout f) throws IOException {
    boolean variable =
        switch (f.getWidthCase()) {
          case BITS_PER_VALUE -> false;
          case BITS_PER_OFFSET -> true;
          case WIDTH_NOT_SET -> throw corrupt("width of values", "a fixed or variable one", "none");
        };
    int bits = variable ? f.getBitsPerOffset() : f.getBitsPerValue();
    if (bits < 0
        || Integer.compareUnsigned(f.getBitsRep(), 16) > 0
        || Integer.compareUnsigned(f.getBitsDef(), 16) > 0) {
      throw corrupt(
          "widths",
          "at most 16 bits per level, 2^31 − 1 per value",
          "rep " + f.getBitsRep() + ", def " + f.getBitsDef() + ", value " + bits);
    }
    return new PageLayout.FullZip(
        f.getBitsRep(),
        f.getBitsDef(),
        variable,
        bits,
        f.getNumItems() & 0xffffffffL,
        f.getNumVisibleItems() & 0xffffffffL,
        encodings.parse(f.getValueCompression()),
        layers(f.getLayersList()));
  }

  private List<PageLayout.Layer> layers(List<Encodings21Proto.Layer> layers) throws IOException {
    if (layers.isEmpty() || layers.size() > 64) {
      throw corrupt("layers", "1 to 64", layers.size());
    }
    List<PageLayout.Layer> result = new ArrayList<>(layers.size());
    for (Encodings21Proto.Layer layer : layers) {
      result.add(
          switch (layer) {
            case ALL_VALID_ITEM -> PageLayout.Layer.ALL_VALID_ITEM;
            case ALL_VALID_LIST -> PageLayout.Layer.ALL_VALID_LIST;
            case NULLABLE_ITEM -> PageLayout.Layer.NULLABLE_ITEM;
            case NULLABLE_LIST -> PageLayout.Layer.NULLABLE_LIST;
            case EMPTYABLE_LIST -> PageLayout.Layer.EMPTYABLE_LIST;
            case NULL_AND_EMPTY_LIST -> PageLayout.Layer.NULL_AND_EMPTY_LIST;
            case LAYER_UNSPECIFIED, UNRECOGNIZED ->
                throw new UnsupportedFormatException(
                    path, "layer of " + where, layer.name(), "the six layers of 2.1");
          });
    }
    return result;
  }

  private long nonNegative(String what, long value) throws IOException {
    if (value < 0) {
      throw corrupt(what, "below 2^63", Long.toUnsignedString(value));
    }
    return value;
  }

  private CorruptFileException corrupt(String what, Object expected, Object actual) {
    return new CorruptFileException(path, -1, what + " of " + where, expected, actual);
  }
}
