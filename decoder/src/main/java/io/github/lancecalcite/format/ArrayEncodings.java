package io.github.lancecalcite.format;

import com.google.protobuf.InvalidProtocolBufferException;
import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.proto.Encodings20Proto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Bytes of a 2.0 page's encoding to the tree of records. */
final class ArrayEncodings {
  private static final int MAX_DEPTH = 64;

  private final String path;
  private final String where;

  private ArrayEncodings(String path, String where) {
    this.path = path;
    this.where = where;
  }

  /**
   * @param path the data file, for errors
   * @param where the column and page, for errors
   * @throws CorruptFileException if the bytes are no such message or lack a required part
   * @throws UnsupportedFormatException for an arm that released versions never wrote
   */
  static ArrayEncoding parse(byte[] message, String path, String where) throws IOException {
    ArrayEncodings parser = new ArrayEncodings(path, where);
    try {
      return parser.node(Encodings20Proto.ArrayEncoding.parseFrom(message), 0);
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(
          path,
          -1,
          "encoding of " + where,
          "a protobuf message",
          String.valueOf(e.getMessage()),
          e);
    }
  }

  private ArrayEncoding node(Encodings20Proto.ArrayEncoding node, int depth) throws IOException {
    if (depth > MAX_DEPTH) {
      throw corrupt("depth of the encoding", "at most " + MAX_DEPTH, "more");
    }
    int below = depth + 1;
    return switch (node.getNodeCase()) {
      case FLAT -> flat(node.getFlat());
      case NULLABLE -> nullable(node.getNullable(), below);
      case FIXED_SIZE_LIST -> {
        Encodings20Proto.FixedSizeList list = node.getFixedSizeList();
        yield new ArrayEncoding.FixedSizeList(
            list.getDimension() & 0xffffffffL, node(list.getItems(), below), list.getHasValidity());
      }
      case LIST -> {
        Encodings20Proto.List list = node.getList();
        yield new ArrayEncoding.ListOffsets(
            node(list.getOffsets(), below), list.getNullOffsetAdjustment(), list.getNumItems());
      }
      case STRUCT -> new ArrayEncoding.SimpleStruct();
      case BINARY -> {
        Encodings20Proto.Binary binary = node.getBinary();
        yield new ArrayEncoding.Binary(
            node(binary.getIndices(), below),
            node(binary.getBytes(), below),
            binary.getNullAdjustment());
      }
      case DICTIONARY -> {
        Encodings20Proto.Dictionary dictionary = node.getDictionary();
        yield new ArrayEncoding.Dictionary(
            node(dictionary.getIndices(), below),
            node(dictionary.getItems(), below),
            dictionary.getNumDictionaryItems() & 0xffffffffL);
      }
      case FSST ->
          new ArrayEncoding.Fsst(
              node(node.getFsst().getBinary(), below),
              node.getFsst().getSymbolTable().toByteArray());
      case PACKED_STRUCT -> {
        List<ArrayEncoding> inner = new ArrayList<>();
        for (Encodings20Proto.ArrayEncoding child : node.getPackedStruct().getInnerList()) {
          inner.add(node(child, below));
        }
        yield new ArrayEncoding.PackedStruct(inner, buffer(node.getPackedStruct().getBuffer()));
      }
      case BITPACKED -> {
        Encodings20Proto.Bitpacked packed = node.getBitpacked();
        yield new ArrayEncoding.Bitpacked(
            packed.getCompressedBitsPerValue(),
            packed.getUncompressedBitsPerValue(),
            buffer(packed.getBuffer()),
            packed.getSigned());
      }
      case FIXED_SIZE_BINARY ->
          new ArrayEncoding.FixedSizeBinary(
              node(node.getFixedSizeBinary().getBytes(), below),
              node.getFixedSizeBinary().getByteWidth() & 0xffffffffL);
      case BITPACKED_FOR_NON_NEG -> {
        Encodings20Proto.BitpackedForNonNeg packed = node.getBitpackedForNonNeg();
        yield new ArrayEncoding.BitpackedForNonNeg(
            packed.getCompressedBitsPerValue(),
            packed.getUncompressedBitsPerValue(),
            buffer(packed.getBuffer()));
      }
      case CONSTANT,
          INLINE_BITPACKING,
          OUT_OF_LINE_BITPACKING,
          VARIABLE,
          PACKED_STRUCT_FIXED_WIDTH_MINI_BLOCK,
          BLOCK,
          RLE,
          GENERAL_MINI_BLOCK,
          BYTE_STREAM_SPLIT ->
          throw unsupported(node.getNodeCase().name().toLowerCase(Locale.ROOT));
      case NODE_NOT_SET -> throw unsupported("an arm that is not known here, or none");
    };
  }

  private ArrayEncoding nullable(Encodings20Proto.Nullable node, int below) throws IOException {
    return switch (node.getNullabilityCase()) {
      case NO_NULLS -> new ArrayEncoding.NoNulls(node(node.getNoNulls().getValues(), below));
      case SOME_NULLS ->
          new ArrayEncoding.SomeNulls(
              node(node.getSomeNulls().getValidity(), below),
              node(node.getSomeNulls().getValues(), below));
      case ALL_NULLS -> new ArrayEncoding.AllNulls();
      case NULLABILITY_NOT_SET -> throw corrupt("nullability", "one of three arms", "none");
    };
  }

  private ArrayEncoding.Flat flat(Encodings20Proto.Flat flat) throws IOException {
    String scheme = flat.getCompression().getScheme();
    boolean none = scheme.isEmpty() || scheme.equals("none");
    if (!none && !scheme.equals("zstd") && !scheme.equals("lz4")) {
      throw new UnsupportedFormatException(
          path, "compression of " + where, scheme, "none, zstd, lz4");
    }
    return new ArrayEncoding.Flat(
        flat.getBitsPerValue(), buffer(flat.getBuffer()), none ? null : scheme);
  }

  private ArrayEncoding.Buffer buffer(Encodings20Proto.Buffer buffer) throws IOException {
    ArrayEncoding.Buffer.Kind kind =
        switch (buffer.getBufferType()) {
          case PAGE -> ArrayEncoding.Buffer.Kind.PAGE;
          case COLUMN -> ArrayEncoding.Buffer.Kind.COLUMN;
          case FILE -> ArrayEncoding.Buffer.Kind.FILE;
          case UNRECOGNIZED ->
              throw corrupt("buffer type", "page, column or file", buffer.getBufferTypeValue());
        };
    return new ArrayEncoding.Buffer(buffer.getBufferIndex(), kind);
  }

  private UnsupportedFormatException unsupported(String found) {
    return new UnsupportedFormatException(
        path, "array encoding of " + where, found, "the array encodings of released 2.0 files");
  }

  private CorruptFileException corrupt(String what, Object expected, Object actual) {
    return new CorruptFileException(path, -1, what + " of " + where, expected, actual);
  }
}
