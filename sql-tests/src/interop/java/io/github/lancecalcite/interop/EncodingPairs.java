package io.github.lancecalcite.interop;

import io.github.lancecalcite.format.ArrayEncoding;
import io.github.lancecalcite.format.ColumnMetadata;
import io.github.lancecalcite.format.CompressiveEncoding;
import io.github.lancecalcite.format.FileMetadataReader;
import io.github.lancecalcite.format.PageEncoding;
import io.github.lancecalcite.format.PageLayout;
import io.github.lancecalcite.format.PageMetadata;
import io.github.lancecalcite.io.LocalStorage;
import io.github.lancecalcite.io.PositionalReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which encodings stand in which layouts of data files: {@code mini-block values: rle(flat, flat)}.
 * Widths, counts and levels are left out.
 */
final class EncodingPairs {
  private final SortedSet<String> pairs = new TreeSet<>();

  SortedSet<String> pairs() {
    return pairs;
  }

  /** Adds those of every data file in the dataset's folder, of all versions. */
  void addFilesOf(Path dataset) throws IOException {
    LocalStorage storage = LocalStorage.of(dataset);
    for (String name : storage.list("data")) {
      if (name.endsWith(".lance")) {
        try (PositionalReader file = storage.open("data/" + name)) {
          for (ColumnMetadata column : FileMetadataReader.read(file).columns()) {
            column.pages().forEach(this::add);
          }
        }
      }
    }
  }

  private void add(PageMetadata page) {
    PageEncoding encoding = page.encoding();
    if (encoding instanceof ArrayEncoding array) {
      pairs.add("2.0: " + text(array));
    } else {
      add((PageLayout) encoding, "");
    }
  }

  private void add(PageLayout layout, String outer) {
    if (layout instanceof PageLayout.MiniBlock miniBlock) {
      add(outer + "mini-block values", miniBlock.valueCompression());
      add(outer + "mini-block repetition levels", miniBlock.repCompression());
      add(outer + "mini-block definition levels", miniBlock.defCompression());
      add(outer + "mini-block dictionary", miniBlock.dictionary());
    } else if (layout instanceof PageLayout.FullZip fullZip) {
      String control =
          (fullZip.bitsRep() > 0 ? " repetition" : "")
              + (fullZip.bitsDef() > 0 ? " definition" : "");
      add(outer + "full-zip" + control, fullZip.valueCompression());
    } else if (layout instanceof PageLayout.Constant constant) {
      pairs.add(
          outer
              + "constant: "
              + (constant.inlineValue() != null ? "inline value" : "value in a buffer, or null"));
      add(outer + "constant repetition levels", constant.repCompression());
      add(outer + "constant definition levels", constant.defCompression());
    } else {
      add(((PageLayout.Blob) layout).inner(), "blob ");
    }
  }

  private void add(String place, @Nullable CompressiveEncoding encoding) {
    if (encoding != null) {
      pairs.add(place + ": " + text(encoding));
    }
  }

  private static String text(CompressiveEncoding encoding) {
    if (encoding instanceof CompressiveEncoding.Flat) {
      return "flat";
    } else if (encoding instanceof CompressiveEncoding.Variable) {
      return "variable";
    } else if (encoding instanceof CompressiveEncoding.Constant) {
      return "constant";
    } else if (encoding instanceof CompressiveEncoding.OutOfLineBitpacking e) {
      return "out-of-line bit-packing(" + text(e.values()) + ")";
    } else if (encoding instanceof CompressiveEncoding.InlineBitpacking) {
      return "inline bit-packing";
    } else if (encoding instanceof CompressiveEncoding.Fsst e) {
      return "fsst(" + text(e.values()) + ")";
    } else if (encoding instanceof CompressiveEncoding.Dictionary e) {
      return "dictionary(" + text(e.indices()) + ", " + text(e.items()) + ")";
    } else if (encoding instanceof CompressiveEncoding.Rle e) {
      return "rle(" + text(e.values()) + ", " + text(e.runLengths()) + ")";
    } else if (encoding instanceof CompressiveEncoding.ByteStreamSplit e) {
      return "byte-stream split(" + text(e.values()) + ")";
    } else if (encoding instanceof CompressiveEncoding.General e) {
      return e.scheme().name().toLowerCase(java.util.Locale.ROOT) + "(" + text(e.values()) + ")";
    } else if (encoding instanceof CompressiveEncoding.FixedSizeList e) {
      return "fixed-size list" + (e.hasValidity() ? " with nulls(" : "(") + text(e.values()) + ")";
    } else if (encoding instanceof CompressiveEncoding.PackedStruct e) {
      return "packed struct(" + text(e.values()) + ")";
    } else {
      return "variable packed struct("
          + ((CompressiveEncoding.VariablePackedStruct) encoding)
              .fields().stream()
                  .map(child -> text(child.value()))
                  .distinct()
                  .sorted()
                  .collect(Collectors.joining(", "))
          + ")";
    }
  }

  private static String text(ArrayEncoding encoding) {
    if (encoding instanceof ArrayEncoding.Flat e) {
      return e.compression() == null ? "flat" : e.compression() + "(flat)";
    } else if (encoding instanceof ArrayEncoding.NoNulls e) {
      return "no nulls(" + text(e.values()) + ")";
    } else if (encoding instanceof ArrayEncoding.SomeNulls e) {
      return "some nulls(" + text(e.values()) + ")";
    } else if (encoding instanceof ArrayEncoding.AllNulls) {
      return "all nulls";
    } else if (encoding instanceof ArrayEncoding.FixedSizeList e) {
      return "fixed-size list(" + text(e.items()) + ")";
    } else if (encoding instanceof ArrayEncoding.ListOffsets e) {
      return "list(" + text(e.offsets()) + ")";
    } else if (encoding instanceof ArrayEncoding.SimpleStruct) {
      return "struct";
    } else if (encoding instanceof ArrayEncoding.Binary e) {
      return "binary(" + text(e.indices()) + ", " + text(e.bytes()) + ")";
    } else if (encoding instanceof ArrayEncoding.Dictionary e) {
      return "dictionary(" + text(e.indices()) + ", " + text(e.items()) + ")";
    } else if (encoding instanceof ArrayEncoding.Fsst e) {
      return "fsst(" + text(e.binary()) + ")";
    } else if (encoding instanceof ArrayEncoding.PackedStruct) {
      return "packed struct";
    } else if (encoding instanceof ArrayEncoding.Bitpacked) {
      return "bit-packed";
    } else if (encoding instanceof ArrayEncoding.BitpackedForNonNeg) {
      return "bit-packed, not negative";
    } else {
      return "fixed-size binary(" + text(((ArrayEncoding.FixedSizeBinary) encoding).bytes()) + ")";
    }
  }
}
