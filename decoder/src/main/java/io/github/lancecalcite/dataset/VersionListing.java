package io.github.lancecalcite.dataset;

import io.github.lancecalcite.NotFoundException;
import io.github.lancecalcite.format.DataFile;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.FileVersion;
import io.github.lancecalcite.format.Manifest;
import io.github.lancecalcite.format.ManifestNaming;
import io.github.lancecalcite.format.ManifestSections;
import io.github.lancecalcite.format.Refs;
import io.github.lancecalcite.format.Transaction;
import io.github.lancecalcite.format.Transactions;
import io.github.lancecalcite.io.PositionalReader;
import io.github.lancecalcite.io.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Lists the versions of one line of history: reads every manifest. */
final class VersionListing {
  private final Storage home;
  private final Storage storage;
  private final @Nullable String branch;

  /**
   * @param home root of the main branch, which holds the tags
   * @param storage root of the line
   * @param branch its name, null for the main one
   */
  VersionListing(Storage home, Storage storage, @Nullable String branch) {
    this.home = home;
    this.storage = storage;
    this.branch = branch;
  }

  /** All versions, oldest first; one that is removed meanwhile is left out. */
  List<Version> versions() throws IOException {
    Map<Long, TreeSet<String>> tagged = new TreeMap<>();
    for (Refs.Tag tag : Refs.tags(home).values()) {
      if (tag.branch() == null || tag.branch().equals(branch)) {
        tagged.computeIfAbsent(tag.version(), v -> new TreeSet<>()).add(tag.name());
      }
    }
    List<Version> result = new ArrayList<>();
    for (Map.Entry<Long, String> entry : ManifestNaming.list(storage).entrySet()) {
      long number = entry.getKey();
      try {
        List<String> tags = List.copyOf(tagged.getOrDefault(number, new TreeSet<>()));
        result.add(version(number, entry.getValue(), tags));
      } catch (NotFoundException e) {
        // a concurrent clean-up took it; if it is still listed, something of it is truly missing
        if (ManifestNaming.list(storage).containsKey(number)) {
          throw e;
        }
      }
    }
    return result;
  }

  private Version version(long number, String name, List<String> tags) throws IOException {
    try (PositionalReader file = storage.open(ManifestNaming.FOLDER + "/" + name)) {
      Manifest manifest = ManifestNaming.read(file, number);
      RowCounts counts = new RowCounts(manifest, new DatasetFiles(storage, manifest));
      long physical = 0;
      for (DataFragment fragment : manifest.fragments()) {
        physical += counts.physicalRows(fragment);
      }
      long live = counts.liveRows();
      int files = 0;
      long bytes = 0;
      for (DataFragment fragment : manifest.fragments()) {
        for (DataFile data : fragment.files()) {
          files++;
          long size = size(data);
          bytes = size < 0 || bytes < 0 ? -1 : bytes + size;
        }
      }
      return new Version(
          number,
          manifest.timestamp(),
          tags,
          live,
          manifest.fragments().size(),
          physical - live,
          files,
          bytes,
          manifest.fields().size(),
          manifest.writerVersion(),
          transaction(file, manifest));
    }
  }

  /** Size of a data file, or −1: absent in manifests of old writers, wrong for legacy files. */
  static long size(DataFile file) {
    boolean legacy = FileVersion.ofFooter(file.majorVersion(), file.minorVersion()).isLegacy();
    return file.fileSizeBytes() > 0 && !legacy ? file.fileSizeBytes() : -1;
  }

  /** What made a version, or null where nothing tells. */
  @Nullable Transaction transaction(PositionalReader file, Manifest manifest) throws IOException {
    Transaction inside = ManifestSections.transaction(file, manifest);
    String name = manifest.transactionFile();
    if (inside != null || name == null) {
      return inside;
    }
    try {
      return Transactions.read(storage, name);
    } catch (NotFoundException e) {
      return null; // no reader needs it, so copies of datasets often come without
    }
  }
}
