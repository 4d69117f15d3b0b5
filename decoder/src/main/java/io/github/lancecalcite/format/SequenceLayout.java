package io.github.lancecalcite.format;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.github.lancecalcite.CorruptFileException;
import java.io.IOException;

/** What can be told of a serialized row-id sequence without decoding its segments. */
public final class SequenceLayout {
  private static final int SEGMENT_FIELD = 1;

  private SequenceLayout() {}

  /**
   * Number of segments.
   *
   * @param path file the bytes come from
   * @param offset of the bytes, or of the message that holds them, in that file
   */
  public static int segments(String path, long offset, byte[] bytes) throws CorruptFileException {
    CodedInputStream in = CodedInputStream.newInstance(bytes);
    int segments = 0;
    try {
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (WireFormat.getTagFieldNumber(tag) == SEGMENT_FIELD) {
          segments++;
        }
        if (!in.skipField(tag)) {
          break;
        }
      }
    } catch (IOException e) {
      throw new CorruptFileException(
          path, offset, "row-id sequence", "a protobuf message", String.valueOf(e.getMessage()), e);
    }
    return segments;
  }
}
