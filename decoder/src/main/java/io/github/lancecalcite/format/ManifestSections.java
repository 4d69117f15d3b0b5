package io.github.lancecalcite.format;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.io.PositionalReader;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What may stand before the manifest in its file: the transaction that made the version, and the
 * version's indices.
 *
 * <pre>
 * u32 length, little-endian | that many bytes of protobuf
 * </pre>
 */
public final class ManifestSections {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int LENGTH_BYTES = 4;
  private static final int TAIL_BYTES = 16;

  /** As for the manifest itself. */
  static final long MAX_BYTES = 1L << 30;

  private ManifestSections() {}

  /**
   * The transaction in a manifest's file; null when it is not there.
   *
   * @param file the manifest's, which stays the caller's
   * @throws CorruptFileException if the section reaches past the file or is no such message
   */
  public static @Nullable Transaction transaction(PositionalReader file, Manifest manifest)
      throws IOException {
    Long at = manifest.transactionSection();
    if (at == null) {
      return null;
    }
    byte[] message = section(file, at, "transaction section");
    return Transactions.parse(message, file.path(), at + LENGTH_BYTES);
  }

  /**
   * The indices of a version in the manifest's order.
   *
   * @param file the manifest's, which stays the caller's
   * @throws CorruptFileException if the section reaches past the file or is no such message
   */
  public static List<IndexMetadata> indices(PositionalReader file, Manifest manifest)
      throws IOException {
    Long at = manifest.indexSection();
    if (at == null) {
      return List.of();
    }
    byte[] message = section(file, at, "index section");
    return IndexMessages.parse(message, file.path(), at + LENGTH_BYTES);
  }

  private static byte[] section(PositionalReader file, long at, String what) throws IOException {
    long end = file.size() - TAIL_BYTES;
    if (at < 0 || at > end - LENGTH_BYTES) {
      throw new CorruptFileException(
          file.path(),
          -1,
          "position of the " + what,
          "at most " + (end - LENGTH_BYTES),
          Long.toUnsignedString(at));
    }
    long length = (int) INT.get(file.read(at, LENGTH_BYTES), 0) & 0xFFFFFFFFL;
    if (length > end - LENGTH_BYTES - at) {
      throw new CorruptFileException(
          file.path(), at, "length of the " + what, "at most " + (end - LENGTH_BYTES - at), length);
    }
    if (length > MAX_BYTES) {
      throw new UnsupportedFormatException(
          file.path(), "length of the " + what, length, "at most " + MAX_BYTES + " bytes");
    }
    return file.read(at + LENGTH_BYTES, (int) length);
  }
}
