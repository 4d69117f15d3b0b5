package io.github.lancecalcite.io;

import io.github.lancecalcite.NotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/** Reads every block of a sealed dataset, and goes on after a bad one. */
public final class SealCheck {
  /**
   * Something wrong.
   *
   * @param file name below the dataset's root
   * @param block number of the bad block, or −1 when the fault is not in one block
   * @param offset of the block in the block file, or −1
   * @param contentOffset of the block's first content byte, or −1
   * @param problem what is wrong, in words
   */
  public record Fault(String file, long block, long offset, long contentOffset, String problem) {}

  /**
   * The outcome.
   *
   * @param faults in the order of files and blocks
   */
  public record Result(int files, long blocks, long bytes, List<Fault> faults) {}

  private final Storage folder;
  private final SealMarker marker;
  private final List<Fault> faults = new ArrayList<>();
  private long blocks;
  private long bytes;

  private SealCheck(Storage folder, SealMarker marker) {
    this.folder = folder;
    this.marker = marker;
  }

  /**
   * Checks all files of a sealed dataset.
   *
   * @throws NotFoundException if the folder has no seal marker
   * @throws io.github.lancecalcite.CorruptFileException if the marker itself is damaged
   */
  public static Result run(Storage folder, Sealing.Progress progress) throws IOException {
    SealedStorage.detect(folder); // also refuses a plain dataset beside the marker
    SealCheck check = new SealCheck(folder, SealedStorage.readMarker(folder));
    long total =
        check.marker.files().values().stream().mapToLong(SealMarker.SealedFile::bytes).sum();
    for (Map.Entry<String, SealMarker.SealedFile> entry : check.marker.files().entrySet()) {
      check.file(entry.getKey(), entry.getValue(), total, progress);
    }
    return new Result(
        check.marker.files().size(), check.blocks, check.bytes, List.copyOf(check.faults));
  }

  private void file(
      String name, SealMarker.SealedFile sealed, long total, Sealing.Progress progress)
      throws IOException {
    ByteBuffer raw = oneRead();
    try (PositionalReader file = folder.open(SealMarker.BLOCKS + "/" + name)) {
      int before = faults.size();
      if (file.size() != sealed.bytes()) {
        fault(name, -1, "size " + file.size() + " instead of " + sealed.bytes() + " bytes");
      }
      CRC32C fingerprint = new CRC32C();
      for (long at = 0; at < file.size(); ) {
        progress.at(bytes, total, name);
        int n = (int) Math.min(raw.capacity(), file.size() - at);
        raw.clear().limit(n);
        while (raw.hasRemaining()) {
          if (file.readSome(at + raw.position(), raw) < 0) {
            fault(name, -1, "ends at " + (at + raw.position()) + " while it is read");
            return;
          }
        }
        blocks(name, at, raw, n, fingerprint);
        at += n;
        bytes += n;
      }
      if (faults.size() == before && (int) fingerprint.getValue() != sealed.fingerprint()) {
        fault(
            name, -1, "every block is whole, but they are not those, or not in the order, sealed");
      }
      progress.at(bytes, total, name);
    } catch (NotFoundException e) {
      fault(name, -1, "missing");
    }
  }

  private ByteBuffer oneRead() {
    ChecksummedLayout layout = marker.layout();
    return ByteBuffer.allocate(Math.multiplyExact(layout.blocksPerRead(), layout.blockBytes()))
        .order(java.nio.ByteOrder.LITTLE_ENDIAN);
  }

  private void blocks(String name, long start, ByteBuffer raw, int n, CRC32C fingerprint) {
    CRC32C crc = new CRC32C();
    for (int at = 0; at < n; at += marker.layout().blockBytes()) {
      long block = (start + at) / marker.layout().blockBytes();
      blocks++;
      int content =
          Math.min(marker.layout().contentBytes(), n - at - ChecksummedLayout.CHECKSUM_BYTES);
      if (content <= 0) {
        fault(name, block, "a block of " + (n - at) + " bytes has no content");
        return;
      }
      raw.clear();
      int stored = raw.getInt(at);
      fingerprint.update(raw.slice(at, ChecksummedLayout.CHECKSUM_BYTES));
      int from = at + ChecksummedLayout.CHECKSUM_BYTES;
      int computed = ChecksummedLayout.crc(crc, raw, from, content);
      if (stored != computed) {
        fault(
            name,
            block,
            "expected "
                + ChecksummedLayout.text(stored)
                + ", found "
                + ChecksummedLayout.text(computed));
      }
    }
  }

  private void fault(String name, long block, String problem) {
    ChecksummedLayout layout = marker.layout();
    faults.add(
        block < 0
            ? new Fault(name, -1, -1, -1, problem)
            : new Fault(
                name, block, layout.blockStart(block), block * layout.contentBytes(), problem));
  }
}
