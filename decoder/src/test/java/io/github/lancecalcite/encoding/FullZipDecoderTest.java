package io.github.lancecalcite.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.DecodeException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Entries of full-zip pages against a writer that puts them together one byte at a time. */
class FullZipDecoderTest {
  @Test
  void entriesOfEveryControlWidthComeBack() {
    Random random = new Random(11);
    for (int[] bits : new int[][] {{0, 0}, {0, 1}, {3, 5}, {4, 5}, {8, 8}, {9, 9}}) {
      for (int lengthBytes : new int[] {0, 1, 2, 4, 8}) {
        for (int count : new int[] {0, 1, 500}) {
          check(random, bits[0], bits[1], lengthBytes, count);
        }
      }
    }
  }

  private static void check(Random random, int bitsRep, int bitsDef, int lengthBytes, int count) {
    int bits = bitsRep + bitsDef;
    int control = bits == 0 ? 0 : bits <= 8 ? 1 : bits <= 16 ? 2 : 4;
    int maxVisible = bitsDef > 1 ? 2 : (1 << bitsDef) - 1;
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    List<int[]> entries = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int rep = random.nextInt(1 << bitsRep);
      int def = random.nextInt(1 << bitsDef);
      entries.add(new int[] {rep, def});
      put(page, (long) rep << bitsDef | def, control);
      byte[] value = new byte[lengthBytes == 0 ? 3 : random.nextInt(40)];
      random.nextBytes(value);
      if (lengthBytes == 0 && def <= maxVisible) {
        page.writeBytes(value);
        values.add(value);
      } else if (lengthBytes > 0 && def == 0) {
        put(page, value.length, lengthBytes);
        page.writeBytes(value);
        values.add(value);
      } else if (lengthBytes > 0 && def <= maxVisible) {
        values.add(new byte[0]); // a null keeps its place
      }
    }
    FullZipDecoder decoder = new FullZipDecoder(bitsRep, bitsDef, maxVisible, lengthBytes * 8, 24);
    Levels levels = new Levels();
    ValueBlock block = new ValueBlock();
    byte[] bytes = page.toByteArray();
    decoder.decode(Bytes.of(bytes), levels, block);
    String what = "rep " + bitsRep + ", def " + bitsDef + ", length " + lengthBytes;
    assertThat(levels.count).as(what).isEqualTo(count);
    for (int i = 0; i < count; i++) {
      assertThat(levels.rep[i]).as(what).isEqualTo((short) entries.get(i)[0]);
      assertThat(levels.def[i]).as(what).isEqualTo((short) entries.get(i)[1]);
    }
    assertThat(block.count).as(what).isEqualTo(values.size());
    for (int i = 0; i < values.size(); i++) {
      int from = lengthBytes == 0 ? block.dataOffset + 3 * i : block.offsets[i];
      int to = lengthBytes == 0 ? from + 3 : block.offsets[i + 1];
      assertThat(Arrays.copyOfRange(block.data, from, to)).as(what).isEqualTo(values.get(i));
    }
    if (lengthBytes > 0 && !values.isEmpty() && entries.get(count - 1)[1] == 0) {
      byte[] cut = Arrays.copyOf(bytes, bytes.length - 1);
      assertThatThrownBy(() -> decoder.decode(Bytes.of(cut), new Levels(), new ValueBlock()))
          .as(what)
          .isInstanceOf(DecodeException.class);
    }
  }

  @Test
  void packedRowsAreBroughtIntoOneForm() {
    ByteArrayOutputStream rows = new ByteArrayOutputStream();
    put(rows, 7, 2);
    put(rows, 2, 1);
    rows.writeBytes(new byte[] {0, 0});
    rows.write('!');
    int[] offsets = {0, 0, rows.size()};
    ValueBlock block = new ValueBlock();
    block.count = 2;
    block.data = rows.toByteArray();
    block.offsets = offsets;
    Fsst fsst = new Fsst(ChunkValuesTest.symbolTable(true, "lance"));
    new ZippedStruct(
            List.of(
                new ZippedStruct.Child(false, 2, null),
                new ZippedStruct.Child(true, 1, ZippedValues.fsst(null, fsst)),
                new ZippedStruct.Child(false, 1, null)))
        .decompress(block);
    assertThat(block.offsets[1]).isZero(); // a null row stays empty
    byte[] row = Arrays.copyOfRange(block.data, 0, block.offsets[2]);
    assertThat(row).isEqualTo("\7\0\12\0\0\0lancelance!".getBytes(StandardCharsets.ISO_8859_1));
  }

  private static void put(ByteArrayOutputStream out, long value, int bytes) {
    for (int i = 0; i < bytes; i++) {
      out.write((int) (value >>> (8 * i)));
    }
  }
}
