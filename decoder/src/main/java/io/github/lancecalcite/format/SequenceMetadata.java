package io.github.lancecalcite.format;

/** Where the serialized bytes of a row-id or version sequence are. */
public sealed interface SequenceMetadata {
  /**
   * The bytes stand in the manifest.
   *
   * @param manifestOffset file offset of {@code bytes[0]} in the manifest, for error messages
   */
  record Inline(byte[] bytes, long manifestOffset) implements SequenceMetadata {}

  /** The bytes are a range of another file; path relative to the dataset root. */
  record External(String path, long offset, long size) implements SequenceMetadata {}
}
