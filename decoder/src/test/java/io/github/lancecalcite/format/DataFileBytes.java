package io.github.lancecalcite.format;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.github.lancecalcite.format.proto.File2Proto;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Writes the container of a data file for tests, byte by byte as the format says. */
final class DataFileBytes {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final List<long[]> columns = new ArrayList<>();
  private final List<long[]> globals = new ArrayList<>();
  int major = 2;
  int minor = 0;
  long columnCount = -1;
  long globalCount = -1;

  /** Page buffers come first. */
  DataFileBytes(byte[] buffers) {
    out.writeBytes(buffers);
  }

  DataFileBytes rows(long rows) {
    return global(File2Proto.FileDescriptor.newBuilder().setLength(rows).build().toByteArray());
  }

  DataFileBytes global(byte[] bytes) {
    globals.add(append(bytes));
    return this;
  }

  DataFileBytes column(File2Proto.ColumnMetadata.Page... pages) {
    File2Proto.ColumnMetadata.Builder column = File2Proto.ColumnMetadata.newBuilder();
    for (File2Proto.ColumnMetadata.Page page : pages) {
      column.addPages(page);
    }
    return column(column.build());
  }

  DataFileBytes column(File2Proto.ColumnMetadata column) {
    columns.add(append(column.toByteArray()));
    return this;
  }

  DataFileBytes columnAt(long position, long size) {
    columns.add(new long[] {position, size});
    return this;
  }

  private long[] append(byte[] bytes) {
    long[] range = {out.size(), bytes.length};
    out.writeBytes(bytes);
    return range;
  }

  byte[] build() {
    long columnTable = table(columns);
    long globalTable = table(globals);
    ByteBuffer footer = ByteBuffer.allocate(40).order(ByteOrder.LITTLE_ENDIAN);
    footer.putLong(0).putLong(columnTable).putLong(globalTable);
    footer.putInt((int) (globalCount < 0 ? globals.size() : globalCount));
    footer.putInt((int) (columnCount < 0 ? columns.size() : columnCount));
    footer.putShort((short) major).putShort((short) minor).put(new byte[] {'L', 'A', 'N', 'C'});
    out.writeBytes(footer.array());
    return out.toByteArray();
  }

  private long table(List<long[]> entries) {
    long at = out.size();
    for (long[] entry : entries) {
      ByteBuffer bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
      out.writeBytes(bytes.putLong(entry[0]).putLong(entry[1]).array());
    }
    return at;
  }

  static File2Proto.ColumnMetadata.Page.Builder page(String typeUrl, Message encoding) {
    return File2Proto.ColumnMetadata.Page.newBuilder()
        .setLength(1)
        .setEncoding(direct(typeUrl, encoding));
  }

  static File2Proto.StoredEncoding direct(String typeUrl, Message encoding) {
    ByteString typed =
        File2Proto.TypedMessage.newBuilder()
            .setTypeUrl(typeUrl)
            .setValue(encoding.toByteString())
            .build()
            .toByteString();
    return File2Proto.StoredEncoding.newBuilder()
        .setDirect(File2Proto.StoredEncoding.Direct.newBuilder().setEncoding(typed))
        .build();
  }
}
