package io.github.lancecalcite.format;

/** Unsigned 64-bit values in one of three stored widths; bytes are little-endian. */
public sealed interface EncodedU64Array {
  /** Value i is {@code base + u16 at 2i}. */
  record U16(long base, byte[] offsets) implements EncodedU64Array {}

  /** Value i is {@code base + u32 at 4i}. */
  record U32(long base, byte[] offsets) implements EncodedU64Array {}

  /** Value i is {@code u64 at 8i}. */
  record U64(byte[] values) implements EncodedU64Array {}
}
