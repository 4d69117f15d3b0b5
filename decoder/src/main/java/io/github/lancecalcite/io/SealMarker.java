package io.github.lancecalcite.io;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.UnsupportedFormatException;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a sealed dataset says of itself, in a text file at its root.
 *
 * <pre>
 * lance-sealed 1                        magic and version
 * content-bytes 2044                    content of a full block
 * file 5012 9f3c2a10 data/x.lance       one line a file, sorted: bytes of the block file, fingerprint, name
 * folder data/empty                     folders without any file
 * end 1b2c3d4e                          CRC-32C of all lines above
 * </pre>
 *
 * Numbers are decimal, checksums eight hex digits, names URL-encoded. The fingerprint is the
 * CRC-32C of the checksums of all blocks in order: it covers their order and number, which the
 * checksums do not. The block files lie below {@code blocks/} under their own names, so that the
 * root has no {@code _versions}: whoever does not know the marker finds no dataset, instead of a
 * damaged one.
 *
 * @param layout of every block file
 * @param files by name
 * @param emptyFolders folders to restore; value unused
 */
public record SealMarker(
    ChecksummedLayout layout,
    SortedMap<String, SealedFile> files,
    SortedMap<String, Boolean> emptyFolders) {
  /** The marker's name below the root. */
  public static final String NAME = "_sealed";

  /** Folder of the block files below the root. */
  public static final String BLOCKS = "blocks";

  private static final String MAGIC = "lance-sealed ";
  private static final String VERSION = "1";

  /**
   * A file of a sealed dataset.
   *
   * @param bytes size of the block file
   * @param fingerprint CRC-32C of the checksums of its blocks
   */
  public record SealedFile(long bytes, int fingerprint) {}

  public SealMarker {
    files = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(files));
    emptyFolders = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(emptyFolders));
  }

  /** Bytes of the marker file. */
  public byte[] toBytes() {
    StringBuilder text = new StringBuilder(MAGIC).append(VERSION).append('\n');
    text.append("content-bytes ").append(layout.contentBytes()).append('\n');
    files.forEach(
        (name, file) ->
            text.append("file ")
                .append(file.bytes())
                .append(String.format(" %08x ", file.fingerprint()))
                .append(encode(name))
                .append('\n'));
    emptyFolders.keySet().forEach(n -> text.append("folder ").append(encode(n)).append('\n'));
    byte[] above = text.toString().getBytes(StandardCharsets.UTF_8);
    int crc = ChecksummedLayout.crc(above, 0, above.length);
    return text.append(String.format("end %08x\n", crc))
        .toString()
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String encode(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("%2F", "/");
  }

  /**
   * Reads a marker.
   *
   * @param path the marker file's name for errors
   * @throws CorruptFileException if a byte of it is wrong
   * @throws UnsupportedFormatException if it is of a later version
   */
  public static SealMarker parse(byte[] bytes, String path) throws IOException {
    String text = new String(bytes, StandardCharsets.UTF_8);
    int end = text.lastIndexOf("end ");
    if (end <= 0 || text.charAt(end - 1) != '\n') {
      throw new CorruptFileException(path, 0, "seal marker", "a last line 'end'", "none");
    }
    byte[] above = text.substring(0, end).getBytes(StandardCharsets.UTF_8);
    String expected = String.format("end %08x\n", ChecksummedLayout.crc(above, 0, above.length));
    if (!text.substring(end).equals(expected)) {
      throw new CorruptFileException(
          path, end, "checksum of the seal marker", expected.trim(), text.substring(end).trim());
    }
    String[] lines = text.substring(0, end).split("\n");
    if (!lines[0].startsWith(MAGIC)) {
      throw new CorruptFileException(path, 0, "seal marker", MAGIC + VERSION, lines[0]);
    }
    if (!lines[0].equals(MAGIC + VERSION)) {
      throw new UnsupportedFormatException(
          path, "seal version", lines[0].substring(MAGIC.length()), VERSION);
    }
    try {
      return parse(lines);
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new CorruptFileException(
          path, 0, "seal marker", "well-formed lines", String.valueOf(e.getMessage()), e);
    }
  }

  private static SealMarker parse(String[] lines) {
    String[] content = lines[1].split(" ");
    if (!content[0].equals("content-bytes")) {
      throw new IllegalArgumentException(lines[1]);
    }
    SortedMap<String, SealedFile> files = new TreeMap<>();
    SortedMap<String, Boolean> folders = new TreeMap<>();
    for (int i = 2; i < lines.length; i++) {
      String[] parts = lines[i].split(" ");
      switch (parts[0]) {
        case "file" ->
            files.put(
                URLDecoder.decode(parts[3], StandardCharsets.UTF_8),
                new SealedFile(
                    Long.parseUnsignedLong(parts[1]), Integer.parseUnsignedInt(parts[2], 16)));
        case "folder" -> folders.put(URLDecoder.decode(parts[1], StandardCharsets.UTF_8), true);
        default -> throw new IllegalArgumentException(lines[i]);
      }
    }
    return new SealMarker(new ChecksummedLayout(Integer.parseInt(content[1])), files, folders);
  }
}
