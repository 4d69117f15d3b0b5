package io.github.lancecalcite.format;

/**
 * Where a buffer lies in its file, unit: bytes.
 *
 * @param offset absolute position
 * @param size length without padding
 */
public record BufferLocation(long offset, long size) {}
