package io.github.lancecalcite.format;

import com.google.protobuf.InvalidProtocolBufferException;
import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.proto.TableProto;
import io.github.lancecalcite.io.PositionalReader;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a manifest file.
 *
 * <pre>
 * [ u32 length, index section ]  [ u32 length, transaction ]     optional: ManifestSections
 * u32 length, protobuf Manifest
 * u64 position of the manifest's length | u16 major | u16 minor | "LANC"
 * </pre>
 *
 * All numbers are little-endian. Major and minor are not checked: real writers put 0.1 and 0.2
 * there without any difference in what precedes.
 */
public final class ManifestReader {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int TAIL_BYTES = 16;
  private static final int LENGTH_BYTES = 4;
  private static final int MAGIC = 'L' | 'A' << 8 | 'N' << 16 | 'C' << 24;

  /** Far above the largest real manifest; keeps a flipped size from asking for gigabytes. */
  private static final long MAX_MESSAGE_BYTES = 1L << 30;

  private ManifestReader() {}

  /**
   * Reads the manifest; the file stays the caller's.
   *
   * @throws CorruptFileException if the bytes contradict the format or themselves
   * @throws UnsupportedFormatException if a reader feature flag is not known
   */
  public static Manifest read(PositionalReader file) throws IOException {
    String path = file.path();
    long tailAt = file.size() - TAIL_BYTES;
    if (tailAt < LENGTH_BYTES) {
      throw new CorruptFileException(
          path, -1, "manifest size", "at least 20 bytes", file.size() + " bytes");
    }
    byte[] tail = file.read(tailAt, TAIL_BYTES);
    int magic = (int) INT.get(tail, 12);
    if (magic != MAGIC) {
      throw new CorruptFileException(
          path, tailAt + 12, "manifest magic", hex(MAGIC) + " (LANC)", hex(magic));
    }
    long position = (long) LONG.get(tail, 0);
    if (position < 0 || position > tailAt - LENGTH_BYTES) {
      throw new CorruptFileException(
          path,
          tailAt,
          "manifest position",
          "at most " + (tailAt - LENGTH_BYTES),
          Long.toUnsignedString(position));
    }
    long length = (int) INT.get(file.read(position, LENGTH_BYTES), 0) & 0xFFFFFFFFL;
    long messageAt = position + LENGTH_BYTES;
    if (length != tailAt - messageAt) {
      throw new CorruptFileException(path, position, "manifest length", tailAt - messageAt, length);
    }
    if (length > MAX_MESSAGE_BYTES) {
      throw new UnsupportedFormatException(
          path, "manifest length", length, "at most " + MAX_MESSAGE_BYTES + " bytes");
    }
    byte[] message = file.read(messageAt, (int) length);
    try {
      return manifest(path, messageAt, message);
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(
          path,
          messageAt,
          "manifest message",
          "a protobuf message",
          String.valueOf(e.getMessage()),
          e);
    } catch (DecodeException e) {
      throw new CorruptFileException(path, messageAt, e.what(), e.expected(), e.actual(), e);
    }
  }

  private static Manifest manifest(String path, long messageAt, byte[] message) throws IOException {
    TableProto.Manifest stored = TableProto.Manifest.parseFrom(message);
    FeatureFlags.check(path, stored.getReaderFeatureFlags());
    long version = stored.getVersion();
    if (version < 1) {
      throw new DecodeException(
          -1, "manifest version", "a number from 1", Long.toUnsignedString(version));
    }
    List<BasePath> basePaths = new ArrayList<>(stored.getBasePathsCount());
    for (TableProto.BasePath base : stored.getBasePathsList()) {
      basePaths.add(
          new BasePath(
              base.getId(),
              base.hasName() ? base.getName() : null,
              base.getIsDatasetRoot(),
              base.getPath()));
    }
    List<DataFragment> fragments =
        new FragmentMessages(
                path,
                messageAt,
                stored.getReaderFeatureFlags(),
                stored.hasWriterVersion(),
                basePaths)
            .convert(stored.getFragmentsList(), InlineOffsets.ofFragments(message));
    return new Manifest(
        path,
        version,
        timestamp(stored),
        SchemaTree.build(stored.getFieldsList()),
        SchemaTree.utf8Values(stored.getSchemaMetadataMap()),
        fragments,
        stored.getReaderFeatureFlags(),
        stored.getWriterFeatureFlags(),
        writerVersion(stored),
        stored.getNextRowId(),
        stored.hasDataFormat() ? stored.getDataFormat().getVersion() : null,
        stored.getConfigMap(),
        stored.getTableMetadataMap(),
        basePaths,
        stored.hasBranch() ? stored.getBranch() : null,
        stored.getTransactionFile().isEmpty() ? null : stored.getTransactionFile(),
        stored.hasTransactionSection() ? stored.getTransactionSection() : null,
        stored.hasIndexSection() ? stored.getIndexSection() : null);
  }

  private static @Nullable Instant timestamp(TableProto.Manifest stored) {
    if (!stored.hasTimestamp()) {
      return null;
    }
    TableProto.Time time = stored.getTimestamp();
    try {
      return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    } catch (DateTimeException | ArithmeticException e) {
      throw new DecodeException(
          -1, "manifest timestamp", "seconds of the calendar", time.getSeconds());
    }
  }

  private static @Nullable String writerVersion(TableProto.Manifest stored) {
    if (!stored.hasWriterVersion()) {
      return null;
    }
    TableProto.WriterVersion writer = stored.getWriterVersion();
    return writer.getLibrary()
        + " "
        + writer.getVersion()
        + (writer.hasPrerelease() ? "-" + writer.getPrerelease() : "")
        + (writer.hasBuildMetadata() ? "+" + writer.getBuildMetadata() : "");
  }

  private static String hex(int magic) {
    return String.format("%08x", Integer.reverseBytes(magic));
  }
}
