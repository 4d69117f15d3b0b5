package io.github.lancecalcite.format;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a commit did.
 *
 * @param readVersion the version the writer had read; 0 when it made the dataset
 * @param operation Lance's name of it, for instance {@code Append}; {@code Operation 117} for one
 *     this reader has no name for
 * @param fragmentsAdded fragments it wrote
 * @param fragmentsUpdated fragments that it kept, with other files or deletions
 * @param fragmentsRemoved fragments it took away as a whole; an overwrite does not list those
 * @param details the predicate of a delete, the version of a restore and the like, or null
 * @param properties what the writer noted
 */
public record Transaction(
    long readVersion,
    String uuid,
    String operation,
    int fragmentsAdded,
    int fragmentsUpdated,
    int fragmentsRemoved,
    @Nullable String details,
    Map<String, String> properties) {
  public Transaction {
    properties = Map.copyOf(properties);
  }
}
