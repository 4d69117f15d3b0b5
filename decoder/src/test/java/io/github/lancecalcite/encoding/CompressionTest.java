package io.github.lancecalcite.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.zstd.ZstdCompressor;
import io.github.lancecalcite.DecodeException;
import java.util.Arrays;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What comes out has exactly the bytes that the size in front promises, whatever goes in. */
class CompressionTest {
  enum Scheme {
    LZ4(4, Compression::lz4),
    ZSTD(8, Compression::zstd);

    final int sizeBytes;
    final UnaryOperator<Bytes> decompressor;

    Scheme(int sizeBytes, UnaryOperator<Bytes> decompressor) {
      this.sizeBytes = sizeBytes;
      this.decompressor = decompressor;
    }

    /** The size, and the compressed bytes. */
    byte[] compress(byte[] plain) {
      int most =
          this == LZ4
              ? new Lz4Compressor().maxCompressedLength(plain.length)
              : new ZstdCompressor().maxCompressedLength(plain.length);
      byte[] out = new byte[sizeBytes + most];
      int size =
          this == LZ4
              ? new Lz4Compressor().compress(plain, 0, plain.length, out, sizeBytes, most)
              : new ZstdCompressor().compress(plain, 0, plain.length, out, sizeBytes, most);
      FastLanesOracle.put(out, 0, plain.length, sizeBytes);
      return Arrays.copyOf(out, sizeBytes + size);
    }

    /** Decompresses bytes that have others before and after them, which nobody may touch. */
    byte[] decompress(byte[] compressed) {
      byte[] wide = new byte[compressed.length + 20];
      Arrays.fill(wide, (byte) 0x5a);
      System.arraycopy(compressed, 0, wide, 7, compressed.length);
      byte[] before = wide.clone();
      Bytes out = decompressor.apply(new Bytes(wide, 7, compressed.length));
      assertThat(wide).isEqualTo(before);
      assertThat(out.array()).hasSize(out.length());
      return out.array();
    }
  }

  private static byte[] plain(Random random, int size) {
    byte[] plain = new byte[size];
    int letters = 1 + random.nextInt(random.nextBoolean() ? 4 : 256);
    for (int i = 0; i < size; i++) {
      plain[i] = (byte) random.nextInt(letters);
    }
    return plain;
  }

  @ParameterizedTest
  @EnumSource
  void everySizeComesBackAndNoOtherIsBelieved(Scheme scheme) {
    Random random = new Random(1);
    for (int size : new int[] {1, 2, 7, 8, 63, 64, 65, 1023, 1024, 1025, 40_000, 200_000}) {
      byte[] plain = plain(random, size);
      byte[] compressed = scheme.compress(plain);
      assertThat(scheme.decompress(compressed)).isEqualTo(plain);
      for (long lie : new long[] {0, 1, size - 1, size + 1, 2L * size, 1 << 30, 1L << 31, -1}) {
        if (lie != size) {
          FastLanesOracle.put(compressed, 0, lie, scheme.sizeBytes);
          assertThatThrownBy(() -> scheme.decompress(compressed))
              .as("%d for %d", lie, size)
              .isInstanceOf(DecodeException.class);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyTruncationIsRefused(Scheme scheme) {
    byte[] compressed = scheme.compress(plain(new Random(2), 3000));
    for (int size = 1; size < compressed.length; size++) {
      byte[] cut = Arrays.copyOf(compressed, size);
      assertThatThrownBy(() -> scheme.decompress(cut)).isInstanceOf(DecodeException.class);
    }
  }

  /** As streaming writers leave it. */
  @Test
  void aFrameThatDoesNotTellItsSizeGivesThePromisedOneOrAnError() {
    for (int size : new int[] {1, 255, 256, 300, 70_000, 200_000}) {
      byte[] plain = plain(new Random(size), size);
      byte[] told = Scheme.ZSTD.compress(plain);
      int descriptor = told[12] & 0xff;
      assertThat(descriptor >> 5 & 1).as("single segment").isEqualTo(1);
      int sizeBytes = new int[] {1, 2, 4, 8}[descriptor >> 6];
      byte[] untold = new byte[told.length + 1 - sizeBytes];
      System.arraycopy(told, 0, untold, 0, 12);
      untold[12] = (byte) (descriptor & 4); // no size, no single segment; a checksum as before
      untold[13] = 21 - 10 << 3; // a window of 2 MiB
      System.arraycopy(told, 13 + sizeBytes, untold, 14, untold.length - 14);
      assertThat(Scheme.ZSTD.decompress(untold)).isEqualTo(plain);
      for (long lie : new long[] {0, size - 1, size + 1, size + 100, -1}) {
        FastLanesOracle.put(untold, 0, lie, 8);
        assertThatThrownBy(() -> Scheme.ZSTD.decompress(untold))
            .as("%d for %d", lie, size)
            .isInstanceOf(DecodeException.class);
      }
      byte[] bare = Arrays.copyOfRange(untold, 8, untold.length);
      assertThatThrownBy(() -> Scheme.ZSTD.decompress(bare))
          .as("no size at all")
          .isInstanceOf(DecodeException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void damagedBytesGiveThePromisedSizeOrAnError(Scheme scheme) {
    Random random = new Random(3);
    int whole = 0;
    int refused = 0;
    for (int round = 0; round < 20_000; round++) {
      byte[] plain = plain(random, 1 + random.nextInt(round % 10 == 0 ? 5000 : 300));
      byte[] bytes = scheme.compress(plain);
      for (int n = 1 + random.nextInt(3); n > 0; n--) {
        // the size in front stays: other tests lie about it
        int at = scheme.sizeBytes + random.nextInt(bytes.length - scheme.sizeBytes);
        bytes[at] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        assertThat(scheme.decompress(bytes)).as("round %d", round).hasSize(plain.length);
        whole++;
      } catch (DecodeException e) {
        refused++;
      }
    }
    assertThat(whole).isPositive();
    assertThat(refused).isGreaterThan(1000);
  }
}
