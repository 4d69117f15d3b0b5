package io.github.lancecalcite.dataset;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.encoding.RoaringDecoder;
import io.github.lancecalcite.format.IndexMetadata;
import io.github.lancecalcite.format.Manifest;
import java.io.IOException;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which fragments an index covers. */
final class IndexedFragments {
  /** Bounds the memory for a bitmap whose bytes ask for more than any dataset has. */
  private static final long MAX_ID = 1L << 28;

  private IndexedFragments() {}

  static @Nullable Set<Long> of(Manifest manifest, IndexMetadata index) throws IOException {
    byte[] bitmap = index.fragmentBitmap();
    if (bitmap.length == 0) {
      return null;
    }
    String what = "fragments of index '" + index.name() + "'";
    try {
      long limit = RoaringDecoder.limit(bitmap);
      if (limit > MAX_ID) {
        throw new UnsupportedFormatException(
            manifest.path(), what, "ids up to " + limit, "ids below " + MAX_ID);
      }
      long[] words = new long[(int) (limit >>> 6)];
      RoaringDecoder.decode(bitmap, words, limit);
      Set<Long> ids = new TreeSet<>();
      for (int i = 0; i < words.length; i++) {
        for (long rest = words[i]; rest != 0; rest &= rest - 1) {
          ids.add(64L * i + Long.numberOfTrailingZeros(rest));
        }
      }
      return Collections.unmodifiableSet(ids);
    } catch (DecodeException e) {
      throw new CorruptFileException(
          manifest.path(), -1, what + ", " + e.what(), e.expected(), e.actual(), e);
    }
  }
}
