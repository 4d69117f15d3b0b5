package io.github.lancecalcite.format;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.proto.RowIdsProto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes of row-id and row-version sequences to records and back. Writing gives the bits that were
 * read, for everything Lance itself writes.
 *
 * <p>Checked here: that the bytes are a message, that ranges do not end before they start, that a
 * bitmap has exactly {@code ceil((end - start) / 8)} bytes and that array bytes are whole values.
 * What the values say is {@code rowid.RowIdSequence}'s business.
 *
 * <p>Source: Lance's row id message; its comment on the bitmap's bit order is wrong, real files
 * have the least significant bit first.
 */
public final class RowIdSequences {
  /** Wire tag of field 1, length-delimited: the one field of both outer messages. */
  private static final int ELEMENT_TAG = 1 << 3 | 2;

  private RowIdSequences() {}

  /**
   * Reads a row-id sequence.
   *
   * @param path the file the bytes came from, for errors
   * @param fileOffset position of {@code bytes[0]} in that file, for errors
   * @throws CorruptFileException if the bytes contradict themselves; its offset is the segment's
   * @throws UnsupportedFormatException if a segment has none of the forms known here
   */
  public static List<U64Segment> parse(byte[] bytes, String path, long fileOffset)
      throws IOException {
    List<U64Segment> segments = new ArrayList<>();
    for (Element element : elements(bytes, "row id sequence", path, fileOffset)) {
      U64SegmentCodec codec = new U64SegmentCodec(path, element.offset, "row id segment");
      segments.add(codec.parse(element.bytes));
    }
    return List.copyOf(segments);
  }

  /** The bytes of a row-id sequence, as Lance writes them. */
  public static byte[] serialize(List<U64Segment> segments) {
    RowIdsProto.RowIdSequence.Builder builder = RowIdsProto.RowIdSequence.newBuilder();
    for (U64Segment segment : segments) {
      builder.addSegments(U64SegmentCodec.toMessage(segment));
    }
    return builder.build().toByteArray();
  }

  /** Bytes that a segment takes as Lance writes it, without the sequence's mark around it. */
  public static int bytes(U64Segment segment) {
    return U64SegmentCodec.toMessage(segment).getSerializedSize();
  }

  /** Reads a created-at or last-updated-at sequence; parameters and errors as in {@link #parse}. */
  public static List<VersionRun> parseVersions(byte[] bytes, String path, long fileOffset)
      throws IOException {
    List<VersionRun> runs = new ArrayList<>();
    for (Element element : elements(bytes, "row version sequence", path, fileOffset)) {
      U64SegmentCodec codec = new U64SegmentCodec(path, element.offset, "row version run");
      runs.add(codec.parseRun(element.bytes));
    }
    return List.copyOf(runs);
  }

  /** The bytes of a created-at or last-updated-at sequence, as Lance writes them. */
  public static byte[] serializeVersions(List<VersionRun> runs) {
    RowIdsProto.RowDatasetVersionSequence.Builder builder =
        RowIdsProto.RowDatasetVersionSequence.newBuilder();
    for (VersionRun run : runs) {
      builder.addRuns(
          RowIdsProto.RowDatasetVersionRun.newBuilder()
              .setSpan(U64SegmentCodec.toMessage(run.span()))
              .setVersion(run.version()));
    }
    return builder.build().toByteArray();
  }

  /** A member of the outer list with its file offset, which a generated parser would forget. */
  private record Element(ByteString bytes, long offset) {}

  private static List<Element> elements(byte[] bytes, String what, String path, long fileOffset)
      throws IOException {
    List<Element> elements = new ArrayList<>();
    CodedInputStream in = CodedInputStream.newInstance(bytes);
    int start = 0;
    try {
      while (!in.isAtEnd()) {
        start = in.getTotalBytesRead();
        int tag = in.readTag();
        if (tag == ELEMENT_TAG) {
          ByteString element = in.readBytes();
          elements.add(new Element(element, fileOffset + in.getTotalBytesRead() - element.size()));
        } else if (!in.skipField(tag)) {
          throw new CorruptFileException(
              path, fileOffset + start, what, "a field", "the end of a group that never began");
        }
      }
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(
          path, fileOffset + start, what, "a protobuf message", String.valueOf(e.getMessage()), e);
    }
    return elements;
  }
}
