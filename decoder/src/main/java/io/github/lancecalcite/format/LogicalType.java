package io.github.lancecalcite.format;

import org.jspecify.annotations.Nullable;

/** Meaning of a field's stored values: the logical type strings of Lance, parsed. */
public sealed interface LogicalType {
  /** Resolution of a temporal type. */
  enum Unit {
    SECOND,
    MILLISECOND,
    MICROSECOND,
    NANOSECOND
  }

  /** {@code null}: no value, no bytes. */
  record Null() implements LogicalType {}

  /** {@code bool}. */
  record Bool() implements LogicalType {}

  /** {@code int8} … {@code uint64}. */
  record Int(int bits, boolean signed) implements LogicalType {}

  /** {@code halffloat}, {@code float}, {@code double}: 16, 32, 64 bits. */
  record FloatingPoint(int bits) implements LogicalType {}

  /**
   * {@code lance.bfloat16}, which only stands in fixed-size lists: the upper half of a float32. A
   * column of them outside of lists is a {@code fixed_size_binary:2} with an extension name.
   */
  record BFloat16() implements LogicalType {
    /** Arrow's name for it. */
    public static final String EXTENSION_NAME = "lance.bfloat16";
  }

  /** {@code decimal:128:p:s}, {@code decimal:256:p:s}; the scale may be negative. */
  record Decimal(int bits, int precision, int scale) implements LogicalType {}

  /** {@code string} and {@code large_string}. */
  record Utf8(boolean large) implements LogicalType {}

  /** {@code binary} and {@code large_binary}. */
  record Binary(boolean large) implements LogicalType {}

  /** {@code json}: large binary holding JSON in binary form. */
  record Json() implements LogicalType {}

  /** {@code fixed_size_binary:n}. */
  record FixedSizeBinary(int byteWidth) implements LogicalType {}

  /** {@code date32:day} (32 bits, days) and {@code date64:ms} (64 bits, milliseconds). */
  record Date(int bits) implements LogicalType {}

  /** {@code time32:…} and {@code time64:…}. */
  record Time(int bits, Unit unit) implements LogicalType {}

  /** {@code timestamp:unit:zone}; zone null means a wall clock without a zone. */
  record Timestamp(Unit unit, @Nullable String zone) implements LogicalType {}

  /** {@code duration:unit}. */
  record Duration(Unit unit) implements LogicalType {}

  /**
   * {@code fixed_size_list:inner:n}. A primitive inner has no child field; an inner struct has one.
   */
  record FixedSizeList(LogicalType inner, int size) implements LogicalType {}

  /** {@code struct}: the field's children in order. */
  record Struct() implements LogicalType {}

  /** {@code list}, {@code large_list} and their {@code .struct} spellings: one child. */
  record List(boolean large) implements LogicalType {}

  /** {@code map}: one child, a struct of key and value. */
  record Map() implements LogicalType {}

  /** {@code dict:value:index:ordered}. */
  record Dictionary(LogicalType value, Int index, boolean ordered) implements LogicalType {}

  /** A type string this reader does not know: reading such a field is refused by name. */
  record Unknown(String text) implements LogicalType {}
}
