package io.github.lancecalcite.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.rowid.Segments;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowIdSequencesTest {
  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.replace(" ", ""));
  }

  private static List<U64Segment> parse(String digits) throws IOException {
    return RowIdSequences.parse(hex(digits), "t/_versions/1.manifest", 100);
  }

  @Test
  void bytesOfEveryFormComeBackBitForBit() throws IOException {
    Random random = new Random(1);
    for (int i = 0; i < 300; i++) {
      List<U64Segment> segments = new ArrayList<>();
      for (int n = random.nextInt(6); n > 0; n--) {
        segments.add(Segments.random(random, random.nextInt(3) * 100_000_000_000L, 200));
      }
      byte[] bytes = RowIdSequences.serialize(segments);
      List<U64Segment> parsed = RowIdSequences.parse(bytes, "m", 0);
      assertThat(parsed).usingRecursiveComparison().isEqualTo(segments);
      assertThat(RowIdSequences.serialize(parsed)).isEqualTo(bytes);
    }
  }

  @Test
  void handWrittenBytesAreUnderstoodAndWrittenTheSame() throws IOException {
    // range 0..10; range 0..0 as an empty message; bitmap 1000..1010 with bytes e7 03
    String digits = "0a04 0a02 100a" + "0a02 0a00" + "0a0c 1a0a 08e807 10f207 1a02e703";
    assertThat(parse(digits))
        .usingRecursiveComparison()
        .isEqualTo(
            List.of(
                new U64Segment.Range(0, 10),
                new U64Segment.Range(0, 0),
                new U64Segment.RangeWithBitmap(1000, 1010, hex("e703"))));
    assertThat(RowIdSequences.serialize(parse(digits))).isEqualTo(hex(digits));
  }

  @Test
  void rangeThatEndsBeforeItStartsIsCorrupt() {
    assertThatThrownBy(() -> parse("0a04 0a02 1003" + "0a06 0a04 0805 1003"))
        .isInstanceOf(CorruptFileException.class)
        .hasMessage(
            "corrupt file t/_versions/1.manifest at offset 108: row id segment, end of range:"
                + " expected at least the start 5 and fewer than 2^63 values, found 3");
  }

  @Test
  void bitmapOfTheWrongSizeIsCorrupt() {
    assertThatThrownBy(() -> parse("0a0b 1a09 08e807 10f207 1a01e7"))
        .isInstanceOf(CorruptFileException.class)
        .hasMessage(
            "corrupt file t/_versions/1.manifest at offset 102: row id segment, bitmap:"
                + " expected 2 bytes for 10 slots, found 1");
  }

  @Test
  void arrayWithHalfAValueIsCorrupt() {
    assertThatThrownBy(() -> parse("0a09 2207 0a05 1203 010203"))
        .isInstanceOf(CorruptFileException.class)
        .hasMessage(
            "corrupt file t/_versions/1.manifest at offset 102: row id segment, array:"
                + " expected a multiple of 2 bytes, found 3");
  }

  @Test
  void truncatedBytesAreCorruptWhereTheyBreak() {
    assertThatThrownBy(() -> parse("0a04 0a02 1003" + "0a06 0a04"))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith(
            "corrupt file t/_versions/1.manifest at offset 106: row id sequence:"
                + " expected a protobuf message, found ");
    assertThatThrownBy(() -> parse("0a02 0a04"))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("at offset 102: row id segment: expected a protobuf message");
  }

  @Test
  void unknownFormsAreRefusedByNumber() {
    assertThatThrownBy(() -> parse("0a04 3202 0801"))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessage(
            "unsupported row id segment in t/_versions/1.manifest: found fields [6], supported"
                + " range, range with holes, range with bitmap, sorted array, array");
    assertThatThrownBy(() -> parse("0a00"))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("found no form at all");
    assertThatThrownBy(() -> parse("0a06 2204 2202 0801"))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessage(
            "unsupported row id segment, array in t/_versions/1.manifest: found fields [4],"
                + " supported u16, u32 and u64 arrays");
  }

  @Test
  void versionRunsComeBackBitForBit() throws IOException {
    List<VersionRun> runs =
        List.of(
            new VersionRun(Segments.range(0, 10), 1),
            new VersionRun(Segments.bitmap(0, 10, i -> i % 3 == 0), 7),
            new VersionRun(Segments.holes(5, 9, 6), 1L << 40),
            new VersionRun(Segments.range(0, 0), 0));
    byte[] bytes = RowIdSequences.serializeVersions(runs);
    List<VersionRun> parsed = RowIdSequences.parseVersions(bytes, "m", 0);
    assertThat(parsed).usingRecursiveComparison().isEqualTo(runs);
    assertThat(RowIdSequences.serializeVersions(parsed)).isEqualTo(bytes);
  }

  @Test
  void versionRunWithoutASpanIsCorrupt() {
    assertThatThrownBy(() -> RowIdSequences.parseVersions(hex("0a02 1005"), "m", 0))
        .isInstanceOf(CorruptFileException.class)
        .hasMessage(
            "corrupt file m at offset 2: row version run: expected a span of rows, found none");
  }
}
