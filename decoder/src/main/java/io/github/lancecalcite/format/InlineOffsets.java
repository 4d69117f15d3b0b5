package io.github.lancecalcite.format;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import io.github.lancecalcite.format.proto.TableProto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the inline sequences of a fragment stand in the manifest message, which the generated
 * parser forgets: an error in one of them names its byte. Offsets are relative to the message.
 */
record InlineOffsets(int rowIds, int lastUpdatedAt, int createdAt) {
  /** The offsets of every fragment of a manifest message, in order. */
  static List<InlineOffsets> ofFragments(byte[] manifest) throws InvalidProtocolBufferException {
    List<InlineOffsets> offsets = new ArrayList<>();
    CodedInputStream in = CodedInputStream.newInstance(manifest);
    try {
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (isBytes(tag, TableProto.Manifest.FRAGMENTS_FIELD_NUMBER)) {
          int limit = in.pushLimit(in.readRawVarint32());
          offsets.add(ofFragment(in));
          in.popLimit(limit);
        } else {
          in.skipField(tag);
        }
      }
    } catch (InvalidProtocolBufferException e) {
      throw e;
    } catch (IOException e) {
      throw new AssertionError("an array can be read", e);
    }
    return offsets;
  }

  private static InlineOffsets ofFragment(CodedInputStream in) throws IOException {
    int rowIds = 0;
    int lastUpdatedAt = 0;
    int createdAt = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        in.skipField(tag);
        continue;
      }
      int length = in.readRawVarint32();
      int at = in.getTotalBytesRead();
      switch (WireFormat.getTagFieldNumber(tag)) {
        case TableProto.DataFragment.INLINE_ROW_IDS_FIELD_NUMBER -> rowIds = at;
        case TableProto.DataFragment.INLINE_LAST_UPDATED_AT_FIELD_NUMBER -> lastUpdatedAt = at;
        case TableProto.DataFragment.INLINE_CREATED_AT_FIELD_NUMBER -> createdAt = at;
        default -> {}
      }
      in.skipRawBytes(length);
    }
    return new InlineOffsets(rowIds, lastUpdatedAt, createdAt);
  }

  private static boolean isBytes(int tag, int field) {
    return WireFormat.getTagFieldNumber(tag) == field
        && WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
  }
}
