package io.github.lancecalcite.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.zstd.ZstdCompressor;
import io.github.lancecalcite.DecodeException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Chunk values in every encoding, against bytes put together by hand. */
class ChunkValuesTest {
  @Test
  void runsOfEveryWidthExpand() {
    Random random = new Random(3);
    for (int width : new int[] {1, 2, 3, 4, 8, 16, 32}) {
      byte[] values = new byte[5 * width];
      random.nextBytes(values);
      byte[] lengths = {1, (byte) 255, 0, 7, 100};
      int count = 1 + 255 + 7 + 50;
      ValueBlock block = decode(new RleValues(width * 8L), count, values, lengths);
      int at = 0;
      for (int run = 0; run < 5; run++) {
        byte[] value = Arrays.copyOfRange(values, run * width, (run + 1) * width);
        for (int i = 0; i < (lengths[run] & 0xff) && at < count; i++, at++) {
          assertThat(value(block, at)).as("width %d, value %d", width, at).isEqualTo(value);
        }
      }
      assertThat(at).isEqualTo(count);
    }
    assertThatThrownBy(() -> decode(new RleValues(8), 3, new byte[] {1}, new byte[] {2}))
        .isInstanceOf(DecodeException.class);
    assertThatThrownBy(() -> decode(new RleValues(8), 3, new byte[0], new byte[] {3}))
        .isInstanceOf(DecodeException.class);
  }

  @Test
  void bitPackedChunksUnpackForEveryWidth() {
    Random random = new Random(4);
    for (int bits : new int[] {8, 16, 32, 64}) {
      for (int width = 0; width <= bits; width++) {
        long[] values = new long[1024];
        for (int i = 0; i < values.length; i++) {
          values[i] = width == 0 ? 0 : random.nextLong() >>> (64 - width);
        }
        byte[] packed = FastLanesOracle.pack(values, bits, width);
        byte[] chunk = new byte[bits / 8 + packed.length];
        FastLanesOracle.put(chunk, 0, width, bits / 8);
        System.arraycopy(packed, 0, chunk, bits / 8, packed.length);
        ValueBlock block = decode(new InlineBitpackedValues(bits), 700, chunk);
        for (int i = 0; i < 700; i++) {
          assertThat(FastLanesOracle.number(value(block, i), 0, bits / 8)).isEqualTo(values[i]);
        }
        byte[] cut = Arrays.copyOf(chunk, chunk.length - 1);
        assertThatThrownBy(() -> decode(new InlineBitpackedValues(bits), 700, cut))
            .isInstanceOf(DecodeException.class);
      }
    }
  }

  @Test
  void bytePlanesAreJoined() {
    byte[] planes = {1, 2, 3, 11, 12, 13};
    ValueBlock block = decode(new ByteStreamSplitValues(16), 3, planes);
    assertThat(value(block, 0)).containsExactly(1, 11);
    assertThat(value(block, 2)).containsExactly(3, 13);
  }

  @Test
  void variableValuesLieBetweenTheirOffsets() {
    for (int size : new int[] {4, 8}) {
      byte[] bytes = new byte[4 * size + 5];
      int[] ends = {0, 2, 2, 5};
      for (int i = 0; i < 4; i++) {
        FastLanesOracle.put(bytes, i * size, 4L * size + ends[i], size);
      }
      System.arraycopy("abcde".getBytes(StandardCharsets.UTF_8), 0, bytes, 4 * size, 5);
      ValueBlock block = decode(new VariableValues(size * 8L), 3, bytes);
      assertThat(texts(block)).containsExactly("ab", "", "cde");
      FastLanesOracle.put(bytes, size, 4L * size + 6, size);
      assertThatThrownBy(() -> decode(new VariableValues(size * 8L), 3, bytes))
          .isInstanceOf(DecodeException.class);
    }
  }

  /** Random codes, many of them escapes, cut anywhere that is not inside an escape. */
  @Test
  void valuesDecompressedTogetherEqualThoseDecompressedAlone() {
    Fsst fsst = new Fsst(symbolTable(true, "lance", " ", "cal", "x", "12345678"));
    Random random = new Random(11);
    for (int round = 0; round < 500; round++) {
      int count = random.nextInt(12);
      int start = random.nextInt(5);
      byte[] in = new byte[start + 40 * count];
      int[] offsets = new int[count + 1];
      int at = start;
      offsets[0] = start;
      for (int i = 0; i < count; i++) {
        for (int codes = random.nextInt(20); codes > 0; codes--) {
          if (random.nextInt(4) == 0) {
            in[at++] = (byte) 255;
            in[at++] = (byte) random.nextInt();
          } else {
            in[at++] = (byte) random.nextInt(5);
          }
        }
        offsets[i + 1] = at;
      }
      byte[] alone = new byte[8 * in.length + 8];
      byte[] together = new byte[8 * in.length + 8];
      int[] ends = new int[count + 1];
      fsst.decompress(in, offsets, count, together, ends);
      int end = 0;
      for (int i = 0; i < count; i++) {
        end = fsst.decompress(in, offsets[i], offsets[i + 1], alone, end);
        assertThat(ends[i + 1]).as("round %d, value %d", round, i).isEqualTo(end);
      }
      assertThat(Arrays.copyOf(together, end)).isEqualTo(Arrays.copyOf(alone, end));
    }
  }

  @Test
  void valuesDecompressedTogetherAreCheckedOneByOne() {
    Fsst fsst = new Fsst(symbolTable(true, "lance"));
    byte[] out = new byte[100];
    int[] ends = new int[3];
    assertThatThrownBy(
            () -> fsst.decompress(new byte[] {0, -1, 'a'}, new int[] {0, 2, 3}, 2, out, ends))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("FSST escape at +1");
    assertThatThrownBy(
            () -> fsst.decompress(new byte[] {0, 0, -1}, new int[] {0, 2, 3}, 2, out, ends))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("FSST escape at +2");
    assertThatThrownBy(
            () -> fsst.decompress(new byte[] {0, 7, 0, 0}, new int[] {0, 2, 4}, 2, out, ends))
        .isInstanceOf(DecodeException.class)
        .hasMessage("FSST code at +1: expected a code of the symbol table, found 7");
    assertThatThrownBy(
            () -> fsst.decompress(new byte[] {0, 0, 0}, new int[] {0, 4, 3}, 2, out, ends))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("end of FSST value 1");
  }

  @Test
  void symbolsAndEscapesAreReplaced() {
    Fsst fsst = new Fsst(symbolTable(true, "lance", " ", "cal"));
    byte[] out = new byte[100];
    byte[] in = {0, 1, 2, (byte) 255, 'c', (byte) 255, (byte) 255};
    int end = fsst.decompress(in, 0, in.length, out, 3);
    assertThat(Arrays.copyOfRange(out, 3, end - 1))
        .isEqualTo("lance calc".getBytes(StandardCharsets.UTF_8));
    assertThat(out[end - 1]).isEqualTo((byte) 255);
    assertThatThrownBy(() -> fsst.decompress(new byte[] {3}, 0, 1, out, 0))
        .isInstanceOf(DecodeException.class)
        .hasMessage("FSST code at +0: expected a code of the symbol table, found 3");
    assertThatThrownBy(() -> fsst.decompress(new byte[] {(byte) 255}, 0, 1, out, 0))
        .isInstanceOf(DecodeException.class);
    Fsst off = new Fsst(symbolTable(false));
    assertThat(off.decompress(in, 0, 2, out, 0)).isEqualTo(2);
    assertThatThrownBy(() -> new Fsst(new byte[2312])).isInstanceOf(DecodeException.class);
  }

  @Test
  void compressedBytesComeBackAndLyingSizesDoNot() {
    byte[] plain =
        "lance lance lance lance lance lance!".repeat(50).getBytes(StandardCharsets.UTF_8);
    byte[] zstd = frame(new ZstdCompressor().maxCompressedLength(plain.length), 8, plain, true);
    byte[] lz4 = frame(new Lz4Compressor().maxCompressedLength(plain.length), 4, plain, false);
    assertThat(bytes(Compression.zstd(Bytes.of(zstd)))).isEqualTo(plain);
    assertThat(bytes(Compression.zstd(Bytes.of(Arrays.copyOfRange(zstd, 8, zstd.length)))))
        .isEqualTo(plain);
    assertThat(bytes(Compression.lz4(Bytes.of(lz4)))).isEqualTo(plain);
    assertThat(Compression.lz4(Bytes.EMPTY).length()).isZero();
    for (int lie : new int[] {0, 1, plain.length - 1, plain.length + 1, Integer.MAX_VALUE, -1}) {
      FastLanesOracle.put(zstd, 0, lie, 8);
      FastLanesOracle.put(lz4, 0, lie, 4);
      assertThatThrownBy(() -> Compression.zstd(Bytes.of(zstd)))
          .as("zstd %d", lie)
          .isInstanceOf(DecodeException.class);
      assertThatThrownBy(() -> Compression.lz4(Bytes.of(lz4)))
          .as("lz4 %d", lie)
          .isInstanceOf(DecodeException.class);
    }
  }

  private static byte[] frame(int most, int sizeBytes, byte[] plain, boolean zstd) {
    byte[] out = new byte[sizeBytes + most];
    FastLanesOracle.put(out, 0, plain.length, sizeBytes);
    int n =
        zstd
            ? new ZstdCompressor().compress(plain, 0, plain.length, out, sizeBytes, most)
            : new Lz4Compressor().compress(plain, 0, plain.length, out, sizeBytes, most);
    return Arrays.copyOf(out, sizeBytes + n);
  }

  static byte[] symbolTable(boolean on, String... symbols) {
    byte[] table = new byte[2312];
    FastLanesOracle.put(table, 0, 0x46535354L << 32 | (on ? 1L << 24 : 0) | symbols.length, 8);
    for (int i = 0; i < symbols.length; i++) {
      byte[] symbol = symbols[i].getBytes(StandardCharsets.UTF_8);
      System.arraycopy(symbol, 0, table, 8 + 8 * i, symbol.length);
      table[8 + 8 * symbols.length + i] = (byte) symbol.length;
    }
    return table;
  }

  private static ValueBlock decode(ValueDecoder decoder, int count, byte[]... buffers) {
    Bytes[] in = new Bytes[buffers.length];
    for (int i = 0; i < in.length; i++) {
      byte[] shifted = new byte[buffers[i].length + 5];
      System.arraycopy(buffers[i], 0, shifted, 5, buffers[i].length);
      in[i] = new Bytes(shifted, 5, buffers[i].length);
    }
    ValueBlock block = new ValueBlock();
    decoder.decode(in, 0, count, block);
    assertThat(block.count).isEqualTo(count);
    return block;
  }

  private static byte[] value(ValueBlock block, int i) {
    int width = (int) block.bits / 8;
    int at = block.dataOffset + i * width;
    return Arrays.copyOfRange(block.data, at, at + width);
  }

  private static List<String> texts(ValueBlock block) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < block.count; i++) {
      int from = block.offsets[i];
      texts.add(new String(block.data, from, block.offsets[i + 1] - from, StandardCharsets.UTF_8));
    }
    return texts;
  }

  private static byte[] bytes(Bytes bytes) {
    return Arrays.copyOfRange(bytes.array(), bytes.offset(), bytes.offset() + bytes.length());
  }
}
