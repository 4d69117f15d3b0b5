package io.github.lancecalcite.fuzz;

import io.github.lancecalcite.fuzz.Damage.Demand;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Damage to the bytes of a file, aimed at its regions, each as often as any other. */
final class ByteDamage {
  private final byte[] whole;
  private final List<Region> regions;
  private final Random random;

  private ByteDamage(byte[] whole, List<Region> regions, Random random) {
    this.whole = whole;
    this.regions = regions;
    this.random = random;
  }

  /**
   * @param donor another file of the same kind, to splice with
   */
  static Damage of(byte[] whole, List<Region> regions, byte[] donor, Random random) {
    ByteDamage damage = new ByteDamage(whole, regions, random);
    while (true) {
      Damage made =
          switch (random.nextInt(12)) {
            case 0 -> damage.truncate();
            case 1, 2 -> damage.flip();
            case 3, 4, 5, 6 -> damage.lie();
            case 7 -> damage.swap();
            case 8 -> damage.fill();
            case 9 -> damage.copyOver();
            case 10 -> damage.insertOrDelete();
            default -> damage.splice(donor);
          };
      if (!Arrays.equals(made.bytes(), whole)) {
        return made;
      }
    }
  }

  private Region region() {
    Region region = regions.get(random.nextInt(regions.size()));
    return region.length() == 0 ? region() : region;
  }

  /** Near the start of a region more often than not: headers lie there. */
  private int place(Region region) {
    int length = region.length();
    return region.from()
        + switch (random.nextInt(4)) {
          case 0 -> random.nextInt(Math.min(16, length));
          case 1 -> length - 1 - random.nextInt(Math.min(16, length));
          default -> random.nextInt(length);
        };
  }

  private Damage at(String kind, Region region, String what, byte[] bytes) {
    return new Damage(
        kind,
        region.name() + ": " + what,
        bytes,
        region.shownBy(),
        false,
        region.alone() ? Demand.OTHERS_READ : Demand.NONE);
  }

  private Damage anywhere(String kind, String what, byte[] bytes, Demand demand) {
    return new Damage(kind, what, bytes, Damage.ANYTHING, false, demand);
  }

  private Damage truncate() {
    Region region = region();
    int border = random.nextBoolean() ? region.from() : region.to();
    int size = random.nextInt(4) == 0 ? place(region) : border + random.nextInt(3) - 1;
    size = Math.max(0, Math.min(whole.length - 1, size));
    String what = "cut to " + size + " of " + whole.length + " bytes, at " + region.name();
    return anywhere("truncated", what, Arrays.copyOf(whole, size), Demand.REFUSED);
  }

  private Damage flip() {
    Region region = region();
    byte[] bytes = whole.clone();
    StringBuilder what = new StringBuilder("flipped");
    for (int n = 1 + random.nextInt(3); n > 0; n--) {
      int at = place(region);
      int bit = random.nextInt(8);
      bytes[at] ^= (byte) (1 << bit);
      what.append(" bit ").append(bit).append(" of byte ").append(at);
    }
    return at("bits flipped", region, what.toString(), bytes);
  }

  /** A number of 1, 2, 4 or 8 bytes, as formats place them: at a multiple of its size. */
  private Damage lie() {
    Region region = region();
    int width = Math.min(1 << random.nextInt(4), Integer.highestOneBit(region.length()));
    int at = region.from() + (place(region) - region.from()) / width * width;
    at = Math.min(at, region.to() - width);
    byte[] bytes = whole.clone();
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long truth = get(buffer, at, width);
    long lie =
        switch (random.nextInt(8)) {
          case 0 -> whole.length + random.nextInt(3) - 1;
          case 1 -> get(buffer, region.from() + random.nextInt(region.length() - width + 1), width);
          case 2 -> at;
          default -> Lies.number(truth, random);
        };
    put(buffer, at, width, lie);
    String what = width + " bytes at " + at + ": " + get(buffer, at, width) + " for " + truth;
    return at("number", region, what, bytes);
  }

  private static long get(ByteBuffer buffer, int at, int width) {
    return switch (width) {
      case 1 -> buffer.get(at) & 0xff;
      case 2 -> buffer.getShort(at) & 0xffff;
      case 4 -> buffer.getInt(at) & 0xffffffffL;
      default -> buffer.getLong(at);
    };
  }

  private static void put(ByteBuffer buffer, int at, int width, long value) {
    switch (width) {
      case 1 -> buffer.put(at, (byte) value);
      case 2 -> buffer.putShort(at, (short) value);
      case 4 -> buffer.putInt(at, (int) value);
      default -> buffer.putLong(at, value);
    }
  }

  /** Two stretches of one length change places. */
  private Damage swap() {
    Region a = region();
    Region b = region();
    int length = Math.min(a.length(), b.length());
    if (a == b || random.nextBoolean()) {
      length = 1 + random.nextInt(Math.min(length, 16));
    }
    int from = a.from() + random.nextInt(a.length() - length + 1);
    int to = b.from() + random.nextInt(b.length() - length + 1);
    byte[] bytes = whole.clone();
    System.arraycopy(whole, to, bytes, from, length);
    System.arraycopy(whole, from, bytes, to, length);
    String what = length + " bytes of " + from + " and of " + to + " swapped";
    return both("swapped", a, b, what, bytes);
  }

  /** A stretch becomes the copy of another. */
  private Damage copyOver() {
    Region a = region();
    Region b = region();
    int length = 1 + random.nextInt(Math.min(a.length(), b.length()));
    int from = a.from() + random.nextInt(a.length() - length + 1);
    int to = b.from() + random.nextInt(b.length() - length + 1);
    byte[] bytes = whole.clone();
    System.arraycopy(whole, from, bytes, to, length);
    return at("copied over", b, length + " bytes of " + from + " copied to " + to, bytes);
  }

  private Damage both(String kind, Region a, Region b, String what, byte[] bytes) {
    Set<String> shownBy = new HashSet<>(a.shownBy());
    shownBy.addAll(b.shownBy());
    Region joined =
        new Region(
            a.name() + " and " + b.name(),
            a.from(),
            b.to(),
            Set.copyOf(shownBy),
            a.alone() && b.alone());
    return at(kind, joined, what, bytes);
  }

  private Damage fill() {
    Region region = region();
    int at = place(region);
    int length = 1 + random.nextInt(Math.min(region.to() - at, 64));
    byte[] bytes = whole.clone();
    int value = random.nextInt(3) - 1;
    Arrays.fill(bytes, at, at + length, (byte) value);
    return at("filled", region, length + " bytes at " + at + " made " + value, bytes);
  }

  private Damage insertOrDelete() {
    Region region = region();
    int at = place(region);
    int length = 1 + random.nextInt(Math.min(region.to() - at, 32));
    boolean insert = random.nextBoolean();
    byte[] bytes = new byte[whole.length + (insert ? length : -length)];
    System.arraycopy(whole, 0, bytes, 0, at);
    int rest = insert ? at : at + length;
    System.arraycopy(whole, rest, bytes, insert ? at + length : at, whole.length - rest);
    String what = length + " bytes " + (insert ? "inserted at " : "deleted at ") + at;
    return anywhere("shifted", region.name() + ": " + what, bytes, Demand.NONE);
  }

  private Damage splice(byte[] donor) {
    int head = place(region());
    int tail =
        random.nextBoolean() ? Math.min(head, donor.length) : random.nextInt(donor.length + 1);
    byte[] bytes = Arrays.copyOf(whole, head + donor.length - tail);
    System.arraycopy(donor, tail, bytes, head, donor.length - tail);
    String what = "the first " + head + " bytes, then another file from " + tail;
    return anywhere("spliced", what, bytes, Demand.NONE);
  }
}
