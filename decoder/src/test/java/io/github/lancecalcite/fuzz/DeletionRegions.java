package io.github.lancecalcite.fuzz;

import io.github.lancecalcite.dataset.SystemColumn;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The parts of deletion files. Which rows there are may change, but not what they hold. */
final class DeletionRegions {
  static final Set<String> SHOWN = Set.of(SystemColumn.ROW_OFFSET.columnName());

  private DeletionRegions() {}

  private static Region region(String name, int from, int to) {
    return new Region(name, from, to, SHOWN, false);
  }

  /** Magic, messages, footer, footer length and magic; see the Arrow IPC file format. */
  static List<Region> arrow(byte[] file) {
    ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    int footerBytes = bytes.getInt(file.length - 10);
    int footer = file.length - 10 - footerBytes;
    List<Region> regions = new ArrayList<>();
    regions.add(region("magic", 0, 8));
    int schema = 16 + bytes.getInt(12);
    regions.add(region("schema message", 8, schema));
    int batch = schema + 8 + bytes.getInt(schema + 4);
    regions.add(region("batch message", schema, batch));
    regions.add(region("body", batch, footer));
    regions.add(region("start of the body", batch, Math.min(footer, batch + 24)));
    regions.add(region("footer", footer, file.length - 10));
    regions.add(region("tail", file.length - 10, file.length));
    return regions;
  }

  /** Cookie, container headers, offsets, containers, of a Roaring bitmap without runs. */
  static List<Region> bitmap(byte[] file) {
    int containers = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
    int headers = 8 + 4 * containers;
    int offsets = headers + 4 * containers;
    return List.of(
        region("cookie", 0, 8),
        region("container headers", 8, headers),
        region("container offsets", headers, offsets),
        region("containers", offsets, file.length));
  }
}
