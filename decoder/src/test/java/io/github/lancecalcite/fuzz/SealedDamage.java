package io.github.lancecalcite.fuzz;

import io.github.lancecalcite.fuzz.Damage.Demand;
import io.github.lancecalcite.io.ChecksummedLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Damage to the block files and the marker of a sealed dataset: no row may ever look different. */
final class SealedDamage {
  private SealedDamage() {}

  static Damage marker(byte[] whole, byte[] donor, Random random) {
    List<Region> lines = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < whole.length; i++) {
      if (whole[i] == '\n') {
        lines.add(new Region("line " + lines.size(), from, i + 1, Set.of(), false));
        from = i + 1;
      }
    }
    return strict(ByteDamage.of(whole, lines, donor, random));
  }

  static Damage blocks(byte[] whole, ChecksummedLayout layout, byte[] donor, Random random) {
    List<Region> regions = new ArrayList<>();
    for (int at = 0; at < whole.length; at += layout.blockBytes()) {
      int end = Math.min(whole.length, at + layout.blockBytes());
      String name = "block " + at / layout.blockBytes();
      regions.add(new Region("checksum of " + name, at, at + 4, Set.of(), false));
      regions.add(new Region("content of " + name, at + 4, end, Set.of(), false));
    }
    Damage damage = strict(ByteDamage.of(whole, regions, donor, random));
    if (everyBlockIsRight(damage.bytes(), layout)) {
      // whole blocks in other places: reads cannot see it, verify must
      return new Damage(
          "blocks moved", damage.what(), damage.bytes(), Damage.ANYTHING, true, Demand.VERIFY);
    }
    return damage;
  }

  /** Content that was changed with its checksum made right again, as by a broken writer. */
  static Damage resealed(byte[] whole, ChecksummedLayout layout, Random random) {
    byte[] bytes = whole.clone();
    int block = random.nextInt((whole.length + layout.blockBytes() - 1) / layout.blockBytes());
    int at = block * layout.blockBytes();
    int content = Math.min(layout.contentBytes(), whole.length - at - 4);
    int place = at + 4 + random.nextInt(content);
    bytes[place] ^= (byte) (1 << random.nextInt(8));
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(at, ChecksummedLayout.crc(bytes, at + 4, content));
    return new Damage("resealed", "byte " + place, bytes, Damage.ANYTHING, true, Demand.VERIFY);
  }

  private static Damage strict(Damage damage) {
    return new Damage(
        "sealed, " + damage.kind(),
        damage.what(),
        damage.bytes(),
        Set.of(),
        false,
        damage.demand());
  }

  private static boolean everyBlockIsRight(byte[] bytes, ChecksummedLayout layout) {
    ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at < bytes.length; at += layout.blockBytes()) {
      int content = Math.min(layout.contentBytes(), bytes.length - at - 4);
      if (content < 1 || words.getInt(at) != ChecksummedLayout.crc(bytes, at + 4, content)) {
        return false;
      }
    }
    return true;
  }
}
