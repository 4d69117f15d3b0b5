package io.github.lancecalcite.format;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.proto.File2Proto;
import io.github.lancecalcite.io.PositionalReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the metadata of a data file of version 2.0 and later. Every position and size is checked
 * against the file before it is used.
 */
public final class FileMetadataReader {
  private static final String ARRAY_ENCODING = "/lance.encodings.ArrayEncoding";
  private static final String PAGE_LAYOUT = "/lance.encodings21.PageLayout";

  private final PositionalReader file;
  private final long tailStart;
  private final byte[] tail;

  private FileMetadataReader(PositionalReader file) throws IOException {
    this.file = file;
    int size = (int) Math.min(file.size(), FileLayout.TAIL_BYTES);
    byte[] read;
    try {
      read = file.read(file.size() - size, size);
    } catch (CorruptFileException e) {
      // a bad block among the data before it need not hide the metadata: read that piece by piece
      size = FileLayout.FOOTER_BYTES;
      read = file.read(file.size() - size, size);
    }
    this.tailStart = file.size() - size;
    this.tail = read;
  }

  /**
   * Reads the metadata; the file stays open and the caller's.
   *
   * @throws CorruptFileException if the file is no Lance file or contradicts itself
   * @throws UnsupportedFormatException for legacy files, newer versions and unknown encodings
   */
  public static FileMetadata read(PositionalReader file) throws IOException {
    if (file.size() < FileLayout.FOOTER_BYTES) {
      checkLegacy(file);
      throw new CorruptFileException(
          file.path(),
          0,
          "file size",
          "at least " + FileLayout.FOOTER_BYTES + " bytes",
          file.size());
    }
    return new FileMetadataReader(file).read();
  }

  /** A legacy file may be shorter than today's footer; its last 8 bytes tell. */
  private static void checkLegacy(PositionalReader file) throws IOException {
    if (file.size() >= 8) {
      ByteBuffer end =
          ByteBuffer.wrap(file.read(file.size() - 8, 8)).order(ByteOrder.LITTLE_ENDIAN);
      if (end.getInt(4) == FileLayout.MAGIC_VALUE) {
        version(file, end.getShort(0) & 0xffff, end.getShort(2) & 0xffff);
      }
    }
  }

  private static FileVersion version(PositionalReader file, int major, int minor)
      throws IOException {
    FileVersion version = FileVersion.ofFooter(major, minor);
    if (version.isLegacy()) {
      throw new UnsupportedFormatException(
          file.path(),
          "data file version",
          version + " (legacy)",
          "2.0 to 2.3; rewrite the dataset with a current Lance and data storage version 2.0 or later");
    }
    if (version.major() != 2 || version.minor() > FileVersion.V2_3.minor()) {
      throw new UnsupportedFormatException(file.path(), "data file version", version, "2.0 to 2.3");
    }
    return version;
  }

  private FileMetadata read() throws IOException {
    long footerAt = file.size() - FileLayout.FOOTER_BYTES;
    ByteBuffer footer =
        ByteBuffer.wrap(tail, tail.length - FileLayout.FOOTER_BYTES, FileLayout.FOOTER_BYTES)
            .slice()
            .order(ByteOrder.LITTLE_ENDIAN);
    int magic = footer.getInt(FileLayout.MAGIC);
    if (magic != FileLayout.MAGIC_VALUE) {
      throw new CorruptFileException(
          file.path(),
          footerAt + FileLayout.MAGIC,
          "magic",
          "LANC",
          "0x" + Integer.toHexString(Integer.reverseBytes(magic)));
    }
    FileVersion version =
        version(
            file,
            footer.getShort(FileLayout.MAJOR) & 0xffff,
            footer.getShort(FileLayout.MINOR) & 0xffff);
    List<BufferLocation> columns =
        table(
            "column table",
            footer.getLong(FileLayout.COLUMN_TABLE_POSITION),
            footer.getInt(FileLayout.COLUMN_COUNT) & 0xffffffffL);
    List<BufferLocation> globals =
        table(
            "global buffer table",
            footer.getLong(FileLayout.BUFFER_TABLE_POSITION),
            footer.getInt(FileLayout.BUFFER_COUNT) & 0xffffffffL);
    if (globals.isEmpty()) {
      throw new CorruptFileException(
          file.path(), footerAt + FileLayout.BUFFER_COUNT, "global buffers", "at least 1", 0);
    }
    File2Proto.FileDescriptor descriptor =
        message("file descriptor", globals.get(0), File2Proto.FileDescriptor.parser());
    long rows = descriptor.getLength();
    if (rows < 0) {
      throw new CorruptFileException(
          file.path(),
          globals.get(0).offset(),
          "rows of the file",
          "below 2^63",
          Long.toUnsignedString(rows));
    }
    List<ColumnMetadata> parsed = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      parsed.add(column(i, columns.get(i)));
    }
    FileSchema schema =
        new FileSchema(file.path(), globals.get(0).offset(), descriptor.getSchema().toByteArray());
    return new FileMetadata(file.path(), version, rows, parsed, schema);
  }

  private List<BufferLocation> table(String what, long position, long count) throws IOException {
    long bytes = count * FileLayout.TABLE_ENTRY_BYTES; // count has 32 bits
    BufferLocation table = location(what, file.size() - FileLayout.FOOTER_BYTES, position, bytes);
    ByteBuffer entries = ByteBuffer.wrap(bytes(table)).order(ByteOrder.LITTLE_ENDIAN);
    List<BufferLocation> locations = new ArrayList<>((int) count);
    long total = 0;
    for (int i = 0; i < count; i++) {
      long entryAt = position + (long) i * FileLayout.TABLE_ENTRY_BYTES;
      BufferLocation entry =
          location(what + " entry " + i, entryAt, entries.getLong(), entries.getLong());
      total += entry.size(); // both at most the size of the file: no overflow
      if (total > file.size()) { // overlapping entries would multiply the work and the memory
        throw new CorruptFileException(
            file.path(),
            entryAt,
            what + " up to entry " + i,
            "at most " + file.size() + " bytes in all",
            total);
      }
      locations.add(entry);
    }
    return locations;
  }

  /** A range of the file, refused when it does not lie inside. */
  private BufferLocation location(String what, long saidAt, long position, long size)
      throws IOException {
    if (position < 0 || size < 0 || size > file.size() || position > file.size() - size) {
      throw new CorruptFileException(
          file.path(),
          saidAt,
          what,
          "a range within " + file.size() + " bytes",
          "[" + Long.toUnsignedString(position) + " + " + Long.toUnsignedString(size) + ")");
    }
    return new BufferLocation(position, size);
  }

  private byte[] bytes(BufferLocation location) throws IOException {
    if (location.size() > Integer.MAX_VALUE - 8) {
      throw new UnsupportedFormatException(
          file.path(), "metadata size", location.size() + " bytes", "below 2 GiB");
    }
    int size = (int) location.size();
    if (location.offset() < tailStart) {
      return file.read(location.offset(), size);
    }
    int from = (int) (location.offset() - tailStart);
    return Arrays.copyOfRange(tail, from, from + size);
  }

  private <M extends Message> M message(String what, BufferLocation at, Parser<M> parser)
      throws IOException {
    return message(what, at.offset(), bytes(at), parser);
  }

  private <M extends Message> M message(String what, long at, byte[] bytes, Parser<M> parser)
      throws IOException {
    try {
      return parser.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(
          file.path(), at, what, "a protobuf message", String.valueOf(e.getMessage()), e);
    }
  }

  private ColumnMetadata column(int index, BufferLocation at) throws IOException {
    String where = "column " + index;
    File2Proto.ColumnMetadata message =
        message("metadata of " + where, at, File2Proto.ColumnMetadata.parser());
    boolean blob = isBlob(where, at.offset(), message);
    List<PageMetadata> pages = new ArrayList<>(message.getPagesCount());
    for (int i = 0; i < message.getPagesCount(); i++) {
      pages.add(page(where + " page " + i, at.offset(), message.getPages(i)));
    }
    return new ColumnMetadata(index, blob, pages);
  }

  private boolean isBlob(String where, long at, File2Proto.ColumnMetadata message)
      throws IOException {
    if (!message.hasEncoding()
        || message.getEncoding().getLocationCase() == File2Proto.StoredEncoding.LocationCase.NONE) {
      return false;
    }
    File2Proto.TypedMessage typed = typed("encoding of " + where, at, message.getEncoding());
    File2Proto.ColumnEncoding encoding =
        message(
            "encoding of " + where,
            at,
            typed.getValue().toByteArray(),
            File2Proto.ColumnEncoding.parser());
    return switch (encoding.getKindCase()) {
      case BLOB -> true;
      case VALUES, KIND_NOT_SET -> false;
      case ZONE_INDEX ->
          throw new UnsupportedFormatException(
              file.path(), "encoding of " + where, "zone index", "values, blob");
    };
  }

  private PageMetadata page(String where, long at, File2Proto.ColumnMetadata.Page page)
      throws IOException {
    if (page.getBufferOffsetsCount() != page.getBufferSizesCount()) {
      throw new CorruptFileException(
          file.path(),
          at,
          "buffers of " + where,
          page.getBufferOffsetsCount() + " sizes, one per offset",
          page.getBufferSizesCount());
    }
    List<BufferLocation> buffers = new ArrayList<>(page.getBufferOffsetsCount());
    for (int i = 0; i < page.getBufferOffsetsCount(); i++) {
      buffers.add(
          location(
              "buffer " + i + " of " + where,
              at,
              page.getBufferOffsets(i),
              page.getBufferSizes(i)));
    }
    if (page.getLength() < 0) {
      throw new CorruptFileException(
          file.path(),
          at,
          "length of " + where,
          "below 2^63",
          Long.toUnsignedString(page.getLength()));
    }
    File2Proto.TypedMessage typed = typed("encoding of " + where, at, page.getEncoding());
    byte[] encoding = typed.getValue().toByteArray();
    PageEncoding parsed =
        switch (typed.getTypeUrl()) {
          case ARRAY_ENCODING -> ArrayEncodings.parse(encoding, file.path(), where);
          case PAGE_LAYOUT -> PageLayouts.parse(encoding, file.path(), where);
          default ->
              throw new UnsupportedFormatException(
                  file.path(),
                  "encoding of " + where,
                  typed.getTypeUrl(),
                  ARRAY_ENCODING + ", " + PAGE_LAYOUT);
        };
    return new PageMetadata(buffers, page.getLength(), parsed);
  }

  private File2Proto.TypedMessage typed(String what, long at, File2Proto.StoredEncoding stored)
      throws IOException {
    return switch (stored.getLocationCase()) {
      case DIRECT ->
          message(
              what,
              at,
              stored.getDirect().getEncoding().toByteArray(),
              File2Proto.TypedMessage.parser());
      case INDIRECT ->
          throw new UnsupportedFormatException(file.path(), what, "indirect", "direct");
      case NONE, LOCATION_NOT_SET ->
          throw new CorruptFileException(file.path(), at, what, "an encoding", "none");
    };
  }
}
