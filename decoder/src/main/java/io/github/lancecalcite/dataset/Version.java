package io.github.lancecalcite.dataset;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A version of a dataset, as {@link Dataset#versions} lists it.
 *
 * @param version number, from 1
 * @param timestamp commit time, or null where the manifest has none
 * @param tags names of the tags that point at it, sorted
 * @param rows live rows
 * @param fragments number of fragments
 */
public record Version(
    long version, @Nullable Instant timestamp, List<String> tags, long rows, int fragments) {
  public Version {
    tags = List.copyOf(tags);
  }
}
