package io.github.lancecalcite.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.proto.Encodings20Proto;
import io.github.lancecalcite.format.proto.Encodings20Proto.ArrayEncoding.Builder;
import io.github.lancecalcite.format.proto.Encodings20Proto.Nullable;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArrayEncodingsTest {
  private static final ArrayEncoding.Buffer SECOND =
      new ArrayEncoding.Buffer(1, ArrayEncoding.Buffer.Kind.PAGE);
  private static final ArrayEncoding BYTES = new ArrayEncoding.Flat(8, SECOND, null);

  private static Builder node() {
    return Encodings20Proto.ArrayEncoding.newBuilder();
  }

  private static Encodings20Proto.Buffer second() {
    return Encodings20Proto.Buffer.newBuilder().setBufferIndex(1).build();
  }

  private static Builder bytes() {
    return node()
        .setFlat(Encodings20Proto.Flat.newBuilder().setBitsPerValue(8).setBuffer(second()));
  }

  private static ArrayEncoding parse(Builder message) throws IOException {
    return parse(message.build().toByteArray());
  }

  private static ArrayEncoding parse(byte[] message) throws IOException {
    return ArrayEncodings.parse(message, "a.lance", "column 3 page 0");
  }

  private static void unsupported(Builder message, String text) {
    assertThatThrownBy(() -> parse(message))
        .isExactlyInstanceOf(UnsupportedFormatException.class)
        .hasMessage(text);
  }

  private static void corrupt(Builder message, String text) {
    assertThatThrownBy(() -> parse(message))
        .isExactlyInstanceOf(CorruptFileException.class)
        .hasMessage(text);
  }

  @Test
  void everyReleasedArmIsParsed() throws IOException {
    assertThat(parse(bytes())).isEqualTo(BYTES);
    assertThat(
            parse(
                node()
                    .setNullable(
                        Nullable.newBuilder()
                            .setNoNulls(Nullable.NoNulls.newBuilder().setValues(bytes())))))
        .isEqualTo(new ArrayEncoding.NoNulls(BYTES));
    assertThat(
            parse(
                node()
                    .setNullable(
                        Nullable.newBuilder()
                            .setSomeNulls(
                                Nullable.SomeNulls.newBuilder()
                                    .setValidity(bytes())
                                    .setValues(bytes())))))
        .isEqualTo(new ArrayEncoding.SomeNulls(BYTES, BYTES));
    assertThat(
            parse(
                node()
                    .setFixedSizeList(
                        Encodings20Proto.FixedSizeList.newBuilder()
                            .setDimension(-1)
                            .setItems(bytes()))))
        .isEqualTo(new ArrayEncoding.FixedSizeList(0xffffffffL, BYTES, false));
    assertThat(
            parse(
                node()
                    .setList(
                        Encodings20Proto.List.newBuilder()
                            .setOffsets(bytes())
                            .setNullOffsetAdjustment(9)
                            .setNumItems(8))))
        .isEqualTo(new ArrayEncoding.ListOffsets(BYTES, 9, 8));
    assertThat(parse(node().setStruct(Encodings20Proto.SimpleStruct.getDefaultInstance())))
        .isEqualTo(new ArrayEncoding.SimpleStruct());
    assertThat(
            parse(
                node()
                    .setBinary(
                        Encodings20Proto.Binary.newBuilder()
                            .setIndices(bytes())
                            .setBytes(bytes())
                            .setNullAdjustment(5))))
        .isEqualTo(new ArrayEncoding.Binary(BYTES, BYTES, 5));
    assertThat(
            parse(
                node()
                    .setDictionary(
                        Encodings20Proto.Dictionary.newBuilder()
                            .setIndices(bytes())
                            .setItems(bytes())
                            .setNumDictionaryItems(4))))
        .isEqualTo(new ArrayEncoding.Dictionary(BYTES, BYTES, 4));
    assertThat(
            parse(
                node()
                    .setFsst(
                        Encodings20Proto.Fsst.newBuilder()
                            .setBinary(bytes())
                            .setSymbolTable(ByteString.copyFrom(new byte[] {1, 2})))))
        .usingRecursiveComparison()
        .isEqualTo(new ArrayEncoding.Fsst(BYTES, new byte[] {1, 2}));
    assertThat(
            parse(
                node()
                    .setPackedStruct(
                        Encodings20Proto.PackedStruct.newBuilder()
                            .addInner(bytes())
                            .addInner(bytes())
                            .setBuffer(second()))))
        .isEqualTo(new ArrayEncoding.PackedStruct(List.of(BYTES, BYTES), SECOND));
    assertThat(
            parse(
                node()
                    .setBitpacked(
                        Encodings20Proto.Bitpacked.newBuilder()
                            .setCompressedBitsPerValue(3)
                            .setUncompressedBitsPerValue(8)
                            .setSigned(true)
                            .setBuffer(second()))))
        .isEqualTo(new ArrayEncoding.Bitpacked(3, 8, SECOND, true));
    assertThat(
            parse(
                node()
                    .setFixedSizeBinary(
                        Encodings20Proto.FixedSizeBinary.newBuilder()
                            .setBytes(bytes())
                            .setByteWidth(6))))
        .isEqualTo(new ArrayEncoding.FixedSizeBinary(BYTES, 6));
    assertThat(
            parse(
                node()
                    .setBitpackedForNonNeg(
                        Encodings20Proto.BitpackedForNonNeg.newBuilder()
                            .setCompressedBitsPerValue(3)
                            .setUncompressedBitsPerValue(8)
                            .setBuffer(second()))))
        .isEqualTo(new ArrayEncoding.BitpackedForNonNeg(3, 8, SECOND));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "constant",
        "inline_bitpacking",
        "out_of_line_bitpacking",
        "variable",
        "packed_struct_fixed_width_mini_block",
        "block",
        "rle",
        "general_mini_block",
        "byte_stream_split"
      })
  void armsOfUnreleasedVersionsAreRefusedByName(String name) {
    FieldDescriptor arm = Encodings20Proto.ArrayEncoding.getDescriptor().findFieldByName(name);
    unsupported(
        node().setField(arm, Encodings20Proto.Unreleased.getDefaultInstance()),
        "unsupported array encoding of column 3 page 0 in a.lance: found "
            + name
            + ", supported the array encodings of released 2.0 files");
  }

  @Test
  void anArmThatIsNotKnownIsRefused() throws IOException {
    byte[] arm22 = {(byte) 0xb2, 1, 0}; // field 22, a message of no bytes
    String text =
        "unsupported array encoding of column 3 page 0 in a.lance: found an arm that is not known"
            + " here, or none, supported the array encodings of released 2.0 files";
    assertThatThrownBy(() -> parse(arm22))
        .isExactlyInstanceOf(UnsupportedFormatException.class)
        .hasMessage(text);
    unsupported(node(), text);
  }

  @Test
  void nullabilityWithoutAnArmIsCorrupt() {
    corrupt(
        node().setNullable(Nullable.getDefaultInstance()),
        "corrupt file a.lance: nullability of column 3 page 0: expected one of three arms, found"
            + " none");
  }

  @Test
  void anUnknownCompressionSchemeIsRefusedByName() throws IOException {
    for (String known : new String[] {"", "none", "zstd", "lz4"}) {
      boolean none = known.length() == 0 || known.equals("none");
      assertThat(parse(flat(known)))
          .isEqualTo(
              new ArrayEncoding.Flat(
                  0, new ArrayEncoding.Buffer(0, SECOND.kind()), none ? null : known));
    }
    unsupported(
        flat("snappy"),
        "unsupported compression of column 3 page 0 in a.lance: found snappy, supported none, zstd,"
            + " lz4");
  }

  private static Builder flat(String scheme) {
    return node()
        .setFlat(
            Encodings20Proto.Flat.newBuilder()
                .setCompression(Encodings20Proto.Compression.newBuilder().setScheme(scheme)));
  }

  @Test
  void aBufferOfAnUnknownKindIsCorrupt() {
    corrupt(
        node()
            .setFlat(
                Encodings20Proto.Flat.newBuilder()
                    .setBuffer(Encodings20Proto.Buffer.newBuilder().setBufferTypeValue(3))),
        "corrupt file a.lance: buffer type of column 3 page 0: expected page, column or file, found"
            + " 3");
  }

  @Test
  void bytesThatAreNoMessageAreCorrupt() {
    assertThatThrownBy(() -> parse(new byte[] {10, 100, 1}))
        .isExactlyInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith(
            "corrupt file a.lance: encoding of column 3 page 0: expected a protobuf message, found ");
  }

  @Test
  void aDeepTreeIsParsedAndABombIsCorrupt() throws IOException {
    ArrayEncoding tree = parse(nested(45));
    for (int i = 0; i < 45; i++) {
      tree = ((ArrayEncoding.FixedSizeBinary) tree).bytes();
    }
    assertThat(tree).isEqualTo(BYTES);
    for (int depth : new int[] {65, 10_000}) { // more than protobuf itself takes
      assertThatThrownBy(() -> parse(nested(depth)))
          .isExactlyInstanceOf(CorruptFileException.class);
    }
  }

  /** A flat node below so many fixed-size binaries, without recursion. */
  private static byte[] nested(int depth) {
    ByteString message = bytes().build().toByteString();
    for (int i = 0; i < depth; i++) {
      // both levels have field numbers of one byte: bytes = 1, fixed_size_binary = 11
      message = field(11, field(1, message));
    }
    return message.toByteArray();
  }

  private static ByteString field(int number, ByteString value) {
    ByteString.Output out = ByteString.newOutput();
    out.write(number << 3 | 2);
    for (int rest = value.size(); ; rest >>>= 7) {
      out.write(rest < 128 ? rest : rest & 127 | 128);
      if (rest < 128) {
        break;
      }
    }
    return out.toByteString().concat(value);
  }
}
