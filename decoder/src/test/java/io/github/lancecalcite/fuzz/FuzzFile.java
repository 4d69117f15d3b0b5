package io.github.lancecalcite.fuzz;

import com.google.protobuf.InvalidProtocolBufferException;
import io.github.lancecalcite.io.ChecksummedLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A file that a scan reads, with its whole bytes.
 *
 * @param shownBy of a data file, the stored column that shows a column of the file
 */
record FuzzFile(Path path, Kind kind, byte[] whole, Map<Integer, String> shownBy) {
  /** What damage there is depends on what the file is. */
  enum Kind {
    MANIFEST,
    DATA,
    DELETION_ARROW,
    DELETION_BITMAP,
    SEAL_MARKER,
    SEALED_BLOCKS,
    /** A data file of a version that is refused. */
    LEGACY
  }

  /** Damages the file; pieces may come from another one of its kind. */
  Damage damage(byte[] donor, ChecksummedLayout layout, Random random)
      throws InvalidProtocolBufferException {
    boolean structured = random.nextInt(5) < 2;
    return switch (kind) {
      case MANIFEST ->
          structured
              ? StructuredDamage.manifest(whole, donor, random)
              : another(
                  ByteDamage.of(whole, StructuredDamage.manifestRegions(whole), donor, random));
      case DATA ->
          structured
              ? StructuredDamage.dataFile(whole, donor, shownBy, random)
              : ByteDamage.of(whole, new DataFileParts(whole, shownBy).regions, donor, random);
      case DELETION_ARROW ->
          rows(ByteDamage.of(whole, DeletionRegions.arrow(whole), donor, random));
      case DELETION_BITMAP ->
          rows(ByteDamage.of(whole, DeletionRegions.bitmap(whole), donor, random));
      case SEAL_MARKER -> SealedDamage.marker(whole, donor, random);
      case SEALED_BLOCKS ->
          structured
              ? SealedDamage.resealed(whole, layout, random)
              : SealedDamage.blocks(whole, layout, donor, random);
      case LEGACY ->
          ByteDamage.of(whole, List.of(Region.of("legacy file", 0, whole.length)), donor, random);
    };
  }

  /** A manifest with other bytes may be that of another version, with other rows. */
  private static Damage another(Damage damage) {
    boolean rows = !damage.shownBy().isEmpty();
    return new Damage(
        damage.kind(), damage.what(), damage.bytes(), damage.shownBy(), rows, damage.demand());
  }

  /** Other rows may be deleted, but no value may change. */
  private static Damage rows(Damage damage) {
    return new Damage(
        damage.kind(), damage.what(), damage.bytes(), DeletionRegions.SHOWN, true, damage.demand());
  }
}
