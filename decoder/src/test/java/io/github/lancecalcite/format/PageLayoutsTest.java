package io.github.lancecalcite.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.proto.Encodings21Proto;
import io.github.lancecalcite.format.proto.Encodings21Proto.CompressiveEncoding;
import io.github.lancecalcite.format.proto.Encodings21Proto.FullZipLayout;
import io.github.lancecalcite.format.proto.Encodings21Proto.Layer;
import io.github.lancecalcite.format.proto.Encodings21Proto.MiniBlockLayout;
import io.github.lancecalcite.format.proto.Encodings21Proto.PageLayout;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class PageLayoutsTest {
  private static final CompressiveEncoding FLAT =
      CompressiveEncoding.newBuilder()
          .setFlat(Encodings21Proto.Flat.newBuilder().setBitsPerValue(32))
          .build();

  private static io.github.lancecalcite.format.PageLayout parse(PageLayout.Builder message)
      throws IOException {
    return PageLayouts.parse(message.build().toByteArray(), "a.lance", "column 3 page 0");
  }

  private static PageLayout.Builder page() {
    return PageLayout.newBuilder();
  }

  private static MiniBlockLayout.Builder miniBlock(CompressiveEncoding values) {
    return MiniBlockLayout.newBuilder()
        .setValueCompression(values)
        .addLayers(Layer.NULLABLE_ITEM)
        .setNumBuffers(1)
        .setNumItems(5);
  }

  private static FullZipLayout.Builder fullZip() {
    return FullZipLayout.newBuilder()
        .setBitsPerValue(32)
        .setNumItems(-1)
        .setNumVisibleItems(4)
        .setValueCompression(FLAT)
        .addLayers(Layer.ALL_VALID_ITEM);
  }

  private static void unsupported(PageLayout.Builder message, String text) {
    assertThatThrownBy(() -> parse(message))
        .isExactlyInstanceOf(UnsupportedFormatException.class)
        .hasMessage(text);
  }

  private static void unsupported(CompressiveEncoding.Builder values, String text) {
    unsupported(page().setMiniBlock(miniBlock(values.build())), text);
  }

  private static void corrupt(PageLayout.Builder message, String text) {
    assertThatThrownBy(() -> parse(message))
        .isExactlyInstanceOf(CorruptFileException.class)
        .hasMessage(text);
  }

  @Test
  void layoutsAreParsedAsTheyWereWritten() throws IOException {
    var block =
        (io.github.lancecalcite.format.PageLayout.MiniBlock)
            parse(page().setMiniBlock(miniBlock(FLAT)));
    assertThat(block.numItems()).isEqualTo(5);
    assertThat(block.layers())
        .containsExactly(io.github.lancecalcite.format.PageLayout.Layer.NULLABLE_ITEM);
    var zip =
        (io.github.lancecalcite.format.PageLayout.FullZip) parse(page().setFullZip(fullZip()));
    assertThat(zip.numItems()).isEqualTo(0xffffffffL);
  }

  @Test
  void layoutsThatAreNotKnownAreRefusedByName() {
    unsupported(
        page().setSparse(Encodings21Proto.SparseLayout.getDefaultInstance()),
        "unsupported page layout of column 3 page 0 in a.lance: found sparse, supported mini-block,"
            + " constant, full-zip, blob");
    unsupported(
        page(),
        "unsupported page layout of column 3 page 0 in a.lance: found an arm that is not known here,"
            + " or none, supported mini-block, constant, full-zip, blob");
  }

  @Test
  void compressionsThatAreNotKnownAreRefusedByName() {
    String supported = ", supported the compressions of 2.1 to 2.3";
    String start = "unsupported compression of column 3 page 0 in a.lance: found ";
    Encodings21Proto.Unknown unknown = Encodings21Proto.Unknown.getDefaultInstance();
    unsupported(CompressiveEncoding.newBuilder().setRange(unknown), start + "range" + supported);
    unsupported(CompressiveEncoding.newBuilder().setDelta(unknown), start + "delta" + supported);
    unsupported(
        CompressiveEncoding.newBuilder(),
        start + "an arm that is not known here, or none" + supported);
  }

  @Test
  void compressionSchemesThatAreNotKnownAreRefused() {
    for (int scheme : List.of(0, 3)) {
      unsupported(
          CompressiveEncoding.newBuilder()
              .setGeneral(
                  Encodings21Proto.General.newBuilder()
                      .setCompression(
                          Encodings21Proto.BufferCompression.newBuilder().setSchemeValue(scheme))
                      .setValues(FLAT)),
          "unsupported compression of column 3 page 0 in a.lance: found "
              + scheme
              + ", supported lz4 (1), zstd (2)");
    }
  }

  @Test
  void layersThatAreNotKnownAreRefused() {
    unsupported(
        page().setMiniBlock(miniBlock(FLAT).addLayersValue(7)),
        "unsupported layer of column 3 page 0 in a.lance: found UNRECOGNIZED, supported the six"
            + " layers of 2.1");
    unsupported(
        page().setMiniBlock(miniBlock(FLAT).addLayersValue(0)),
        "unsupported layer of column 3 page 0 in a.lance: found LAYER_UNSPECIFIED, supported the six"
            + " layers of 2.1");
  }

  @Test
  void aPageWithoutLayersOrWithFarTooManyIsCorrupt() {
    String text = "corrupt file a.lance: layers of column 3 page 0: expected 1 to 64, found ";
    corrupt(page().setMiniBlock(miniBlock(FLAT).clearLayers()), text + 0);
    MiniBlockLayout.Builder many = miniBlock(FLAT);
    for (int i = 0; i < 64; i++) {
      many.addLayers(Layer.NULLABLE_LIST);
    }
    corrupt(page().setMiniBlock(many), text + 65);
  }

  @Test
  void countsThatCannotBeAreCorrupt() {
    corrupt(
        page().setMiniBlock(miniBlock(FLAT).setNumBuffers(65)),
        "corrupt file a.lance: value buffers of column 3 page 0: expected at most 64, found 65");
    corrupt(
        page().setMiniBlock(miniBlock(FLAT).setNumBuffers(-1)),
        "corrupt file a.lance: value buffers of column 3 page 0: expected at most 64, found"
            + " 18446744073709551615");
    corrupt(
        page().setMiniBlock(miniBlock(FLAT).setNumItems(-1)),
        "corrupt file a.lance: items of column 3 page 0: expected below 2^63, found"
            + " 18446744073709551615");
    corrupt(
        page().setMiniBlock(miniBlock(FLAT).setNumDictionaryItems(-1)),
        "corrupt file a.lance: dictionary items of column 3 page 0: expected below 2^63, found"
            + " 18446744073709551615");
    Encodings21Proto.ConstantLayout.Builder constant =
        Encodings21Proto.ConstantLayout.newBuilder().addLayers(Layer.NULLABLE_ITEM);
    corrupt(
        page().setConstant(constant.clone().setNumRepValues(-1)),
        "corrupt file a.lance: repetition levels of column 3 page 0: expected below 2^63, found"
            + " 18446744073709551615");
    corrupt(
        page().setConstant(constant.clone().setNumDefValues(-1)),
        "corrupt file a.lance: definition levels of column 3 page 0: expected below 2^63, found"
            + " 18446744073709551615");
  }

  @Test
  void widthsThatCannotBeAreCorrupt() {
    String widths =
        "corrupt file a.lance: widths of column 3 page 0: expected at most 16 bits per level, 2^31 −"
            + " 1 per value, found ";
    corrupt(page().setFullZip(fullZip().setBitsRep(17)), widths + "rep 17, def 0, value 32");
    corrupt(page().setFullZip(fullZip().setBitsDef(-1)), widths + "rep 0, def -1, value 32");
    corrupt(page().setFullZip(fullZip().setBitsPerValue(-1)), widths + "rep 0, def 0, value -1");
    corrupt(
        page().setFullZip(fullZip().clearWidth()),
        "corrupt file a.lance: width of values of column 3 page 0: expected a fixed or variable one,"
            + " found none");
    unsupportedChild();
  }

  private static void unsupportedChild() {
    corrupt(
        page()
            .setMiniBlock(
                miniBlock(
                    CompressiveEncoding.newBuilder()
                        .setVariablePackedStruct(
                            Encodings21Proto.VariablePackedStruct.newBuilder()
                                .addFields(
                                    Encodings21Proto.VariablePackedStruct.Field.newBuilder()
                                        .setValue(FLAT)))
                        .build())),
        "corrupt file a.lance: width of a packed child of column 3 page 0: expected a fixed or"
            + " variable one, found none");
  }

  @Test
  void aBlobInABlobIsCorrupt() {
    Encodings21Proto.BlobLayout.Builder inner =
        Encodings21Proto.BlobLayout.newBuilder()
            .setInnerLayout(page().setMiniBlock(miniBlock(FLAT)))
            .addLayers(Layer.NULLABLE_ITEM);
    corrupt(
        page()
            .setBlob(
                Encodings21Proto.BlobLayout.newBuilder()
                    .setInnerLayout(page().setBlob(inner))
                    .addLayers(Layer.NULLABLE_ITEM)),
        "corrupt file a.lance: blob layout of column 3 page 0: expected a layout of values inside,"
            + " found another blob layout");
  }

  @Test
  void aDeepTreeIsParsedAndABombIsCorrupt() throws IOException {
    // protobuf takes 100 levels of messages, two for each of ours
    CompressiveEncoding tree = FLAT;
    for (int i = 0; i < 45; i++) {
      tree = split(tree);
    }
    assertThat(parse(page().setMiniBlock(miniBlock(tree)))).isNotNull();
    for (int i = 0; i < 500; i++) {
      tree = split(tree);
    }
    CompressiveEncoding bomb = tree;
    assertThatThrownBy(() -> parse(page().setMiniBlock(miniBlock(bomb))))
        .isExactlyInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith(
            "corrupt file a.lance: layout of column 3 page 0: expected a protobuf message, found ");
  }

  private static CompressiveEncoding split(CompressiveEncoding values) {
    return CompressiveEncoding.newBuilder()
        .setByteStreamSplit(Encodings21Proto.ByteStreamSplit.newBuilder().setValues(values))
        .build();
  }

  @Test
  void bytesThatAreNoMessageAreCorrupt() {
    assertThatThrownBy(
            () -> PageLayouts.parse(new byte[] {10, 100, 1}, "a.lance", "column 3 page 0"))
        .isExactlyInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith(
            "corrupt file a.lance: layout of column 3 page 0: expected a protobuf message, found ");
  }
}
