package io.github.lancecalcite.dataset;

import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.encoding.BlockDecoder;
import io.github.lancecalcite.encoding.ByteStreamSplitValues;
import io.github.lancecalcite.encoding.Bytes;
import io.github.lancecalcite.encoding.Compression;
import io.github.lancecalcite.encoding.ConstantValues;
import io.github.lancecalcite.encoding.FixedSizeListValues;
import io.github.lancecalcite.encoding.FlatValues;
import io.github.lancecalcite.encoding.Fsst;
import io.github.lancecalcite.encoding.FsstValues;
import io.github.lancecalcite.encoding.GeneralValues;
import io.github.lancecalcite.encoding.InlineBitpackedValues;
import io.github.lancecalcite.encoding.LevelDecoder;
import io.github.lancecalcite.encoding.RleValues;
import io.github.lancecalcite.encoding.ValueDecoder;
import io.github.lancecalcite.encoding.VariableValues;
import io.github.lancecalcite.format.CompressiveEncoding;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Engines for the compression trees of 2.1+ pages, built once per page. */
final class ValueDecoders {
  private final String path;
  private final String where;

  ValueDecoders(String path, String where) {
    this.path = path;
    this.where = where;
  }

  /** The engine for the values of mini-block chunks. */
  ValueDecoder chunk(CompressiveEncoding encoding) throws UnsupportedFormatException {
    try {
      if (encoding instanceof CompressiveEncoding.Flat e && e.data() == null) {
        return new FlatValues(e.bitsPerValue());
      } else if (encoding instanceof CompressiveEncoding.Variable e && e.values() == null) {
        return new VariableValues(flatBits(e.offsets()));
      } else if (encoding instanceof CompressiveEncoding.InlineBitpacking e && e.values() == null) {
        return new InlineBitpackedValues(e.uncompressedBits());
      } else if (encoding instanceof CompressiveEncoding.Rle e && flatBits(e.runLengths()) == 8) {
        return new RleValues(flatBits(e.values()));
      } else if (encoding instanceof CompressiveEncoding.ByteStreamSplit e) {
        return new ByteStreamSplitValues(flatBits(e.values()));
      } else if (encoding instanceof CompressiveEncoding.Fsst e) {
        return new FsstValues(new Fsst(e.symbolTable()), chunk(e.values()));
      } else if (encoding instanceof CompressiveEncoding.General e) {
        return new GeneralValues(decompressor(e.scheme()), chunk(e.values()));
      } else if (encoding instanceof CompressiveEncoding.FixedSizeList) {
        return lists(encoding);
      } else if (encoding instanceof CompressiveEncoding.PackedStruct e) {
        return new FlatValues(flatBits(e.values()));
      } else if (encoding instanceof CompressiveEncoding.Constant e && e.value() != null) {
        return new ConstantValues(e.value());
      }
    } catch (IllegalArgumentException e) {
      throw unsupported("values", encoding, e.getMessage());
    }
    throw unsupported("values", encoding, "this combination");
  }

  private ValueDecoder lists(CompressiveEncoding encoding) throws UnsupportedFormatException {
    ListLevels levels = listLevels(encoding);
    return new FixedSizeListValues(
        levels.dimensions(), levels.hasValidity(), chunk(levels.items()));
  }

  /** Nested fixed-size lists, outer first, and what they are lists of. */
  record ListLevels(int[] dimensions, boolean[] hasValidity, CompressiveEncoding items) {}

  /** Takes nested fixed-size lists apart; no level when the encoding is none. */
  ListLevels listLevels(CompressiveEncoding encoding) throws UnsupportedFormatException {
    List<CompressiveEncoding.FixedSizeList> levels = new ArrayList<>();
    CompressiveEncoding inner = encoding;
    while (inner instanceof CompressiveEncoding.FixedSizeList list) {
      levels.add(list);
      inner = list.values();
    }
    int[] dimensions = new int[levels.size()];
    boolean[] validity = new boolean[levels.size()];
    for (int i = 0; i < dimensions.length; i++) {
      long dimension = levels.get(i).itemsPerValue();
      if (dimension < 1 || dimension > Integer.MAX_VALUE) {
        throw unsupported("values", encoding, dimension + " items per list");
      }
      dimensions[i] = (int) dimension;
      validity[i] = levels.get(i).hasValidity();
    }
    return new ListLevels(dimensions, validity, inner);
  }

  /** The engine for a buffer of levels. */
  LevelDecoder levels(CompressiveEncoding encoding) throws UnsupportedFormatException {
    if (encoding instanceof CompressiveEncoding.Flat e
        && e.bitsPerValue() == 16
        && e.data() == null) {
      return LevelDecoder.flat();
    } else if (encoding instanceof CompressiveEncoding.InlineBitpacking e
        && e.uncompressedBits() == 16
        && e.values() == null) {
      return LevelDecoder.inlineBitpacked();
    } else if (encoding instanceof CompressiveEncoding.OutOfLineBitpacking e
        && e.uncompressedBits() == 16
        && between(flatBits(e.values()), 0, 16)) {
      return LevelDecoder.bitpacked((int) flatBits(e.values()));
    } else if (encoding instanceof CompressiveEncoding.Rle e
        && flatBits(e.values()) == 16
        && flatBits(e.runLengths()) == 8) {
      return LevelDecoder.rle();
    } else if (encoding instanceof CompressiveEncoding.General e) {
      return LevelDecoder.general(decompressor(e.scheme()), levels(e.values()));
    } else if (encoding instanceof CompressiveEncoding.Constant e
        && e.value() != null
        && e.value().length == 2) {
      return LevelDecoder.constant(Bytes.of(e.value()).u16(0));
    }
    throw unsupported("levels", encoding, "this combination");
  }

  /** The engine for the items of a dictionary. */
  BlockDecoder block(CompressiveEncoding encoding) throws UnsupportedFormatException {
    try {
      if (encoding instanceof CompressiveEncoding.Flat || isInline(encoding)) {
        return BlockDecoder.ofChunk(chunk(encoding));
      } else if (encoding instanceof CompressiveEncoding.Variable e && e.values() == null) {
        return BlockDecoder.variable();
      } else if (encoding instanceof CompressiveEncoding.OutOfLineBitpacking e
          && between(flatBits(e.values()), 0, e.uncompressedBits())
          && (e.uncompressedBits() == 8
              || e.uncompressedBits() == 16
              || e.uncompressedBits() == 32
              || e.uncompressedBits() == 64)) {
        return BlockDecoder.bitpacked((int) e.uncompressedBits(), (int) flatBits(e.values()));
      } else if (encoding instanceof CompressiveEncoding.Rle e && flatBits(e.runLengths()) == 8) {
        return BlockDecoder.rle(flatBits(e.values()));
      } else if (encoding instanceof CompressiveEncoding.General e) {
        return BlockDecoder.general(decompressor(e.scheme()), block(e.values()));
      }
    } catch (IllegalArgumentException e) {
      throw unsupported("dictionary", encoding, e.getMessage());
    }
    throw unsupported("dictionary", encoding, "this combination");
  }

  private static boolean isInline(CompressiveEncoding encoding) {
    return encoding instanceof CompressiveEncoding.InlineBitpacking;
  }

  private static boolean between(long value, long low, long high) {
    return value >= low && value <= high;
  }

  /** Bits of a flat encoding, or −1 when it is something else. */
  static long flatBits(CompressiveEncoding encoding) {
    return encoding instanceof CompressiveEncoding.Flat flat && flat.data() == null
        ? flat.bitsPerValue()
        : -1;
  }

  static UnaryOperator<Bytes> decompressor(CompressiveEncoding.Scheme scheme) {
    return switch (scheme) {
      case LZ4 -> Compression::lz4;
      case ZSTD -> Compression::zstd;
    };
  }

  UnsupportedFormatException unsupported(
      String what, CompressiveEncoding encoding, @Nullable String why) {
    return new UnsupportedFormatException(
        path,
        "encoding of the " + what + " of " + where,
        encoding.getClass().getSimpleName() + " (" + why + ")",
        "see FORMAT_COVERAGE.md");
  }
}
