package io.github.lancecalcite.fuzz;

import com.google.protobuf.InvalidProtocolBufferException;
import io.github.lancecalcite.format.proto.Encodings21Proto.MiniBlockLayout;
import io.github.lancecalcite.format.proto.Encodings21Proto.PageLayout;
import io.github.lancecalcite.format.proto.File2Proto.ColumnMetadata;
import io.github.lancecalcite.format.proto.File2Proto.FileDescriptor;
import io.github.lancecalcite.format.proto.File2Proto.TypedMessage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A whole data file taken apart: its regions, and its metadata to be put together again. */
final class DataFileParts {
  private static final int FOOTER_BYTES = 40;

  private final byte[] file;
  private final Map<Integer, String> shownBy;
  private final ByteBuffer bytes;
  final List<ColumnMetadata> columns = new ArrayList<>();
  final FileDescriptor descriptor;
  final List<Region> regions = new ArrayList<>();
  private final List<byte[]> globals = new ArrayList<>();
  private int dataEnd;

  /**
   * @param shownBy name of the stored column that shows a column of the file
   */
  DataFileParts(byte[] file, Map<Integer, String> shownBy) throws InvalidProtocolBufferException {
    this.file = file;
    this.shownBy = shownBy;
    this.bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    int footer = file.length - FOOTER_BYTES;
    int columnTable = (int) bytes.getLong(footer + 8);
    int globalTable = (int) bytes.getLong(footer + 16);
    int globalCount = bytes.getInt(footer + 24);
    int columnCount = bytes.getInt(footer + 28);
    dataEnd = Math.min(columnTable, globalTable);
    Set<String> stored = Set.of(Damage.STORED);
    for (int i = 0; i < globalCount; i++) {
      Region at = entry("global buffer " + i, globalTable, i, Set.of());
      globals.add(slice(at));
    }
    for (int i = 0; i < columnCount; i++) {
      Set<String> shows = columnShows(i);
      ColumnMetadata column =
          ColumnMetadata.parseFrom(slice(entry("metadata of column " + i, columnTable, i, shows)));
      columns.add(column);
      pages(i, column);
    }
    descriptor = FileDescriptor.parseFrom(globals.get(0));
    int columnTableEnd = columnTable + 16 * columnCount;
    int globalTableEnd = globalTable + 16 * globalCount;
    regions.add(new Region("column table", columnTable, columnTableEnd, stored, false));
    regions.add(new Region("global buffer table", globalTable, globalTableEnd, Set.of(), false));
    regions.add(new Region("footer", footer, file.length, stored, false));
    gaps();
  }

  private Set<String> columnShows(int column) {
    String name = shownBy.get(column);
    return name == null ? Set.of() : Set.of(name);
  }

  private byte[] slice(Region at) {
    return java.util.Arrays.copyOfRange(file, at.from(), at.to());
  }

  private Region entry(String name, int table, int i, Set<String> shows) {
    int from = (int) bytes.getLong(table + 16 * i);
    Region region =
        new Region(name, from, from + (int) bytes.getLong(table + 16 * i + 8), shows, false);
    dataEnd = Math.min(dataEnd, from);
    regions.add(region);
    return region;
  }

  private void pages(int index, ColumnMetadata column) throws InvalidProtocolBufferException {
    Set<String> shows = columnShows(index);
    for (int p = 0; p < column.getPagesCount(); p++) {
      ColumnMetadata.Page page = column.getPages(p);
      String where = "column " + index + " page " + p;
      for (int b = 0; b < page.getBufferOffsetsCount(); b++) {
        int from = (int) page.getBufferOffsets(b);
        int to = from + (int) page.getBufferSizes(b);
        regions.add(new Region(where + " buffer " + b, from, to, shows, true));
      }
      TypedMessage typed = TypedMessage.parseFrom(page.getEncoding().getDirect().getEncoding());
      if (typed.getTypeUrl().endsWith("PageLayout")) {
        PageLayout layout = PageLayout.parseFrom(typed.getValue());
        if (layout.hasMiniBlock() && page.getBufferSizes(1) > 0) {
          chunks(where, page, layout.getMiniBlock(), shows);
        }
      }
    }
  }

  /** The headers of the chunks of a mini-block page, and where their values begin. */
  private void chunks(
      String where, ColumnMetadata.Page page, MiniBlockLayout layout, Set<String> shows) {
    int word = layout.getHasLargeChunk() ? 4 : 2;
    int words = (int) page.getBufferOffsets(0);
    int at = (int) page.getBufferOffsets(1);
    for (int i = 0; i < page.getBufferSizes(0) / word; i++) {
      int value = word == 4 ? bytes.getInt(words + 4 * i) : bytes.getShort(words + 2 * i) & 0xffff;
      int size = ((value >>> 4) + 1) * 8;
      if (i < 3) {
        String name = where + " chunk " + i;
        regions.add(new Region(name + " header", at, at + Math.min(size, 16), shows, true));
        regions.add(new Region(name, at, at + size, shows, true));
      }
      at += size;
    }
  }

  /** Bytes that belong to nothing: nobody may look at them. */
  private void gaps() {
    List<Region> sorted = new ArrayList<>(regions);
    sorted.sort(Comparator.comparing(Region::from));
    int at = 0;
    for (Region region : sorted) {
      if (region.from() > at) {
        regions.add(new Region("padding", at, region.from(), Set.of(), true));
      }
      at = Math.max(at, region.to());
    }
  }

  /** The file with other metadata, all of whose positions are right. */
  byte[] rebuilt(FileDescriptor newDescriptor, List<ColumnMetadata> newColumns) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(file, 0, dataEnd);
    List<long[]> globalTable = new ArrayList<>();
    List<byte[]> newGlobals = new ArrayList<>(globals);
    newGlobals.set(0, newDescriptor.toByteArray());
    newGlobals.forEach(global -> globalTable.add(append(out, global)));
    List<long[]> columnTable = new ArrayList<>();
    newColumns.forEach(column -> columnTable.add(append(out, column.toByteArray())));
    long columnTableAt = out.size();
    table(out, columnTable);
    long globalTableAt = out.size();
    table(out, globalTable);
    ByteBuffer footer = ByteBuffer.allocate(FOOTER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    footer.put(file, file.length - FOOTER_BYTES, FOOTER_BYTES);
    footer.putLong(0, columnTable.isEmpty() ? 0 : columnTable.get(0)[0]);
    footer.putLong(8, columnTableAt).putLong(16, globalTableAt);
    footer.putInt(24, newGlobals.size()).putInt(28, newColumns.size());
    out.writeBytes(footer.array());
    return out.toByteArray();
  }

  private static long[] append(ByteArrayOutputStream out, byte[] bytes) {
    long[] entry = {out.size(), bytes.length};
    out.writeBytes(bytes);
    return entry;
  }

  private static void table(ByteArrayOutputStream out, List<long[]> entries) {
    ByteBuffer table = ByteBuffer.allocate(16 * entries.size()).order(ByteOrder.LITTLE_ENDIAN);
    entries.forEach(entry -> table.putLong(entry[0]).putLong(entry[1]));
    out.writeBytes(table.array());
  }
}
