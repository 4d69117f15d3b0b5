package io.github.lancecalcite.dataset;

import io.github.lancecalcite.NotFoundException;
import io.github.lancecalcite.format.Manifest;
import io.github.lancecalcite.format.ManifestNaming;
import io.github.lancecalcite.io.Storage;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the version of a dataset that was the latest one at a point in time. */
final class VersionAt {
  private VersionAt() {}

  /**
   * The manifest of the last version whose commit time is not after an instant.
   *
   * @param storage root of the line of history
   * @throws NotFoundException if there is none
   */
  static Manifest find(Storage storage, Instant instant) throws IOException {
    Manifest first = null;
    for (Map.Entry<Long, String> entry : ManifestNaming.list(storage).descendingMap().entrySet()) {
      Manifest manifest = open(storage, entry.getKey(), entry.getValue());
      if (manifest == null || manifest.timestamp() == null) {
        continue;
      }
      if (!manifest.timestamp().isAfter(instant)) {
        return manifest;
      }
      first = manifest;
    }
    throw new NotFoundException(
        storage.path(),
        "version as of " + instant,
        first == null
            ? "no manifest says when it was committed"
            : "the first version is " + first.version() + ", of " + first.timestamp());
  }

  /** Null for a version that was removed since it was listed. */
  private static @Nullable Manifest open(Storage storage, long version, String name)
      throws IOException {
    try {
      return ManifestNaming.open(storage, version, name);
    } catch (NotFoundException e) {
      if (ManifestNaming.list(storage).containsKey(version)) {
        throw e;
      }
      return null;
    }
  }
}
