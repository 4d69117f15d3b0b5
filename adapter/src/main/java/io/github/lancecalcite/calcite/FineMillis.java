package io.github.lancecalcite.calcite;

/**
 * The milliseconds of a time or timestamp, as Calcite's runtime holds it, with the digits that the
 * runtime has no room for. Immutable. As a number it is the milliseconds.
 */
final class FineMillis extends Number {
  private static final long serialVersionUID = 1L;

  private final long millis;

  /** Nanoseconds after the millisecond, 0 to 999,999. */
  private final int nanos;

  FineMillis(long millis, int nanos) {
    this.millis = millis;
    this.nanos = nanos;
  }

  int nanos() {
    return nanos;
  }

  @Override
  public int intValue() {
    return (int) millis;
  }

  @Override
  public long longValue() {
    return millis;
  }

  @Override
  public float floatValue() {
    return millis;
  }

  @Override
  public double doubleValue() {
    return millis;
  }

  @Override
  public String toString() {
    return millis + " ms " + nanos + " ns";
  }
}
