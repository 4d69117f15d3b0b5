package io.github.lancecalcite.format;

/**
 * The end of a data file of version 2.0 and later, little-endian, counted from the start of the
 * footer:
 *
 * <pre>
 *  0  u64  position of the first column metadata
 *  8  u64  position of the column table: per column u64 position, u64 length
 * 16  u64  position of the global buffer table: per buffer u64 position, u64 length
 * 24  u32  number of global buffers
 * 28  u32  number of columns
 * 32  u16  major version
 * 34  u16  minor version
 * 36  "LANC"
 * </pre>
 *
 * Files say 0.3 for 2.0. Source: Lance file format; positions are absolute.
 */
final class FileLayout {
  static final int FOOTER_BYTES = 40;
  static final int COLUMN_TABLE_POSITION = 8;
  static final int BUFFER_TABLE_POSITION = 16;
  static final int BUFFER_COUNT = 24;
  static final int COLUMN_COUNT = 28;
  static final int MAJOR = 32;
  static final int MINOR = 34;
  static final int MAGIC = 36;

  /** "LANC" read as a little-endian int. */
  static final int MAGIC_VALUE = 0x434e414c;

  /** Bytes of an entry of either table. */
  static final int TABLE_ENTRY_BYTES = 16;

  /** Enough to hold the whole metadata of most files; one read. */
  static final int TAIL_BYTES = 64 * 1024;

  private FileLayout() {}
}
