package io.github.lancecalcite.format;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.proto.Encodings21Proto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The compression trees of 2.1+ pages: messages to records. */
final class CompressiveEncodings {
  private static final int MAX_DEPTH = 64;

  private final String path;
  private final String where;

  /**
   * @param path the data file, for errors
   * @param where the column and page, for errors
   */
  CompressiveEncodings(String path, String where) {
    this.path = path;
    this.where = where;
  }

  CompressiveEncoding parse(Encodings21Proto.CompressiveEncoding message) throws IOException {
    return parse(message, 0);
  }

  private CompressiveEncoding parse(Encodings21Proto.CompressiveEncoding e, int depth)
      throws IOException {
    if (depth > MAX_DEPTH) {
      throw corrupt("depth of the encoding", "at most " + MAX_DEPTH, "more");
    }
    int below = depth + 1;
    return switch (e.getCompressionCase()) {
      case FLAT -> {
        Encodings21Proto.Flat flat = e.getFlat();
        yield new CompressiveEncoding.Flat(
            flat.getBitsPerValue(), flat.hasData() ? buffer(flat.getData()) : null);
      }
      case VARIABLE -> {
        Encodings21Proto.Variable variable = e.getVariable();
        yield new CompressiveEncoding.Variable(
            parse(variable.getOffsets(), below),
            variable.hasValues() ? buffer(variable.getValues()) : null);
      }
      case CONSTANT ->
          new CompressiveEncoding.Constant(
              e.getConstant().hasValue() ? e.getConstant().getValue().toByteArray() : null);
      case OUT_OF_LINE_BITPACKING ->
          new CompressiveEncoding.OutOfLineBitpacking(
              e.getOutOfLineBitpacking().getUncompressedBitsPerValue(),
              parse(e.getOutOfLineBitpacking().getValues(), below));
      case INLINE_BITPACKING -> {
        Encodings21Proto.InlineBitpacking inline = e.getInlineBitpacking();
        yield new CompressiveEncoding.InlineBitpacking(
            inline.getUncompressedBitsPerValue(),
            inline.hasValues() ? buffer(inline.getValues()) : null);
      }
      case FSST ->
          new CompressiveEncoding.Fsst(
              e.getFsst().getSymbolTable().toByteArray(), parse(e.getFsst().getValues(), below));
      case DICTIONARY ->
          new CompressiveEncoding.Dictionary(
              parse(e.getDictionary().getIndices(), below),
              parse(e.getDictionary().getItems(), below),
              e.getDictionary().getNumDictionaryItems() & 0xffffffffL);
      case RLE ->
          new CompressiveEncoding.Rle(
              parse(e.getRle().getValues(), below), parse(e.getRle().getRunLengths(), below));
      case BYTE_STREAM_SPLIT ->
          new CompressiveEncoding.ByteStreamSplit(parse(e.getByteStreamSplit().getValues(), below));
      case GENERAL ->
          new CompressiveEncoding.General(
              scheme(e.getGeneral().getCompression()), parse(e.getGeneral().getValues(), below));
      case FIXED_SIZE_LIST ->
          new CompressiveEncoding.FixedSizeList(
              e.getFixedSizeList().getItemsPerValue(),
              parse(e.getFixedSizeList().getValues(), below),
              e.getFixedSizeList().getHasValidity());
      case PACKED_STRUCT ->
          new CompressiveEncoding.PackedStruct(
              e.getPackedStruct().getBitsPerValueList(),
              parse(e.getPackedStruct().getValues(), below));
      case VARIABLE_PACKED_STRUCT -> variableStruct(e.getVariablePackedStruct(), below);
      case RANGE, DELTA ->
          throw unsupported(e.getCompressionCase().name().toLowerCase(Locale.ROOT));
      case COMPRESSION_NOT_SET -> throw unsupported("an arm that is not known here, or none");
    };
  }

  private CompressiveEncoding variableStruct(
      Encodings21Proto.VariablePackedStruct struct, int below) throws IOException {
    List<CompressiveEncoding.VariablePackedStruct.Child> children = new ArrayList<>();
    for (Encodings21Proto.VariablePackedStruct.Field field : struct.getFieldsList()) {
      children.add(
          switch (field.getWidthCase()) {
            case BITS_PER_VALUE ->
                new CompressiveEncoding.VariablePackedStruct.Child(
                    parse(field.getValue(), below), false, field.getBitsPerValue());
            case BITS_PER_LENGTH ->
                new CompressiveEncoding.VariablePackedStruct.Child(
                    parse(field.getValue(), below), true, field.getBitsPerLength());
            case WIDTH_NOT_SET ->
                throw corrupt("width of a packed child", "a fixed or variable one", "none");
          });
    }
    return new CompressiveEncoding.VariablePackedStruct(children);
  }

  private CompressiveEncoding.@Nullable BufferCompression buffer(
      Encodings21Proto.BufferCompression compression) throws IOException {
    return compression.getScheme() == Encodings21Proto.Scheme.SCHEME_UNSPECIFIED
        ? null
        : new CompressiveEncoding.BufferCompression(scheme(compression));
  }

  private CompressiveEncoding.Scheme scheme(Encodings21Proto.BufferCompression compression)
      throws IOException {
    return switch (compression.getScheme()) {
      case LZ4 -> CompressiveEncoding.Scheme.LZ4;
      case ZSTD -> CompressiveEncoding.Scheme.ZSTD;
      case SCHEME_UNSPECIFIED, UNRECOGNIZED ->
          throw new UnsupportedFormatException(
              path, "compression of " + where, compression.getSchemeValue(), "lz4 (1), zstd (2)");
    };
  }

  private UnsupportedFormatException unsupported(String found) {
    return new UnsupportedFormatException(
        path, "compression of " + where, found, "the compressions of 2.1 to 2.3");
  }

  private CorruptFileException corrupt(String what, Object expected, Object actual) {
    return new CorruptFileException(path, -1, what + " of " + where, expected, actual);
  }
}
