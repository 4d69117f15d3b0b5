package io.github.lancecalcite.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.lancecalcite.DecodeException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.roaringbitmap.RoaringBitmap;

/** The Roaring library writes and is the oracle; the decoder must read the same values. */
class RoaringDecoderTest {
  private static final int LIMIT = 5 * 65536 + 77;

  enum Shape {
    EMPTY(b -> {}),
    FIRST(b -> b.add(0)),
    LAST(b -> b.add(LIMIT - 1)),
    ALL(b -> b.add(0L, LIMIT)),
    ONE_HOLE(
        b -> {
          b.add(0L, LIMIT);
          b.remove(65536 * 2);
        }),
    FULL_CONTAINER(b -> b.add(65536L, 2L * 65536)),
    ARRAY_4096(b -> every(b, 16, 4096)),
    BITMAP_4097(b -> every(b, 15, 4097)),
    CONTAINER_ENDS(
        b -> {
          b.add(65535);
          b.add(65536);
          b.add(3 * 65536 - 1);
        }),
    WORD_ENDS(
        b -> {
          for (int i = 0; i < 20000; i += 64) {
            b.add((long) i + 63, i + 65L);
          }
        }),
    EVERY_SECOND(b -> every(b, 2, LIMIT / 2)),
    RUNS_OF_63_64_65(
        b -> {
          for (int i = 0; i < 200000; i += 1000) {
            b.add((long) i, i + 63L + i % 3);
          }
        }),
    RANDOM_SPARSE(b -> random(b, 1000)),
    RANDOM_DENSE(b -> random(b, 200_000));

    final Consumer<RoaringBitmap> fill;

    Shape(Consumer<RoaringBitmap> fill) {
      this.fill = fill;
    }

    RoaringBitmap bitmap() {
      RoaringBitmap bitmap = new RoaringBitmap();
      fill.accept(bitmap);
      return bitmap;
    }

    private static void every(RoaringBitmap bitmap, int step, int count) {
      for (int i = 0; i < count; i++) {
        bitmap.add(i * step);
      }
    }

    private static void random(RoaringBitmap bitmap, int count) {
      Random random = new Random(count);
      for (int i = 0; i < count; i++) {
        bitmap.add(random.nextInt(LIMIT));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void readsWhatTheLibraryWrites(Shape shape) throws IOException {
    RoaringBitmap bitmap = shape.bitmap();
    assertDecodes(bitmap);
    if (bitmap.runOptimize()) {
      assertThat(serialize(bitmap)[0]).as("cookie of run containers").isEqualTo((byte) 0x3b);
      assertDecodes(bitmap);
    }
  }

  private static void assertDecodes(RoaringBitmap bitmap) throws IOException {
    long[] words = new long[(LIMIT + 63) / 64];
    long count = RoaringDecoder.decode(serialize(bitmap), words, LIMIT);
    assertThat(count).isEqualTo(bitmap.getLongCardinality());
    for (int i = 0; i < LIMIT; i++) {
      if ((words[i >>> 6] >>> i & 1) != 0 != bitmap.contains(i)) {
        throw new AssertionError("value " + i + " should be " + bitmap.contains(i));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void limitIsTheEndOfTheLastContainer(Shape shape) throws IOException {
    RoaringBitmap bitmap = shape.bitmap();
    long expected = bitmap.isEmpty() ? 0 : ((bitmap.last() >>> 16) + 1L) << 16;
    assertThat(RoaringDecoder.limit(serialize(bitmap))).isEqualTo(expected);
    bitmap.runOptimize();
    assertThat(RoaringDecoder.limit(serialize(bitmap))).isEqualTo(expected);
  }

  @Test
  void valueAtTheLimitIsRefused() throws IOException {
    for (RoaringBitmap bitmap : kinds()) {
      int last = bitmap.last();
      byte[] bytes = serialize(bitmap);
      RoaringDecoder.decode(bytes, new long[LIMIT], last + 1L);
      assertThatThrownBy(() -> RoaringDecoder.decode(bytes, new long[LIMIT], last))
          .isInstanceOf(DecodeException.class)
          .hasMessageContaining("expected below " + last + ", found " + last);
    }
  }

  @Test
  void everyTruncationIsRefused() throws IOException {
    for (RoaringBitmap bitmap : kinds()) {
      byte[] bytes = serialize(bitmap);
      for (int length = 0; length < bytes.length; length += length < 600 ? 1 : 97) {
        byte[] cut = java.util.Arrays.copyOf(bytes, length);
        assertThatThrownBy(() -> RoaringDecoder.decode(cut, new long[LIMIT], LIMIT))
            .isInstanceOf(DecodeException.class);
      }
      byte[] longer = java.util.Arrays.copyOf(bytes, bytes.length + 1);
      assertThatThrownBy(() -> RoaringDecoder.decode(longer, new long[LIMIT], LIMIT))
          .isInstanceOf(DecodeException.class)
          .hasMessageContaining("end of the bitmap");
    }
  }

  @Test
  void flippedBitsAreRefusedOrGiveAnotherBitmapOfTheCountTheySay() throws IOException {
    for (RoaringBitmap bitmap : kinds()) {
      byte[] bytes = serialize(bitmap);
      for (int bit = 0; bit < 8 * Math.min(bytes.length, 300); bit++) {
        byte[] flipped = bytes.clone();
        flipped[bit / 8] ^= (byte) (1 << bit % 8);
        long[] words = new long[(LIMIT + 63) / 64];
        try {
          long count = RoaringDecoder.decode(flipped, words, LIMIT);
          long set = 0;
          for (long word : words) {
            set += Long.bitCount(word);
          }
          assertThat(set).as("bit %s", bit).isEqualTo(count);
        } catch (DecodeException e) {
          assertThat(e).hasMessageStartingWith("Roaring bitmap ");
        }
      }
    }
  }

  @Test
  void lyingContainerCountAllocatesNothing() {
    byte[] bytes = {0x3a, 0x30, 0, 0, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff};
    assertThatThrownBy(() -> RoaringDecoder.decode(bytes, new long[1], 64))
        .isInstanceOf(DecodeException.class)
        .hasMessage(
            "Roaring bitmap container count at +4: expected at most 65536, found 4294967295");
  }

  private static Iterable<RoaringBitmap> kinds() {
    RoaringBitmap runs = Shape.RUNS_OF_63_64_65.bitmap();
    runs.runOptimize();
    return java.util.List.of(
        Shape.ARRAY_4096.bitmap(), Shape.BITMAP_4097.bitmap(), Shape.CONTAINER_ENDS.bitmap(), runs);
  }

  private static byte[] serialize(RoaringBitmap bitmap) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    bitmap.serialize(new DataOutputStream(out));
    return out.toByteArray();
  }
}
