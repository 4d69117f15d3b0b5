package io.github.lancecalcite.dataset;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.zstd.ZstdDecompressor;
import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.UnsupportedFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;

/**
 * An Arrow IPC file with a single column of 32-bit row offsets: the first kind of deletion file.
 *
 * <pre>
 * "ARROW1\0\0" … [ 0xFFFFFFFF, u32 metadata length, metadata, body ]…  footer, u32 footer length, "ARROW1"
 * body buffer: validity (empty or all set), then the values; if compressed, each buffer is
 *              i64 length before compression (-1: stored raw) and one Zstandard frame
 * </pre>
 *
 * Read from the heap with the flatbuffer classes of Arrow's format: Arrow's own file reader needs
 * direct buffers (closed to it on a plain JVM) and a native codec.
 */
final class ArrowOffsetsFile {
  private static final byte[] MAGIC = {'A', 'R', 'R', 'O', 'W', '1'};
  private static final int TRAILER_BYTES = 4 + MAGIC.length;
  private static final int CONTINUATION = -1;

  /** Zstandard's best: a block of 128 KiB from 4 bytes. */
  private static final long MAX_EXPANSION = (128 << 10) / 4;

  private final String path;
  private final byte[] bytes;
  private final ByteBuffer buffer;

  /**
   * @param path for error messages
   * @param bytes the whole file
   */
  ArrowOffsetsFile(String path, byte[] bytes) {
    this.path = path;
    this.bytes = bytes;
    this.buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Sets bit i of {@code words} for every offset i and returns the number of offsets.
   *
   * @param limit offsets must be below it
   * @throws DecodeException if the file is damaged or an offset occurs twice
   * @throws UnsupportedFormatException for a compression other than Zstandard
   */
  long decode(long[] words, long limit) throws UnsupportedFormatException {
    try {
      return decodeBatches(words, limit);
    } catch (IndexOutOfBoundsException | IllegalArgumentException | NegativeArraySizeException e) {
      // the flatbuffer classes check nothing: a wild offset ends in one of these
      throw corrupt(-1, "flatbuffer", "offsets inside it", e.getClass().getSimpleName());
    }
  }

  private long decodeBatches(long[] words, long limit) throws UnsupportedFormatException {
    int end = bytes.length - MAGIC.length;
    if (end < MAGIC.length + TRAILER_BYTES
        || !Arrays.equals(bytes, end, bytes.length, MAGIC, 0, MAGIC.length)
        || !Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw corrupt(Math.max(0, end), "magic", "ARROW1 at both ends", "other bytes");
    }
    int lengthAt = bytes.length - TRAILER_BYTES;
    int footerLength = buffer.getInt(lengthAt);
    if (footerLength < 8 || footerLength > lengthAt - MAGIC.length) {
      throw corrupt(lengthAt, "footer length", "8 to " + (lengthAt - MAGIC.length), footerLength);
    }
    Footer footer = Footer.getRootAsFooter(slice(lengthAt - footerLength, footerLength));
    checkSchema(footer.schema());
    long count = 0;
    // no batch is shorter than its eight-byte head, so a wild count ends early
    for (int i = 0; i < footer.recordBatchesLength(); i++) {
      Block block = footer.recordBatches(i);
      if (block == null) {
        throw corrupt(-1, "record batch " + i, "a block", "nothing");
      }
      count += decodeBatch(block, words, limit - count, limit);
    }
    return count;
  }

  private static void checkSchema(Schema schema) {
    if (schema == null || schema.fieldsLength() != 1) {
      throw corrupt(-1, "schema", "one column", schema == null ? 0 : schema.fieldsLength());
    }
    Field field = schema.fields(0);
    if (field.typeType() != Type.Int) {
      throw corrupt(-1, "column type", "a 32-bit integer", "type number " + field.typeType());
    }
    Int type = (Int) field.type(new Int());
    if (type == null || type.bitWidth() != 32) {
      throw corrupt(-1, "column type", "a 32-bit integer", type == null ? 0 : type.bitWidth());
    }
  }

  private long decodeBatch(Block block, long[] words, long room, long limit)
      throws UnsupportedFormatException {
    long at = block.offset();
    if (at < MAGIC.length || at > bytes.length - 8) {
      throw corrupt(-1, "record batch offset", "inside the file", at);
    }
    int head = (int) at;
    int prefix = buffer.getInt(head) == CONTINUATION ? 8 : 4;
    int metadataLength = buffer.getInt(head + prefix - 4);
    int metadataAt = head + prefix;
    if (metadataLength < 8 || metadataLength > bytes.length - metadataAt) {
      throw corrupt(head, "record batch metadata length", "inside the file", metadataLength);
    }
    Message message = Message.getRootAsMessage(slice(metadataAt, metadataLength));
    long bodyAt = metadataAt + (long) metadataLength;
    long bodyLength = message.bodyLength();
    if (bodyLength < 0 || bodyLength > bytes.length - bodyAt) {
      throw corrupt(head, "record batch body length", "inside the file", bodyLength);
    }
    RecordBatch batch =
        message.headerType() == MessageHeader.RecordBatch
            ? (RecordBatch) message.header(new RecordBatch())
            : null;
    if (batch == null || batch.nodesLength() != 1 || batch.buffersLength() != 2) {
      throw corrupt(head, "record batch", "one column of two buffers", "something else");
    }
    FieldNode node = batch.nodes(0);
    long rows = node.length();
    if (rows < 0 || rows > room || rows > Integer.MAX_VALUE / 4 || rows != batch.length()) {
      throw corrupt(head, "record batch rows", "at most " + room, rows);
    }
    if (node.nullCount() != 0) {
      throw corrupt(head, "null offsets", 0, node.nullCount());
    }
    Buffer values = batch.buffers(1);
    if (values.offset() < 0
        || values.length() < 0
        || values.offset() > bodyLength
        || values.length() > bodyLength - values.offset()) {
      throw corrupt(
          head,
          "value buffer",
          "inside the body of " + bodyLength + " bytes",
          values.length() + " bytes at " + values.offset());
    }
    int valuesAt = (int) (bodyAt + values.offset());
    int valuesLength = (int) values.length();
    ByteBuffer plain = plain(batch.compression(), valuesAt, valuesLength, (int) rows);
    for (int i = 0; i < rows; i++) {
      long offset = plain.getInt(4 * i) & 0xFFFFFFFFL;
      if (offset >= limit) {
        throw corrupt(valuesAt, "row offset", "below " + limit, offset);
      }
      long bit = 1L << offset;
      int word = (int) (offset >>> 6);
      if ((words[word] & bit) != 0) {
        throw corrupt(valuesAt, "row offsets", "each once", offset + " twice");
      }
      words[word] |= bit;
    }
    return rows;
  }

  /** The value buffer before compression, at least {@code rows} values long. */
  private ByteBuffer plain(BodyCompression compression, int at, int length, int rows)
      throws UnsupportedFormatException {
    int wanted = 4 * rows;
    if (compression == null || rows == 0) {
      checkLength(at, length, wanted);
      return slice(at, wanted);
    }
    if (compression.codec() != CompressionType.ZSTD
        || compression.method() != BodyCompressionMethod.BUFFER) {
      byte codec = compression.codec();
      throw new UnsupportedFormatException(
          path,
          "compression of a deletion file",
          codec == CompressionType.LZ4_FRAME ? "LZ4_FRAME" : "codec number " + codec,
          "ZSTD and none");
    }
    checkLength(at, length, 8);
    long declared = buffer.getLong(at);
    int bodyAt = at + 8;
    int bodyLength = length - 8;
    if (declared == -1) {
      checkLength(bodyAt, bodyLength, wanted);
      return slice(bodyAt, wanted);
    }
    // writers may pad a buffer to 64 bytes before they compress it
    if (declared < wanted || declared > wanted + 64L || declared / MAX_EXPANSION > bodyLength) {
      throw corrupt(at, "length before compression", wanted, declared);
    }
    byte[] plain = new byte[(int) declared];
    int written;
    try {
      written =
          new ZstdDecompressor().decompress(bytes, bodyAt, bodyLength, plain, 0, plain.length);
    } catch (MalformedInputException e) {
      throw corrupt(bodyAt, "Zstandard frame", "a whole frame", String.valueOf(e.getMessage()));
    }
    if (written != declared) {
      throw corrupt(bodyAt, "Zstandard frame", declared + " bytes", written + " bytes");
    }
    return ByteBuffer.wrap(plain).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void checkLength(int at, int length, int wanted) {
    if (length < wanted) {
      throw corrupt(at, "value buffer", "at least " + wanted + " bytes", length);
    }
  }

  private ByteBuffer slice(int at, int length) {
    return buffer.slice(at, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static DecodeException corrupt(long offset, String what, Object expected, Object actual) {
    return new DecodeException(offset, "Arrow deletion file " + what, expected, actual);
  }
}
