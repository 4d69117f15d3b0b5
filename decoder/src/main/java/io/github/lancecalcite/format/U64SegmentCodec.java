package io.github.lancecalcite.format;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.proto.RowIdsProto;
import java.io.IOException;
import java.util.Set;

/** One {@link U64Segment} or {@link VersionRun}: message to record, checked, and back. */
final class U64SegmentCodec {
  private static final String SEGMENT_FORMS =
      "range, range with holes, range with bitmap, sorted array, array";
  private static final String ARRAY_FORMS = "u16, u32 and u64 arrays";

  private final String path;
  private final long offset;
  private final String what;

  /**
   * @param offset file offset of the message, for errors
   * @param what its name, for errors
   */
  U64SegmentCodec(String path, long offset, String what) {
    this.path = path;
    this.offset = offset;
    this.what = what;
  }

  U64Segment parse(ByteString bytes) throws IOException {
    try {
      return segment(RowIdsProto.U64Segment.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      throw notAMessage(e);
    }
  }

  VersionRun parseRun(ByteString bytes) throws IOException {
    RowIdsProto.RowDatasetVersionRun run;
    try {
      run = RowIdsProto.RowDatasetVersionRun.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw notAMessage(e);
    }
    if (!run.hasSpan()) {
      throw new CorruptFileException(path, offset, what, "a span of rows", "none");
    }
    return new VersionRun(segment(run.getSpan()), run.getVersion());
  }

  private U64Segment segment(RowIdsProto.U64Segment segment) throws IOException {
    return switch (segment.getSegmentCase()) {
      case RANGE -> {
        RowIdsProto.U64Segment.Range range = segment.getRange();
        checkRange(range.getStart(), range.getEnd());
        yield new U64Segment.Range(range.getStart(), range.getEnd());
      }
      case RANGE_WITH_HOLES -> {
        RowIdsProto.U64Segment.RangeWithHoles range = segment.getRangeWithHoles();
        checkRange(range.getStart(), range.getEnd());
        yield new U64Segment.RangeWithHoles(
            range.getStart(), range.getEnd(), array(range.getHoles()));
      }
      case RANGE_WITH_BITMAP -> {
        RowIdsProto.U64Segment.RangeWithBitmap range = segment.getRangeWithBitmap();
        long slots = checkRange(range.getStart(), range.getEnd());
        long bytes = slots / Byte.SIZE + (slots % Byte.SIZE == 0 ? 0 : 1);
        if (range.getBitmap().size() != bytes) {
          throw new CorruptFileException(
              path,
              offset,
              what + ", bitmap",
              bytes + " bytes for " + slots + " slots",
              range.getBitmap().size());
        }
        yield new U64Segment.RangeWithBitmap(
            range.getStart(), range.getEnd(), range.getBitmap().toByteArray());
      }
      case SORTED_ARRAY -> new U64Segment.SortedArray(array(segment.getSortedArray()));
      case ARRAY -> new U64Segment.Array(array(segment.getArray()));
      case SEGMENT_NOT_SET ->
          throw new UnsupportedFormatException(
              path, what, found(segment.getUnknownFields().asMap().keySet()), SEGMENT_FORMS);
    };
  }

  private EncodedU64Array array(RowIdsProto.EncodedU64Array array) throws IOException {
    return switch (array.getArrayCase()) {
      case U16_ARRAY ->
          new EncodedU64Array.U16(
              array.getU16Array().getBase(),
              wholeValues(array.getU16Array().getOffsets(), Short.BYTES));
      case U32_ARRAY ->
          new EncodedU64Array.U32(
              array.getU32Array().getBase(),
              wholeValues(array.getU32Array().getOffsets(), Integer.BYTES));
      case U64_ARRAY ->
          new EncodedU64Array.U64(wholeValues(array.getU64Array().getValues(), Long.BYTES));
      case ARRAY_NOT_SET ->
          throw new UnsupportedFormatException(
              path,
              what + ", array",
              found(array.getUnknownFields().asMap().keySet()),
              ARRAY_FORMS);
    };
  }

  private static String found(Set<Integer> unknownFields) {
    return unknownFields.isEmpty() ? "no form at all" : "fields " + unknownFields;
  }

  /** The number of slots, which fits a long. */
  private long checkRange(long start, long end) throws CorruptFileException {
    // unsigned: ids use all 64 bits
    if (Long.compareUnsigned(end, start) < 0 || end - start < 0) {
      throw new CorruptFileException(
          path,
          offset,
          what + ", end of range",
          "at least the start " + Long.toUnsignedString(start) + " and fewer than 2^63 values",
          Long.toUnsignedString(end));
    }
    return end - start;
  }

  private byte[] wholeValues(ByteString bytes, int width) throws CorruptFileException {
    if (bytes.size() % width != 0) {
      throw new CorruptFileException(
          path, offset, what + ", array", "a multiple of " + width + " bytes", bytes.size());
    }
    return bytes.toByteArray();
  }

  private CorruptFileException notAMessage(InvalidProtocolBufferException e) {
    return new CorruptFileException(
        path, offset, what, "a protobuf message", String.valueOf(e.getMessage()), e);
  }

  static RowIdsProto.U64Segment toMessage(U64Segment segment) {
    RowIdsProto.U64Segment.Builder builder = RowIdsProto.U64Segment.newBuilder();
    // an instanceof chain because Java 17 has no pattern switch
    if (segment instanceof U64Segment.Range range) {
      builder.setRange(
          RowIdsProto.U64Segment.Range.newBuilder().setStart(range.start()).setEnd(range.end()));
    } else if (segment instanceof U64Segment.RangeWithHoles range) {
      builder.setRangeWithHoles(
          RowIdsProto.U64Segment.RangeWithHoles.newBuilder()
              .setStart(range.start())
              .setEnd(range.end())
              .setHoles(toMessage(range.holes())));
    } else if (segment instanceof U64Segment.RangeWithBitmap range) {
      builder.setRangeWithBitmap(
          RowIdsProto.U64Segment.RangeWithBitmap.newBuilder()
              .setStart(range.start())
              .setEnd(range.end())
              .setBitmap(ByteString.copyFrom(range.bitmap())));
    } else if (segment instanceof U64Segment.SortedArray array) {
      builder.setSortedArray(toMessage(array.values()));
    } else {
      builder.setArray(toMessage(((U64Segment.Array) segment).values()));
    }
    return builder.build();
  }

  private static RowIdsProto.EncodedU64Array toMessage(EncodedU64Array array) {
    RowIdsProto.EncodedU64Array.Builder builder = RowIdsProto.EncodedU64Array.newBuilder();
    if (array instanceof EncodedU64Array.U16 u16) {
      builder.setU16Array(
          RowIdsProto.EncodedU64Array.U16Array.newBuilder()
              .setBase(u16.base())
              .setOffsets(ByteString.copyFrom(u16.offsets())));
    } else if (array instanceof EncodedU64Array.U32 u32) {
      builder.setU32Array(
          RowIdsProto.EncodedU64Array.U32Array.newBuilder()
              .setBase(u32.base())
              .setOffsets(ByteString.copyFrom(u32.offsets())));
    } else {
      builder.setU64Array(
          RowIdsProto.EncodedU64Array.U64Array.newBuilder()
              .setValues(ByteString.copyFrom(((EncodedU64Array.U64) array).values())));
    }
    return builder.build();
  }
}
