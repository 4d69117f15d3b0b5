package io.github.lancecalcite.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.airlift.compress.lz4.Lz4Compressor;
import io.github.lancecalcite.DecodeException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Dictionaries in every encoding, against bytes put together by hand. */
class BlockDecoderTest {
  private static final String[] WORDS = {"ab", "", "cde"};

  /**
   * Width, position of the text, offsets, text.
   *
   * @param header bytes of the width: those of an offset, or one in the older form
   */
  private static byte[] words(int header, int size) {
    byte[] text = String.join("", WORDS).getBytes(StandardCharsets.UTF_8);
    int start = header + size + 4 * size;
    byte[] bytes = new byte[start + text.length];
    FastLanesOracle.put(bytes, 0, 8L * size, header);
    FastLanesOracle.put(bytes, header, start, size);
    int end = 0;
    for (int i = 0; i < 3; i++) {
      end += WORDS[i].length();
      FastLanesOracle.put(bytes, header + (i + 2) * size, end, size);
    }
    System.arraycopy(text, 0, bytes, start, text.length);
    return bytes;
  }

  private static List<String> decodeWords(byte[] bytes, int count) {
    ValueBlock block = new ValueBlock();
    BlockDecoder.variable().decode(Bytes.of(bytes), count, block);
    List<String> words = new ArrayList<>();
    for (int i = 0; i < block.count; i++) {
      int from = block.offsets[i];
      words.add(new String(block.data, from, block.offsets[i + 1] - from, StandardCharsets.UTF_8));
    }
    return words;
  }

  @Test
  void wordsAreReadBehindBothHeaders() {
    for (int size : new int[] {4, 8}) {
      assertThat(decodeWords(words(size, size), 3)).containsExactly(WORDS);
      assertThat(decodeWords(words(1, size), 3)).as("older header").containsExactly(WORDS);
    }
  }

  @Test
  void wordsThatDoNotLieInTheBufferAreRefused() {
    for (int header : new int[] {1, 4}) {
      byte[] good = words(header, 4);
      for (int size = 0; size < good.length; size++) {
        byte[] cut = Arrays.copyOf(good, size);
        assertThatThrownBy(() -> decodeWords(cut, 3)).isInstanceOf(DecodeException.class);
      }
      assertThatThrownBy(() -> decodeWords(good, 400_000_000)).isInstanceOf(DecodeException.class);
      byte[] backwards = good.clone();
      backwards[header + 3 * 4] = 1;
      backwards[header + 2 * 4] = 5;
      assertThatThrownBy(() -> decodeWords(backwards, 3)).isInstanceOf(DecodeException.class);
    }
    byte[] width = words(4, 4);
    width[0] = 16;
    assertThatThrownBy(() -> decodeWords(width, 3))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("offset width");
  }

  @Test
  void numbersBehindTheirOwnWidthAreUnpacked() {
    Random random = new Random(5);
    for (int bits : new int[] {8, 16, 32, 64}) {
      int width = bits / 2 + 1;
      long[] values = random.longs(1024).map(value -> value >>> (64 - width)).toArray();
      byte[] packed = FastLanesOracle.pack(values, bits, width);
      byte[] bytes = new byte[bits / 8 + packed.length];
      FastLanesOracle.put(bytes, 0, width, bits / 8);
      System.arraycopy(packed, 0, bytes, bits / 8, packed.length);
      ValueBlock block = new ValueBlock();
      BlockDecoder.ofChunk(new InlineBitpackedValues(bits)).decode(Bytes.of(bytes), 300, block);
      for (int i = 0; i < 300; i++) {
        assertThat(FastLanesOracle.number(block.data, block.dataOffset + i * bits / 8, bits / 8))
            .isEqualTo(values[i]);
      }
    }
  }

  @Test
  void numbersOfAKnownWidthHaveAPackedOrARawTail() {
    long[] values = new Random(6).longs(1024 + 5).map(value -> value >>> 55).toArray();
    byte[] first = FastLanesOracle.pack(Arrays.copyOf(values, 1024), 32, 9);
    long[] tail = Arrays.copyOf(Arrays.copyOfRange(values, 1024, 1029), 1024);
    byte[] packedTail = FastLanesOracle.pack(tail, 32, 9);
    byte[] rawTail = new byte[5 * 4];
    for (int i = 0; i < 5; i++) {
      FastLanesOracle.put(rawTail, 4 * i, tail[i], 4);
    }
    for (byte[] end : List.of(packedTail, rawTail)) {
      byte[] bytes = Arrays.copyOf(first, first.length + end.length);
      System.arraycopy(end, 0, bytes, first.length, end.length);
      ValueBlock block = new ValueBlock();
      BlockDecoder.bitpacked(32, 9).decode(Bytes.of(bytes), 1029, block);
      for (int i = 0; i < 1029; i++) {
        assertThat(FastLanesOracle.number(block.data, block.dataOffset + 4 * i, 4))
            .isEqualTo(values[i]);
      }
      byte[] cut = Arrays.copyOf(bytes, bytes.length - 1);
      assertThatThrownBy(
              () -> BlockDecoder.bitpacked(32, 9).decode(Bytes.of(cut), 1029, new ValueBlock()))
          .isInstanceOf(DecodeException.class);
    }
  }

  @Test
  void runsStandBehindTheSizeOfTheirValues() {
    byte[] bytes = new byte[8 + 4 + 2];
    FastLanesOracle.put(bytes, 0, 4, 8);
    FastLanesOracle.put(bytes, 8, 0x11112222L, 4);
    bytes[12] = 2;
    bytes[13] = 1;
    ValueBlock block = new ValueBlock();
    BlockDecoder.rle(16).decode(Bytes.of(bytes), 3, block);
    assertThat(FastLanesOracle.number(block.data, block.dataOffset + 2, 2)).isEqualTo(0x2222);
    assertThat(FastLanesOracle.number(block.data, block.dataOffset + 4, 2)).isEqualTo(0x1111);
    FastLanesOracle.put(bytes, 0, -1, 8);
    assertThatThrownBy(() -> BlockDecoder.rle(16).decode(Bytes.of(bytes), 3, new ValueBlock()))
        .isInstanceOf(DecodeException.class);
  }

  @Test
  void compressedWordsAreDecompressedFirst() {
    byte[] plain = words(4, 4);
    byte[] bytes = new byte[4 + new Lz4Compressor().maxCompressedLength(plain.length)];
    FastLanesOracle.put(bytes, 0, plain.length, 4);
    int size = new Lz4Compressor().compress(plain, 0, plain.length, bytes, 4, bytes.length - 4);
    ValueBlock block = new ValueBlock();
    BlockDecoder.general(Compression::lz4, BlockDecoder.variable())
        .decode(new Bytes(bytes, 0, 4 + size), 3, block);
    assertThat(new String(block.data, block.offsets[2], 3, StandardCharsets.UTF_8))
        .isEqualTo("cde");
  }
}
