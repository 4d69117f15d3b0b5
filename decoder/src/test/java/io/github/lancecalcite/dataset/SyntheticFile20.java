package io.github.lancecalcite.dataset;

import io.github.lancecalcite.format.ArrayEncoding;
import io.github.lancecalcite.format.BufferLocation;
import io.github.lancecalcite.format.ColumnMetadata;
import io.github.lancecalcite.format.FileMetadata;
import io.github.lancecalcite.format.FileSchema;
import io.github.lancecalcite.format.FileVersion;
import io.github.lancecalcite.format.LogicalType;
import io.github.lancecalcite.format.PageEncoding;
import io.github.lancecalcite.format.PageMetadata;
import io.github.lancecalcite.format.SchemaField;
import io.github.lancecalcite.io.BytesReader;
import io.github.lancecalcite.io.PositionalReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file in memory (of 2.0, but the reader decides), put together column by column with encodings
 * that no writer chose.
 */
final class SyntheticFile20 implements LeafFiles {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final List<ColumnMetadata> columns = new ArrayList<>();
  private final Map<Integer, Integer> columnOfField = new HashMap<>();
  private final ByteArrayOutputStream schema = new ByteArrayOutputStream();
  private long bytesRead;

  /** Builds the pages of one column. */
  final class Column {
    private final List<PageMetadata> pages = new ArrayList<>();

    /** Adds a page; buffer i of its encoding is {@code buffers[i]}. */
    Column page(long length, PageEncoding encoding, byte[]... buffers) {
      List<BufferLocation> locations = new ArrayList<>();
      for (byte[] buffer : buffers) {
        bytes.write('H'); // nothing is aligned
        locations.add(new BufferLocation(bytes.size(), buffer.length));
        bytes.writeBytes(buffer);
      }
      pages.add(new PageMetadata(locations, length, encoding));
      return this;
    }

    /** Ends the column; it is the next one of the file. */
    void of(SchemaField field) {
      of(field, false);
    }

    void of(SchemaField field, boolean blob) {
      columnOfField.put(field.id(), columns.size());
      unnamed(blob);
    }

    /** Ends a column that belongs to no field of its own. */
    void unnamed(boolean blob) {
      columns.add(new ColumnMetadata(columns.size(), blob, pages));
    }
  }

  /** Adds a field to the schema that the file was written with. */
  SyntheticFile20 written(int id, int parent, String name, String type, String... metadata) {
    ByteArrayOutputStream field = new ByteArrayOutputStream();
    add(field, 2, text(name));
    add(field, 3, id);
    add(field, 4, parent);
    add(field, 5, text(type));
    for (int i = 0; i < metadata.length; i += 2) {
      ByteArrayOutputStream entry = new ByteArrayOutputStream();
      add(entry, 1, text(metadata[i]));
      add(entry, 2, text(metadata[i + 1]));
      add(field, 10, entry.toByteArray());
    }
    add(schema, 1, field.toByteArray());
    return this;
  }

  /** A protobuf field of a number, negative ones in 64 bits. */
  private static void add(ByteArrayOutputStream message, int number, long value) {
    message.write(number << 3);
    long rest = value;
    for (; rest >>> 7 != 0; rest >>>= 7) {
      message.write((int) (rest & 0x7f | 0x80));
    }
    message.write((int) rest);
  }

  /** A protobuf field of bytes. */
  private static void add(ByteArrayOutputStream message, int number, byte[] bytes) {
    message.write(number << 3 | 2);
    message.write(bytes.length);
    message.writeBytes(bytes);
  }

  Column column() {
    return new Column();
  }

  @Override
  public @Nullable LeafColumn find(int fieldId) {
    Integer column = columnOfField.get(fieldId);
    if (column == null) {
      return null;
    }
    FileMetadata metadata =
        new FileMetadata(
            "synthetic",
            FileVersion.V2_0,
            0,
            columns,
            new FileSchema("synthetic", 0, schema.toByteArray()));
    return new LeafColumn(
        counting(new BytesReader("synthetic", bytes.toByteArray())), metadata, columns.get(column));
  }

  /** Bytes that readers of the file have asked for. */
  long bytesRead() {
    return bytesRead;
  }

  private PositionalReader counting(PositionalReader reader) {
    return new PositionalReader() {
      @Override
      public String path() {
        return reader.path();
      }

      @Override
      public long size() {
        return reader.size();
      }

      @Override
      public void read(long offset, byte[] destination, int destinationOffset, int length)
          throws IOException {
        bytesRead += length;
        reader.read(offset, destination, destinationOffset, length);
      }

      @Override
      public byte[] read(long offset, int length) throws IOException {
        bytesRead += length;
        return reader.read(offset, length);
      }

      @Override
      public void close() throws IOException {
        reader.close();
      }
    };
  }

  static SchemaField field(int id, String name, LogicalType type, SchemaField... children) {
    return new SchemaField(id, name, type, true, null, Map.of(), false, List.of(children));
  }

  static ArrayEncoding.Buffer buffer(int index) {
    return new ArrayEncoding.Buffer(index, ArrayEncoding.Buffer.Kind.PAGE);
  }

  static ArrayEncoding flat(int bits, int buffer) {
    return new ArrayEncoding.Flat(bits, buffer(buffer), null);
  }

  static ArrayEncoding noNulls(ArrayEncoding values) {
    return new ArrayEncoding.NoNulls(values);
  }

  static ArrayEncoding someNulls(int validityBuffer, ArrayEncoding values) {
    return new ArrayEncoding.SomeNulls(flat(1, validityBuffer), values);
  }

  static byte[] ints(int... values) {
    ByteBuffer out = ByteBuffer.allocate(values.length * 4).order(ByteOrder.LITTLE_ENDIAN);
    for (int value : values) {
      out.putInt(value);
    }
    return out.array();
  }

  static byte[] longs(long... values) {
    ByteBuffer out = ByteBuffer.allocate(values.length * 8).order(ByteOrder.LITTLE_ENDIAN);
    for (long value : values) {
      out.putLong(value);
    }
    return out.array();
  }

  /** A bit string written as text, first bit first. */
  static byte[] bits(String text) {
    byte[] out = new byte[(text.length() + 7) / 8];
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '1') {
        out[i / 8] |= (byte) (1 << i % 8);
      }
    }
    return out;
  }

  static byte[] text(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }
}
