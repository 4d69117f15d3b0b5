package io.github.lancecalcite.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Draws the {@code _rowid} scans of a measured run of {@code benchmarks/ratios lance-core} as SVG:
 * time by share of deleted rows and batch size, ours beside lance-core, on a log scale.
 */
public final class RowIdPicture {
  private static final int WIDTH = 860;
  private static final int LEFT = 76;
  private static final int RIGHT = 16;
  private static final int TOP = 104;
  private static final int BOTTOM = 410;
  private static final int HEIGHT = 500;

  /** The axis: 0.1 ms to 100 s. */
  private static final int FIRST_POWER = -1;

  private static final int LAST_POWER = 5;

  private static final String[] TABLES = {"t1m_d0", "t1m_d1", "t1m_d6", "t1m_d50"};
  private static final String[] SHARES = {
    "no deleted rows", "1 % deleted", "6 % deleted", "50 % deleted"
  };
  private static final String[] FORMS = {"range", "range with holes", "bitmap", "bitmap"};
  private static final String[] COLORS = {"#c2410c", "#fdba74", "#1d4ed8", "#93c5fd"};
  private static final String[] LEGEND = {
    "lance-core 7.0.0, batch 8,192",
    "lance-core 7.0.0, batch 1,024",
    "lance-calcite, batch 8,192",
    "lance-calcite, batch 1,024"
  };

  private final StringBuilder svg = new StringBuilder();

  private RowIdPicture() {}

  /** CSV of the run, SVG to write. */
  public static void main(String[] args) throws IOException {
    List<String[]> lines = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      lines.add(line.split(",", -1));
    }
    Files.writeString(Path.of(args[1]), new RowIdPicture().draw(lines));
  }

  private String draw(List<String[]> lines) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\""
                + " height=\"%d\" font-family=\"sans-serif\" font-size=\"13\">%n"
                + "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n",
            WIDTH,
            HEIGHT,
            WIDTH,
            HEIGHT));
    text(LEFT, 26, "start", "Scanning _rowid of 1,000,000 written rows", "17\" font-weight=\"bold");
    text(LEFT, 45, "start", "same rows, every value summed on both sides, files in the page cache");
    for (int i = 0; i < LEGEND.length; i++) {
      int x = LEFT + (i / 2) * 250;
      int y = 56 + (i % 2) * 18;
      rect(x, y, 12, 12, COLORS[i]);
      text(x + 18, y + 11, "start", LEGEND[i]);
    }
    axis();
    for (int table = 0; table < TABLES.length; table++) {
      group(lines, table);
    }
    String[] last = lines.get(lines.size() - 1);
    text(
        LEFT,
        HEIGHT - 14,
        "start",
        "repeat: benchmarks/ratios lance-core   ("
            + last[9]
            + ", "
            + last[10]
            + " cores, Java "
            + last[11]
            + ")");
    return svg.append("</svg>\n").toString();
  }

  private void axis() {
    for (int power = FIRST_POWER; power <= LAST_POWER; power++) {
      int y = (int) y(Math.pow(10, power));
      svg.append(
          String.format(
              Locale.ROOT,
              "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#d4d4d4\"/>%n",
              LEFT,
              y,
              WIDTH - RIGHT,
              y));
      String label =
          power < 0 ? "0.1" : String.format(Locale.ROOT, "%,d", (long) Math.pow(10, power));
      text(LEFT - 8, y + 4, "end", label);
    }
    int middle = (TOP + BOTTOM) / 2;
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"18\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 18 %d)\""
                + " fill=\"#222\">milliseconds per scan (log scale)</text>%n",
            middle,
            middle));
  }

  private void group(List<String[]> lines, int table) {
    int width = (WIDTH - LEFT - RIGHT) / TABLES.length;
    int left = LEFT + table * width;
    int bar = (width - 20) / 4;
    int[] batches = {8192, 1024, 8192, 1024};
    for (int i = 0; i < batches.length; i++) {
      String[] line = find(lines, TABLES[table], batches[i]);
      double ms = Double.parseDouble(line[i < 2 ? 4 : 5]);
      int x = left + 10 + i * bar;
      double y = y(ms);
      rect(x + 1, y, bar - 2, BOTTOM - y, COLORS[i]);
      String label = String.format(Locale.ROOT, ms < 1 ? "%.2f" : ms < 100 ? "%.1f" : "%,.0f", ms);
      text(x + bar / 2, (int) y - 4, "middle", label, "12");
    }
    text(left + width / 2, BOTTOM + 20, "middle", SHARES[table]);
    text(left + width / 2, BOTTOM + 37, "middle", "(ids stored as " + FORMS[table] + ")", "11");
  }

  private static String[] find(List<String[]> lines, String table, int batch) {
    for (String[] line : lines) {
      if (line[0].equals(table)
          && line[1].equals("_rowid")
          && line[2].equals(Integer.toString(batch))) {
        return line;
      }
    }
    throw new IllegalStateException("no _rowid scan of " + table + ", batch " + batch);
  }

  private static double y(double ms) {
    double share = (Math.log10(ms) - FIRST_POWER) / (LAST_POWER - FIRST_POWER);
    return BOTTOM - Math.max(0, share) * (BOTTOM - TOP);
  }

  private void rect(double x, double y, double width, double height, String color) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>%n",
            x,
            y,
            width,
            height,
            color));
  }

  private void text(int x, int y, String anchor, String content) {
    text(x, y, anchor, content, "13");
  }

  private void text(int x, int y, String anchor, String content, String size) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" fill=\"#222\" font-size=\"%s\">%s</text>%n",
            x,
            y,
            anchor,
            size,
            content));
  }
}
